/**
 * Starts the platform service as a child process on plain Node.js.
 *
 * Invariants:
 * - except on Windows, the child has its own process group: Ctrl-C reaches only this process, which shuts down the
 *   child;
 * - the child ends by itself when its IPC channel to this process closes.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../machine/child-environment.ts';
import type { PlatformProcess } from './demo-platform.ts';

const endWithParent = new URL('../../setup/end-with-parent.mjs', import.meta.url).href;

/** Starts the platform whose program is `entry`. */
export function spawnPlatformChild(entry: string, args: readonly string[]): PlatformProcess {
  const child = spawn(process.execPath, ['--import', endWithParent, entry, ...args], {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  let lastOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-500);
  });
  return {
    onLine: (listener) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', listener);
    },
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('close', (code, signal) => listener(lastOutput.trim() || `it ended with ${signal ?? code}`));
    },
    end: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  };
}
