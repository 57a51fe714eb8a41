/**
 * `npm start`: reads the command line, chooses a shell and runs it.
 *
 * Invariants:
 * - a refused start prints one sentence and ends with code 2;
 * - help and refusals are quick: the parts of a shell are loaded only when that shell runs.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartRefusal } from '../core/foundations/refusal.ts';
import { helpText, parseOptions } from './options.ts';
import { DEFECT_CODE, endRefused } from './refused.ts';
import { chooseShell, thisMachine } from './shell-choice.ts';

async function main(args: readonly string[]): Promise<void> {
  const parsed = parseOptions(args, process.env);
  if (parsed.kind === 'help') {
    process.stdout.write(helpText);
    return;
  }
  if (parsed.kind === 'wrong') throw new StartRefusal('options', parsed.sentence);
  const choice = await chooseShell(parsed.options.shell, thisMachine);
  if (choice.kind === 'refused') throw new StartRefusal('options', choice.sentence);
  if (choice.kind === 'electron') {
    process.exitCode = await runElectron(choice.binary, args);
    return;
  }
  const { runBrowserShell } = await import('./browser-start.ts');
  const { sourceTree } = await import('./tree.ts');
  await runBrowserShell(parsed.options, sourceTree());
  if (choice.reason !== null) process.stderr.write(`${choice.reason}\n`);
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundles what Electron loads, then runs Electron until it ends. Returns the exit code of Electron or a failed build.
 * Electron gets the same command line and receives our signals. Helper processes run on this Node.js, which runs
 * TypeScript, and not in Electron.
 */
async function runElectron(binary: string, args: readonly string[]): Promise<number> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const bundled = await runToEnd(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn']);
  return bundled === 0 ? runToEnd(binary, [root, ...args]) : bundled;
}

function runToEnd(command: string, args: readonly string[]): Promise<number> {
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
    child.once('exit', (code, signal) => {
      for (const signal of signals) process.off(signal, forward);
      // If none of our signals ended Electron, it crashed.
      resolve(code ?? (signals.some((name) => name === signal) ? 1 : DEFECT_CODE));
    });
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  endRefused(error);
}
