/**
 * A start with the Electron shell from a source tree: bundles what Electron loads, then runs Electron and waits.
 *
 * Invariants: Electron reads the same command line; our helpers run on the Node.js that runs this, not in Electron, because
 * it runs TypeScript as it stands; signals reach Electron; its exit code is ours.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the app in Electron to its end; gives the exit code. */
export async function startElectron(binary: string, args: readonly string[]): Promise<number> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const bundled = await toEnd(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn']);
  return bundled === 0 ? toEnd(binary, [root, ...args]) : bundled;
}

function toEnd(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TOUCHPOINT_NODE: process.execPath },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(code ?? 1);
    });
  });
}
