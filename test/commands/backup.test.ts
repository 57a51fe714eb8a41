/** `npm run backup`: the backup holds every fact of the journal, and a folder that a running app uses is refused. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsIn } from '../../src-main/core/journal/recovery/backup.ts';
import { openDataFolder } from '../../src-main/data-folder/data-folder.ts';
import { ownFolder } from '../core/fixture.ts';
import { openStandKiosk } from '../core/stand/visit/stand-kiosk.ts';

const command = join(import.meta.dirname, '../../src-main/commands/backup.ts');

function run(folder: string) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [command, '--data', folder], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

test('the backup holds every fact of the journal', async () => {
  const folder = join(ownFolder(), 'data');
  const { tap, stop } = openStandKiosk({ folder });
  for (const uid of ['04AA00000000A1', '04AA00000000A2', '04AA00000000A3']) await tap(uid);
  await stop();
  rmSync(join(folder, 'backup'), { recursive: true, force: true });
  expect(await run(folder)).toMatchObject({ code: 0, out: expect.stringContaining('journal-1.db') });
  const facts = factsIn(join(folder, 'journal.db'));
  expect(facts).toHaveLength(3);
  expect(factsIn(join(folder, 'backup', 'journal-1.db'))).toEqual(facts);
});

test('a folder without a journal has nothing to back up', async () => {
  expect(await run(ownFolder())).toMatchObject({ code: 0, out: expect.stringContaining('no journal') });
});

test('a folder that a running Touchpoint uses is refused', async () => {
  const path = ownFolder();
  const folder = await openDataFolder(path);
  expect(await run(path)).toMatchObject({ code: 2, err: expect.stringContaining('already running') });
  folder.release();
});
