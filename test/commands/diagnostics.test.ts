/** `npm run diagnostics`: the zip contains what support needs, and no personal data. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { capturedOf, fill, guest, openStandKiosk, smallFair } from '../core/stand/visit/stand-kiosk.ts';

const command = join(import.meta.dirname, '../../src-main/commands/diagnostics.ts');

const canary = {
  badge: '04CAFE00CAFE01',
  unknownBadge: '04BEEF00BEEF02',
  name: 'Wilhelmina',
  mail: 'w.canary@secret.example',
  company: 'Canary & Sons',
  answer: 'we buy the whole hall',
  notice: 'Hildegard Noticewriter',
  token: 'tok-en-of-this-run-0123456789',
} as const;

function run(args: readonly string[], cwd = process.cwd()) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [command, ...args], { cwd }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The concatenated bytes of all files below a folder. */
function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))));
}

test('the zip contains the diagnostic files and none of the planted personal data', async () => {
  const folder = join(ownFolder(), 'data');
  const stand = {
    touchpoint: 'lead1',
    notice: { version: 'v1', texts: { en: { who: canary.notice, why: 'To call', howLong: 'A year' } } },
    questions: [{ id: 'words', kind: 'text', text: { en: 'Anything?' } }],
  };
  const person = { firstName: canary.name, email: canary.mail, company: canary.company };
  const fair = { ...smallFair(), visitors: [guest('v9', canary.badge, person)] };
  const { tap, screen, stop } = openStandKiosk({ folder, stand, prepare: (mirror) => fill(mirror, fair) });
  const { factId } = capturedOf(await tap(canary.badge));
  await screen.session.answer({ factId, language: 'en', question: 'words', answer: canary.answer });
  await tap(canary.unknownBadge);
  await stop();
  writeFileSync(join(folder, 'stand.json'), JSON.stringify(stand));
  writeFileSync(join(folder, 'app.json'), JSON.stringify({ token: canary.token }));
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const line = {
    level: 40,
    msg: `refused ${canary.mail} ${canary.badge} Bearer ${canary.token}`,
    status: 422,
  };
  writeFileSync(join(folder, 'logs', 'touchpoint.2026-11-22.1.log'), `${JSON.stringify(line)}\n`);

  const out = join(ownFolder(), 'diagnostics.zip');
  expect(await run(['--data', folder, '--out', out])).toEqual({ code: 0, out: `${out}\n`, err: '' });
  const files = unzipSync(readFileSync(out));
  const here = bytesBelow(folder);
  const sent = Buffer.concat([...Object.values(files), Buffer.from(Object.keys(files).join('\n'))]);
  for (const [what, planted] of Object.entries(canary)) {
    // Otherwise the search would prove nothing.
    expect(here.includes(planted), `${what} is in the data folder`).toBe(true);
    expect(sent.includes(planted), `${what} is in the diagnostics`).toBe(false);
  }
  const read = (name: string) => JSON.parse(Buffer.from(files[name] ?? []).toString()) as unknown;
  expect(read('journal.json')).toMatchObject({
    tables: { fact: { rows: 3, by: { kind: { tap: 2 } } }, outbox: { rows: 3 } },
  });
  expect(read('settings.json')).toMatchObject({ touchpoint: 'string', notice: { version: 'string' } });
  expect(read('health.json')).toMatchObject({ verdict: 'noGo', running: false });
  expect(read('files.json')).toContainEqual(expect.objectContaining({ path: 'journal.db' }));
  expect(Buffer.from(files['logs/touchpoint.2026-11-22.1.log'] ?? []).toString()).toContain('"status":422');

  expect(await run(['--data', folder, '--out', out])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/exists already\. Choose another name with --out\.\n$/),
  });
});

test('the zip reports missing and damaged files of the data folder', async () => {
  const folder = ownFolder();
  writeFileSync(
    join(folder, 'journal.db'),
    'no database at all, and long enough to be taken for one'.repeat(40),
  );
  writeFileSync(join(folder, 'stand.json'), '{ half');
  const out = join(ownFolder(), 'diagnostics.zip');
  expect((await run(['--data', folder, '--out', out])).code).toBe(0);
  const files = unzipSync(readFileSync(out));
  const read = (name: string) => JSON.parse(Buffer.from(files[name] ?? []).toString()) as unknown;
  expect(read('journal.json')).toHaveProperty('unreadable');
  expect(read('settings.json')).toHaveProperty('unreadable');
  expect(read('mirror.json')).toBeNull();
});

test('the zip is written into the data folder if this user may not write to the current one', async () => {
  const folder = join(ownFolder(), 'data');
  await openStandKiosk({ folder }).stop();
  // In this folder no user may create a file.
  const { code, out } = await run(['--data', folder], '/proc');
  expect(code).toBe(0);
  expect(out.trim()).toMatch(new RegExp(`^${folder}/touchpoint-diagnostics-[\\dT-]+\\.zip$`));
  expect(Object.keys(unzipSync(readFileSync(out.trim())))).not.toEqual([]);
});
