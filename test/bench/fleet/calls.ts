/**
 * Calls from the bench to a separate process, and their answers.
 *
 * Invariants:
 * - A process answers each call once, with a result or a failure.
 * - A process ends with the bench.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import kioskFlags from '../../../setup/kiosk-flags.json' with { type: 'json' };

/** The calls of a process; task and answer must fit in JSON. */
export type Calls = Readonly<Record<string, (task: never) => Promise<unknown>>>;

type Asked = { readonly number: number; readonly name: string; readonly task: unknown };
type Answered = { readonly number: number; readonly found?: unknown; readonly fault?: string };

/** A process that answers calls. */
export type Callee<Asks extends Calls> = {
  readonly ask: <Name extends keyof Asks & string>(
    name: Name,
    ...task: Parameters<Asks[Name]>
  ) => Promise<Awaited<ReturnType<Asks[Name]>>>;
  readonly pid: number;
  readonly stop: () => Promise<void>;
};

/** In the child process: answers calls from now on. */
export const answerCalls = (calls: Calls): void => {
  // The open channel also keeps the process alive.
  process.channel?.ref();
  process.on('message', ({ number, name, task }: Asked) => {
    const answer = (told: Omit<Answered, 'number'>): void => void process.send?.({ number, ...told });
    const asked = calls[name];
    if (asked === undefined) answer({ fault: `There is no ${name}` });
    else
      asked(task as never).then(
        (found) => answer({ found }),
        (error: unknown) =>
          answer({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
};

const endWithParent = pathToFileURL(join(import.meta.dirname, '../../../setup/end-with-parent.mjs')).href;

/** Starts the process of `file`, like `npm start` starts a device. */
export const startCallee = <Asks extends Calls>(file: string): Callee<Asks> => {
  const child = spawn(process.execPath, ['--import', endWithParent, ...kioskFlags, file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, { resolve: (found: never) => void; reject: (error: Error) => void }>();
  let asked = 0;
  child.on('message', ({ number, found, fault }: Answered) => {
    const { resolve, reject } = waiting.get(number) ?? {};
    waiting.delete(number);
    if (fault === undefined) resolve?.(found as never);
    else reject?.(new Error(fault));
  });
  const ended = once(child, 'exit').then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`The process ended (${code})`));
  });
  return {
    pid: child.pid ?? 0,
    ask: (name, ...[task]) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        child.send({ number: asked, name, task });
      }),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
};
