/** Electron's utility processes on top of `child_process.fork`: `process.parentPort`, exit codes, output. */
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ForkOptions } from 'electron';
import type { ElectronApi } from '../../../src-main/shell-electron/electron-api.ts';

const shim = pathToFileURL(join(import.meta.dirname, 'parent-port.mjs')).href;

export class FakeUtility extends EventEmitter {
  readonly name: string;
  readonly #child: ChildProcess;

  constructor(entry: string, args: readonly string[], { serviceName = '', stdio }: ForkOptions) {
    super();
    this.name = serviceName;
    const [, stdout = 'inherit', stderr = 'inherit'] = Array.isArray(stdio) ? stdio : [];
    this.#child = fork(entry, [...args], {
      execArgv: ['--import', shim],
      stdio: ['ignore', stdout, stderr, 'ipc'],
      serialization: 'advanced',
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => this.emit('exit', code ?? 9));
  }

  get pid() {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  get stdout() {
    return this.#child.stdout;
  }

  postMessage(message: unknown) {
    if (this.#child.connected) this.#child.send(message as object, () => undefined);
  }

  /** A fatal error of V8 as Electron emits it: the event with a report of the process, then the exit. */
  runOutOfMemory() {
    try {
      this.emit(
        'error',
        'FatalError',
        'v8::ToLocalChecked',
        '{"environmentVariables":{"TOUCHPOINT_KEY":"secret"}}',
      );
    } finally {
      this.#child.kill('SIGKILL');
    }
  }

  kill() {
    return this.#child.kill('SIGTERM');
  }
}

/** `running`: the processes that were started and have not ended. */
export function fakeUtilityProcesses(isReady: () => boolean) {
  const running = new Set<FakeUtility>();
  const fork: ElectronApi['utilityProcess']['fork'] = (entry, args, options) => {
    if (!isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    const child = new FakeUtility(entry, args, options);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  return { fork, running };
}
