/** The real app, started as `npm start` starts it, in its own folder. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The program that `npm start` runs. */
export const entry = join(import.meta.dirname, '..', '..', 'src-main', 'launch', 'main.ts');

/** A start of the app. `lines`: its stdout so far. */
export type RunningApp = {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly errors: () => string;
  /** Waits for a matching line of stdout. Rejects if the app ends first. */
  readonly line: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits for the end; returns the exit code or the name of the signal. */
  readonly ended: Promise<number | string>;
};

/** Starts the app with these options, without reader and window. */
export function startApp(
  folder: string,
  options: readonly string[] = [],
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): RunningApp {
  const args = [entry, '--data', folder, '--reader', 'none', '--no-open', '--shell', 'browser', ...options];
  return watch(spawn(process.execPath, args, { stdio }));
}

/** Observes a child process that prints the app's lines. */
export function watch(child: ChildProcess): RunningApp {
  const lines: string[] = [];
  let text = '';
  let errors = '';
  const changed = new EventTarget();
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    lines.push(...text.split('\n').slice(0, -1));
    text = text.slice(text.lastIndexOf('\n') + 1);
    changed.dispatchEvent(new Event('line'));
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        for (const candidate of lines) {
          const found = pattern.exec(candidate);
          if (found !== null) resolve(found);
        }
      };
      changed.addEventListener('line', look);
      void ended.then((code) => reject(new Error(`The app ended with ${code}: ${errors}`)));
      look();
    });
  return { child, lines, errors: () => errors, line, ended };
}

/** Processes whose command line contains this text (proc(5)). */
export function processesNaming(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => commandLine(name).includes(text))
    .map(Number);
}

/** Empty for a process that has just ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
