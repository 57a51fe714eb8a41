/**
 * The platform service as a child process of plain Node.
 *
 * Invariants: a process group of its own, so a Ctrl-C in the terminal ends it through us and in order; it watches its
 * line to us and ends itself when that breaks, however we ended.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { PlatformProcess } from './demo-platform.ts';

const endWithParent = new URL('../../setup/end-with-parent.mjs', import.meta.url).href;

/** Starts the platform whose program is `entry`. */
export function spawnPlatformChild(entry: string, args: readonly string[]): PlatformProcess {
  const child = spawn(process.execPath, ['--import', endWithParent, entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-500);
  });
  return {
    onLine: (hear) => {
      if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', hear);
    },
    onExit: (hear) => {
      child.once('error', (error) => hear(error.message));
      child.once('close', (code, signal) => hear(lastWords.trim() || `it ended with ${signal ?? code}`));
    },
    end: (force) => void child.kill(force ? 'SIGKILL' : 'SIGTERM'),
  };
}
