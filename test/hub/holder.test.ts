/**
 * The lease identifies a hub by an id in its folder. So two hubs that were cloned from one image have different ids
 * even with the same path.
 */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holderOf } from '../../src-hub/lease/claim.ts';
import { ownFolder } from '../core/fixture.ts';

test('the id stays with the folder, and another folder at the same path is another hub', () => {
  const place = join(ownFolder(), 'data');
  mkdirSync(place);
  const first = holderOf(place);
  expect(holderOf(place)).toBe(first);
  if (process.platform !== 'win32') expect(statSync(join(place, 'hub-id')).mode & 0o077).toBe(0);
  renameSync(place, `${place} moved`);
  mkdirSync(place);
  expect(holderOf(place)).not.toBe(first);
  expect(holderOf(`${place} moved`)).toBe(first);
});
