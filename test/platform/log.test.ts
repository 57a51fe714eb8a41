/**
 * The log never stops the service, neither on a full disk nor without its folder, and it does not grow without limit.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFile } from '../../src-platform/log.ts';
import { notRunUnless } from '../not-run.ts';
import { startChild } from './child.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a log file', () => {
  it('is renamed when it is full, and five old ones are kept', () => {
    const path = join(folder, 'logs', 'platform.log');
    const log = createLogFile(path, () => undefined, 100);
    for (let number = 0; number < 50; number += 1) log.write(`line ${number} ${'x'.repeat(40)}\n`);
    expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
      'platform.log',
      ...[1, 2, 3, 4, 5].map((number) => `platform.log.${number}`),
    ]);
    expect(readFileSync(path, 'utf8')).toContain('line 49 ');
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('line 47 ');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is continued after an earlier run', () => {
    const path = join(folder, 'platform.log');
    writeFileSync(path, 'before\n');
    createLogFile(path, () => undefined).write('after\n');
    expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
  });

  it('reports once that it cannot be written, and is written again when possible', () => {
    writeFileSync(join(folder, 'logs'), 'in the way');
    const path = join(folder, 'logs', 'platform.log');
    const complaints: string[] = [];
    const log = createLogFile(path, (reason) => void complaints.push(reason));
    log.write('lost\n');
    log.write('lost\n');
    expect(complaints).toEqual(['EEXIST']);
    rmSync(join(folder, 'logs'));
    log.write('kept\n');
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
  });
});

const fullDevice = '/dev/full';
const fullTest = notRunUnless(existsSync(fullDevice), 'there is no device that is always full');

fullTest('the platform serves and stops with a log on a full disk', async () => {
  const child = startChild(
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--seed',
    'demo',
    '--log',
    fullDevice,
  );
  const address = /http:\S+/.exec(await child.firstLine)?.[0] ?? '';
  for (let number = 0; number < 20; number += 1) {
    expect((await fetch(`${address}/expos`)).status).toBe(401);
  }
  child.process.kill('SIGTERM');
  const { code, err } = await child.finished;
  expect(code).toBe(0);
  expect(err.trim().split('\n')).toEqual([expect.stringContaining('ENOSPC')]);
});

it('the platform continues when nothing reads its standard error', async () => {
  const child = startChild('--port', '0', '--data', join(folder, 'data'), '--seed', 'demo');
  const address = /http:\S+/.exec(await child.firstLine)?.[0] ?? '';
  child.process.stderr?.destroy();
  for (let number = 0; number < 20; number += 1) {
    expect((await fetch(`${address}/expos`)).status).toBe(401);
  }
  child.process.kill('SIGTERM');
  expect((await child.finished).code).toBe(0);
});
