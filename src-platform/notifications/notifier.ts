/**
 * Sends notifications: finds due calls, makes them in parallel, and settles each one separately.
 *
 * Invariants
 * - A slow target does not delay other calls.
 * - Every commit that changes records triggers a check: at once for this process, within a second for other
 *   processes.
 * - A stop aborts every call in progress and releases its claim, so it is made again after the next start.
 */
import { findRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Call, Outcome } from './call.ts';
import type { Clock } from './clock.ts';
import { type Claim, claimCalls, closeDelivery, nextDue, releaseClaim } from './deliveries.ts';
import { settle } from './settle.ts';

/** Maximum number of calls in progress per process. */
const mostCalls = 1000;

/** Maximum time until another process's commit is noticed, in milliseconds. */
const lookAgain = 1000;

/** Maximum number of checks in a row. Only a fault of the database could need more. */
const mostTurns = 50;

type CallTarget = (call: Call, signal: AbortSignal) => Promise<Outcome | null>;

export type Notifier = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** Makes one claimed call and settles it. */
async function deliver(
  store: Store,
  clock: Clock,
  call: CallTarget,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const { expoId, webhookId } = claim;
  const webhook = await findRecord(store.db, 'webhook', expoId, webhookId);
  if (!webhook || webhook.deleted) return store.transaction((db) => closeDelivery(db, webhookId));
  const outcome = await call({ url: String(webhook.doc.url), expoId, webhookId }, signal);
  if (outcome === null) await releaseClaim(store, claim);
  else await settle(store, claim, outcome, clock.now());
}

/** Creates a notifier; it sends nothing before `start`. */
export function createNotifier({
  store,
  clock,
  call,
  newId,
  onDefect,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly call: CallTarget;
  readonly newId: () => string;
  /** Receives defects; they do not end delivery, because a claim expires. */
  readonly onDefect: (error: unknown) => void;
}): Notifier {
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let lookOnce = false;
  let cancelWake = (): void => undefined;
  let stopListening = (): void => undefined;

  const begin = (claim: Claim): void => {
    const work = deliver(store, clock, call, claim, ending.signal)
      .catch(onDefect)
      .then(() => {
        underWay.delete(work);
        look();
      });
    underWay.add(work);
  };

  const sleep = (ms: number): void => {
    cancelWake();
    if (!ending.signal.aborted) cancelWake = clock.after(ms, look);
  };

  const lookAround = async (): Promise<void> => {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      lookOnce = false;
      const room = mostCalls - underWay.size;
      const claims = room > 0 ? await claimCalls(store, clock.now(), room, newId) : [];
      for (const claim of claims) begin(claim);
      const due = await nextDue(store);
      const wait = due === null ? lookAgain : Math.min(due - clock.now(), lookAgain);
      if (ending.signal.aborted) return;
      // More due calls are claimed in the next iteration; if no slot is free, the next call that finishes triggers a
      // check.
      const isBehind = wait <= 0 && room > 0;
      if (lookOnce || isBehind) continue;
      sleep(wait > 0 ? wait : lookAgain);
      return;
    }
    sleep(lookAgain);
  };

  /** Checks for new records. A request during a check triggers one more check. */
  const look = (): void => {
    if (ending.signal.aborted) return;
    if (looking) {
      lookOnce = true;
      return;
    }
    looking = lookAround()
      .catch((error: unknown) => {
        onDefect(error);
        sleep(lookAgain);
      })
      .finally(() => {
        looking = null;
        if (lookOnce) look();
      });
  };

  return {
    start: () => {
      stopListening = store.onChange(look);
      look();
    },
    stop: async () => {
      stopListening();
      ending.abort();
      cancelWake();
      await looking;
      await Promise.all(underWay);
      cancelWake();
    },
  };
}
