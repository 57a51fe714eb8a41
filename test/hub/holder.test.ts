/** Who a hub is to a standby: its folder's own id, so that two hubs of one image under one path are two. */
import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holderOf } from '../../src-hub/lease/claim.ts';
import { ownFolder } from '../core/fixture.ts';

test('a hub keeps its id with its folder, and another folder in the same place is another hub', () => {
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
