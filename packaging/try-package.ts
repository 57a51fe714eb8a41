/**
 * `node packaging/try-package.ts PROGRAM [ARGUMENT ...]`: starts an installed Touchpoint with the demo event
 * on an empty folder, waits until it is ready, and taps a badge with the command in `TOUCHPOINT_TRY_TAP`, if
 * set. In it, `DATA` stands for the folder.
 *
 * Invariants:
 * - every process that it starts is ended;
 * - exit codes: 0 when the app was ready and the tap was captured, 1 otherwise.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 180_000;

async function tryPackage([program = '', ...more]: readonly string[]): Promise<number> {
  const tap = process.env.TOUCHPOINT_TRY_TAP ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-try-'));
  const reader = tap === '' ? 'none' : 'pcsc';
  const child = spawn(program, [...more, '--demo', '--data', folder, '--reader', reader], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout });
    const ready = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        process.stdout.write(`${line}\n`);
        if (line.startsWith('Touchpoint is ready')) resolve('ready');
      });
      child.on('error', (error) => resolve(String(error)));
      child.on('exit', (code, signal) => resolve(`exited with ${code ?? signal}`));
    });
    const late = sleep(READY_WITHIN_MS, 'not ready in time', { ref: false });
    const found = await Promise.race([ready, late]);
    if (found !== 'ready') return said(`${program}: ${found}`, 1);
    if (tap === '') return said(`${program}: ready`, 0);
    const command = tap.replaceAll('DATA', folder);
    const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
    return said(`${program}: ready; the tap ended with ${status}`, status === 0 ? 0 : 1);
  } finally {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function said(sentence: string, code: number): number {
  process.stdout.write(`${sentence}\n`);
  return code;
}

process.exitCode = await tryPackage(process.argv.slice(2));
