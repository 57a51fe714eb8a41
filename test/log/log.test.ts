/** The log on disk: its content, its rotation, and faults of its disk, which never affect the app. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from '../../src-main/log/log.ts';
import { openRollingFile } from '../../src-main/log/rolling-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchpoint-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Noon in local time, so that the day is the same everywhere. */
const noon = (day: number) => new Date(2026, 10, day, 12).getTime();

function linesOf(name: string): readonly string[] {
  return readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
}

test('lines are JSON, in order, readable by their owner only, and without secrets', async () => {
  const log = openLog(folder, ['a-secret-key'], () => noon(22));
  log.info('first', { url: 'http://x/a-secret-key', token: 'other' });
  log.warn('second');
  log.flush();
  const [name = ''] = readdirSync(join(folder, 'logs'));
  expect(name).toBe('touchpoint.2026-11-22.1.log');
  const lines = linesOf(join('logs', name)).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { msg: 'first', url: 'http://x/[hidden]', token: '[hidden]' },
    { msg: 'second' },
  ]);
});

describe('a rolling file', () => {
  const open = (
    now: () => number = () => noon(22),
    failed: (error: Error | null) => void = () => undefined,
  ) => openRollingFile({ folder, name: 'log', maxBytes: 100, keep: 2, now, failed });

  test('starts a new file when the old one is full, and keeps the newest', async () => {
    const file = open();
    for (let line = 0; line < 8; line += 1) {
      file.write(`${line} ${'x'.repeat(57)}\n`);
      await file.idle();
    }
    expect(readdirSync(folder).sort()).toEqual([
      'log.2026-11-22.2.log',
      'log.2026-11-22.3.log',
      'log.2026-11-22.4.log',
    ]);
    expect(linesOf('log.2026-11-22.4.log').map((line) => line[0])).toEqual(['6', '7']);
  });

  test('starts a new file each day, and appends to the latest after a start', async () => {
    let day = 22;
    const file = open(() => noon(day));
    file.write('monday\n');
    await file.idle();
    day = 23;
    file.write('tuesday\n');
    await file.idle();
    const next = open(() => noon(day));
    next.write('later\n');
    await next.idle();
    expect(linesOf('log.2026-11-22.1.log')).toEqual(['monday']);
    expect(linesOf('log.2026-11-23.1.log')).toEqual(['tuesday', 'later']);
  });

  test('does not touch files with other names', async () => {
    writeFileSync(join(folder, 'platform.log'), '');
    for (const day of [1, 2, 3, 4, 5]) {
      const file = open(() => noon(day));
      file.write('line\n');
      await file.idle();
    }
    expect(readdirSync(folder).sort()).toEqual([
      'log.2026-11-03.1.log',
      'log.2026-11-04.1.log',
      'log.2026-11-05.1.log',
      'platform.log',
    ]);
  });

  test('reports once that it cannot be written, drops its lines, and reports the recovery', async () => {
    symlinkSync('/dev/full', join(folder, 'log.2026-11-22.1.log'));
    const said: (string | null)[] = [];
    const file = open(
      () => noon(22),
      (error) => void said.push(error === null ? null : error.message),
    );
    for (const line of ['one\n', 'two\n']) {
      file.write(line);
      await file.idle();
    }
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
    rmSync(join(folder, 'log.2026-11-22.1.log'));
    file.write('three\n');
    await file.idle();
    expect(said).toEqual([expect.stringContaining('ENOSPC'), null]);
    expect(linesOf('log.2026-11-22.1.log')).toEqual(['three']);
  });
});

test('a file in place of `logs` stops only the log, which resumes when the file is removed', async () => {
  writeFileSync(join(folder, 'logs'), 'in the way');
  const said: (string | null)[] = [];
  const file = openRollingFile({
    folder: join(folder, 'logs'),
    name: 'log',
    maxBytes: 100,
    keep: 2,
    now: () => noon(22),
    failed: (error) => void said.push(error === null ? null : error.message),
  });
  file.write('lost\n');
  await file.idle();
  file.write('lost\n');
  await file.idle();
  expect(said).toEqual([expect.stringContaining('ENOTDIR')]);
  rmSync(join(folder, 'logs'));
  file.write('kept\n');
  await file.idle();
  expect(said).toEqual([expect.stringContaining('ENOTDIR'), null]);
  expect(linesOf(join('logs', 'log.2026-11-22.1.log'))).toEqual(['kept']);
  expect(statSync(join(folder, 'logs')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'logs', 'log.2026-11-22.1.log')).mode & 0o777).toBe(0o600);
});

test('a program starts with a file in place of `logs`', () => {
  writeFileSync(join(folder, 'logs'), 'in the way');
  const log = openLog(folder, [], () => noon(22));
  log.info('one');
  log.flush();
  expect(readFileSync(join(folder, 'logs'), 'utf8')).toBe('in the way');
});

test('a program on a full disk logs, flushes and ends normally, and reports the fault once', async () => {
  mkdirSync(join(folder, 'logs'));
  symlinkSync('/dev/full', join(folder, 'logs', 'touchpoint.2026-11-22.1.log'));
  const program = `
    import { openLog } from ${JSON.stringify(join(import.meta.dirname, '../../src-main/log/log.ts'))};
    const log = await openLog(${JSON.stringify(folder)}, [], () => ${noon(22)});
    log.info('one');
    log.flush();
    await new Promise((resolve) => setImmediate(resolve));
    log.warn('two');
    log.flush();
    process.stdout.write('goes on');`;
  const args = ['--input-type=module', '-e', program];
  const ended = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  expect(ended.stdout).toBe('goes on');
  expect(ended.stderr.match(/The log cannot be written/g)).toHaveLength(1);
});
