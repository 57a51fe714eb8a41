/**
 * The app's connection to the thread that reads leads.
 *
 * Invariants:
 * - The first question starts the thread. After the thread ended, the next question starts it again.
 * - Every question is answered or fails.
 * - Changed settings are sent before the question that needs them.
 */
import { Worker } from 'node:worker_threads';
import type { Log } from '../../foundations/ports.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { Askable, Opening, Question, Reply } from './worker-calls.ts';

export type WorkerLink = {
  readonly ask: <Call extends keyof Askable>(
    call: Call,
    ...args: Parameters<Askable[Call]>
  ) => Promise<ReturnType<Askable[Call]>>;
  /** The opened database was replaced or changed as a whole: the next question opens it again. */
  readonly reopen: () => void;
  /** Whether the index is complete. */
  readonly isReady: () => boolean;
  readonly stop: () => Promise<void>;
};

export type WorkerLinkPorts = {
  readonly log: Log;
  /** Path of the thread's program. */
  readonly program: URL;
  /** The current settings. */
  readonly opening: () => Opening;
  readonly onReady: () => void;
};

type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: Error) => void };

/** A link to a thread that has not been started. */
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
      log.warn('the thread that reads leads ended; it is started again', { error: whyOf(error) });
      end(worker, new Error('the thread that reads leads ended'));
    });
    worker.on('exit', () => end(worker, new Error('the thread that reads leads ended')));
    // A stopping app does not wait for this thread.
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
