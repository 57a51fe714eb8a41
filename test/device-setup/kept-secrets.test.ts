/** The tokens of destinations in the data folder, and the destinations that they belong to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFilePlace } from '../../src-main/device-key/key-place.ts';
import { keptSecrets } from '../../src-main/device-setup/kept-secrets.ts';
import { ownFolder, rememberingLog } from '../core/fixture.ts';

const secretsIn = (folder: string) =>
  keptSecrets(folder, createFilePlace(), { ...rememberingLog(), hide: () => undefined });

it('deletes the tokens of destinations that no longer exist, and no other', async () => {
  const folder = ownFolder();
  const secrets = secretsIn(folder);
  for (const id of ['d1', 'd2', 'd3']) await secrets.keep(id, `token of ${id}`);
  expect(secrets.keepOnly(['d2', 'd9'])).toBe(2);
  expect(await secrets.read('d2')).toBe('token of d2');
  expect(readFileSync(join(folder, 'destination-keys.json'), 'utf8')).not.toMatch(/d1|d3/u);
  expect(secrets.keepOnly(['d2'])).toBe(0);
});

it('keeps both tokens that are stored at the same time', async () => {
  const place = createFilePlace();
  const release: (() => void)[] = [];
  const slow: typeof place = {
    ...place,
    keep: async (secret) => {
      await new Promise<void>((resolve) => release.push(resolve));
      return await place.keep(secret);
    },
  };
  const secrets = keptSecrets(ownFolder(), slow, { ...rememberingLog(), hide: () => undefined });
  const kept = ['d1', 'd2'].map((id) => secrets.keep(id, `token of ${id}`));
  for (const end of release) end();
  await Promise.all(kept);
  expect([await secrets.read('d1'), await secrets.read('d2')]).toEqual(['token of d1', 'token of d2']);
});
