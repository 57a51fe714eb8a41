/** A program that was started with a channel to its parent exits with the parent, even while it is busy. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const preload = pathToFileURL(join(import.meta.dirname, '..', '..', 'setup', 'end-with-parent.mjs')).href;

/**
 * A parent that starts a child with the preload, prints the child's process id, and runs until it is killed.
 */
async function parentOf(child: string) {
  const program = `
    import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['--import', ${JSON.stringify(preload)}, '--input-type=module', '-e', ${JSON.stringify(child)}],
      { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.once('message', () => process.stdout.write(String(child.pid)));
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(parent.stdout, 'data');
  return { parent, pid: Number(String(pid)) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([
  ['without a signal handler', ''],
  ['that exits on SIGTERM', "process.on('SIGTERM', () => process.exit(0));"],
  ['that does not exit on SIGTERM', "process.on('SIGTERM', () => setInterval(() => undefined, 1000));"],
  [
    'that hangs in its SIGTERM handler',
    "process.on('SIGTERM', () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100); });",
  ],
])('When the parent is killed, a child %s exits', async (_, onSignal) => {
  const child = `${onSignal} setInterval(() => undefined, 1000); process.send('up');`;
  const { parent, pid } = await parentOf(child);
  parent.kill('SIGKILL');
  try {
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});
