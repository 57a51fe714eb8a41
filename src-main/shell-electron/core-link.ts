/**
 * Supervises the core's process and answers its requests to the shell.
 *
 * ```
 *   started ─► ready ─► down ─► restarted (three times a minute; the next restart waits until the minute is over)
 *      └─► refused at the first start: the sentence is printed and the app ends
 * ```
 *
 * Invariants:
 * - one core at a time;
 * - every process that the core started ends with it;
 * - the end of the core is reported before the restart.
 */
import type { Clock } from '../core/foundations/ports.ts';
import type { FromCore, ToCore } from './core-messages.ts';
import type { HelperProcess } from './helper-process.ts';
import type { KeychainAnswer } from './keychain/keychain-messages.ts';
import { createRestartBudget } from './policies/restart-budget.ts';

type Spawn = Extract<FromCore, { readonly kind: 'spawn' }>;

/** The shell's reactions to its core. */
export type CoreEvents = {
  readonly ready: (lines: readonly string[]) => void;
  /** The core refuses to start. `again`: it has run before, and this is a restart. */
  readonly refused: (sentence: string, again: boolean) => void;
  /** The core ended, but not by `stop`. `waitMs`: time until the restart; 0: at once. */
  readonly down: (how: string, waitMs: number) => void;
  /** Any other message. */
  readonly said: (
    message: Extract<FromCore, { readonly kind: 'display' | 'pages-anew' | 'page-said' | 'update-said' }>,
  ) => void;
};

export type CoreLink = {
  readonly isReady: () => boolean;
  readonly send: (message: ToCore) => void;
  /** Keeps the core running until `stop`. */
  readonly run: () => Promise<void>;
  /** Asks the core to shut down; `force` kills it. */
  readonly stop: (force: boolean) => void;
};

/** Creates the link; `run` starts the core. */
export function createCoreLink({
  clock,
  fork,
  forkChild,
  askKeychain,
  begin,
  events,
}: {
  readonly clock: Clock;
  readonly fork: () => HelperProcess;
  readonly forkChild: (spawn: Spawn) => HelperProcess;
  /** Answers a question to the keychain; `answer` goes only to the core that asked. */
  readonly askKeychain: (ask: unknown, answer: (answer: KeychainAnswer) => void) => void;
  readonly begin: Extract<ToCore, { readonly kind: 'start' }>;
  readonly events: CoreEvents;
}): CoreLink {
  const stopped = new AbortController();
  const budget = createRestartBudget(clock.monotonic);
  const { children, spawn, endAll } = createChildren(forkChild);
  let core: HelperProcess | null = null;
  let ready = false;
  let wasReady = false;

  const receive = (message: FromCore, asker: HelperProcess) => {
    switch (message.kind) {
      case 'keychain':
        return askKeychain(message.ask, (answer) => asker.send({ kind: 'keychain-said', answer }));
      case 'spawn':
        return spawn(message, core);
      case 'child-said':
        return children.get(message.child)?.send(message.message);
      case 'child-end':
        return children.get(message.child)?.end(message.force);
      case 'refused':
        if (!wasReady) stopped.abort();
        // The core ends first, because the dialog with the sentence blocks this process.
        core?.end(true);
        return events.refused(message.sentence, wasReady);
      case 'ready':
        ready = true;
        wasReady = true;
        return events.ready(message.lines);
      default:
        events.said(message);
    }
  };

  const runOnce = async (): Promise<string> => {
    const running = fork();
    core = running;
    running.onMessage((message) => {
      if (core === running) receive(message as FromCore, running);
    });
    const ended = new Promise<string>((resolve) => running.onExit(resolve));
    running.send(begin);
    const how = await ended;
    core = null;
    ready = false;
    endAll();
    return how;
  };

  return {
    isReady: () => ready,
    send: (message) => core?.send(message),
    run: async () => {
      while (!stopped.signal.aborted) {
        const how = await runOnce();
        if (stopped.signal.aborted) return;
        const waitMs = budget.spend() ? 0 : budget.waitMs();
        events.down(how, waitMs);
        if (waitMs > 0) {
          await clock.sleep(waitMs, stopped.signal);
          budget.spend();
        }
      }
    },
    stop: (force) => {
      stopped.abort();
      if (force || core === null) core?.end(true);
      else core.send({ kind: 'stop' });
    },
  };
}

/** The processes that a core started. Each one sends messages only to the core that started it. */
function createChildren(forkChild: (spawn: Spawn) => HelperProcess) {
  const children = new Map<number, HelperProcess>();
  const spawn = (message: Spawn, asker: HelperProcess | null) => {
    const child = forkChild(message);
    const id = message.child;
    const forward = (event: ToCore) => {
      if (children.get(id) === child) asker?.send(event);
    };
    children.set(id, child);
    child.onMessage((said) => forward({ kind: 'child-said', child: id, message: said }));
    child.onLine((line) => forward({ kind: 'child-line', child: id, line }));
    child.onExit((how) => {
      forward({ kind: 'child-ended', child: id, how });
      if (children.get(id) === child) children.delete(id);
    });
  };
  const endAll = () => {
    for (const child of children.values()) child.end(true);
    children.clear();
  };
  return { children, spawn, endAll };
}
