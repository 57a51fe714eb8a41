/**
 * Our helper processes as Electron's utility processes: the packaged app has no Node.js of its own to fork.
 *
 * Invariant: they end with the app, whichever way it ends (Chromium sees to it).
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type UtilityProcess, utilityProcess } from 'electron';
import type { PlatformProcess } from '../demo-platform/demo-platform.ts';
import type { ReaderProcess } from '../devices/supervisor/reader-run.ts';

/** Starts the reader process from its bundle. */
export function forkReader(entry: string): ReaderProcess {
  const child = utilityProcess.fork(entry, [], { serviceName: 'badge reader', stdio: 'ignore' });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (hear) => void child.on('message', hear),
    onExit: (hear) => void child.once('exit', (code) => hear(`code ${code}`)),
    kill: () => void endNow(child),
  };
}

/** Starts the platform service from its bundle. */
export function forkPlatform(entry: string, args: readonly string[]): PlatformProcess {
  const child = utilityProcess.fork(entry, [...args], {
    serviceName: 'demo platform',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return {
    onLine: (hear) => {
      if (child.stdout !== null) createInterface({ input: Readable.from(child.stdout) }).on('line', hear);
    },
    onExit: (hear) => void child.once('exit', (code) => hear(`it ended with ${code}`)),
    end: (force) => {
      if (force) endNow(child);
      else child.kill();
    },
  };
}

/** `kill` of a utility process only asks (SIGTERM); a process that hangs in native code does not hear that. */
function endNow(child: UtilityProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
