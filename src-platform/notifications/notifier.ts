/**
 * Sends notifications: finds what is to be told, calls the targets side by side and settles each call by itself.
 *
 * Invariants
 * - A slow target delays nobody: every call is on its own, none waits for another.
 * - Every commit that changes records is looked at at once; commits of other processes at the latest a second later.
 * - A stop ends every call that is under way and gives its claim back, so it is made again after the next start.
 */
import { findRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { Call, Outcome } from './call.ts';
import type { Clock } from './clock.ts';
import { type Claim, claimCalls, closeDelivery, nextDue, releaseClaim } from './deliveries.ts';
import { settle } from './settle.ts';

/** Calls under way in one process. */
const mostCalls = 1000;

/** How long another process's commit may go unnoticed, in milliseconds. */
const lookAgain = 1000;

/** Looks in a row without a pause; only a fault of the database could want more. */
const mostTurns = 50;

export type NotifierPorts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly call: (call: Call, signal: AbortSignal) => Promise<Outcome | null>;
  readonly newId: () => string;
  /** Hears of defects; they end no delivery, since a claim comes free again by itself. */
  readonly onDefect: (error: unknown) => void;
};

export type Notifier = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

/** Makes one claimed call and settles it. */
async function deliver(
  { store, clock, call }: NotifierPorts,
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

/** Makes a notifier; it sends nothing before `start`. */
export function createNotifier(ports: NotifierPorts): Notifier {
  const { store, clock, newId, onDefect } = ports;
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let lookOnce = false;
  let cancelWake = (): void => undefined;
  let stopListening = (): void => undefined;

  const begin = (claim: Claim): void => {
    const work = deliver(ports, claim, ending.signal)
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
      // What is due now is claimed in another turn; without room the next call that ends looks again.
      const isBehind = wait <= 0 && room > 0;
      if (lookOnce || isBehind) continue;
      sleep(wait > 0 ? wait : lookAgain);
      return;
    }
    sleep(lookAgain);
  };

  /** Looks whether there is something to tell; asked again while looking, it looks once more. */
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
