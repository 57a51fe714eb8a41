/**
 * The app's end of the thread that reads leads.
 *
 * Invariants: the thread is started by the first question and again after it ended; a question is answered or fails,
 * never forgotten; what the answers depend on is told before the question that needs it.
 */
import { Worker } from 'node:worker_threads';
import type { Log } from '../../foundations/ports.ts';
import type { Askable, Opening, Question, Reply } from './worker-calls.ts';

export type WorkerLink = {
  readonly ask: <Call extends keyof Askable>(
    call: Call,
    ...args: Parameters<Askable[Call]>
  ) => Promise<ReturnType<Askable[Call]>>;
  /** What was opened lies there no longer, or was changed as a whole: the next question begins anew. */
  readonly reopen: () => void;
  /** Whether the index is read. */
  readonly isReady: () => boolean;
  readonly stop: () => Promise<void>;
};

export type WorkerLinkPorts = {
  readonly log: Log;
  /** Where the thread's program is. */
  readonly program: URL;
  /** What the answers depend on now. */
  readonly opening: () => Opening;
  readonly onReady: () => void;
};

type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: Error) => void };

/** A link to a thread that is not started yet. */
export function createWorkerLink({ log, program, opening, onReady }: WorkerLinkPorts): WorkerLink {
  const waiting = new Map<number, Waiting>();
  let running: { readonly worker: Worker; told: string } | null = null;
  let asked = 0;
  let ready = false;

  const end = (worker: Worker, reason: Error): void => {
    if (running?.worker !== worker) return;
    running = null;
    ready = false;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  const hear = (reply: Reply): void => {
    if (reply.kind === 'ready') {
      ready = true;
      onReady();
      return;
    }
    const asker = waiting.get(reply.number);
    waiting.delete(reply.number);
    if (reply.kind === 'answer') asker?.resolve(reply.result as never);
    else asker?.reject(new Error(reply.message));
  };
  const start = (): NonNullable<typeof running> => {
    const worker = new Worker(program);
    worker.on('message', hear);
    worker.on('error', (error) => {
      log.warn('the thread that reads leads ended; it is started again', {
        error: error instanceof Error ? error.message : 'unknown',
      });
      end(worker, new Error('the thread that reads leads ended'));
    });
    worker.on('exit', () => end(worker, new Error('the thread that reads leads ended')));
    // It holds nothing that a stopped app would wait for.
    worker.unref();
    return { worker, told: '' };
  };
  const post = (to: Worker, question: Question): void => to.postMessage(question);

  return {
    ask: (call, ...args) =>
      new Promise((resolve, reject) => {
        running ??= start();
        const now = opening();
        const told = JSON.stringify(now);
        if (running.told !== told) {
          ready = false;
          running.told = told;
          post(running.worker, { kind: 'open', opening: now });
        }
        asked += 1;
        waiting.set(asked, { resolve, reject });
        post(running.worker, { kind: 'ask', number: asked, call, args });
      }),
    reopen: () => {
      if (running !== null) running.told = '';
    },
    isReady: () => ready,
    stop: async () => {
      const worker = running?.worker;
      if (worker === undefined) return;
      end(worker, new Error('the app is being stopped'));
      await worker.terminate();
    },
  };
}
