/**
 * Confirms deliveries. Uncertain items are read back before they are sent again. Sent items are read back until they
 * are found; items that leave no action are queried by id.
 *
 * Invariants:
 * - An uncertain item is retried only after a read-back did not find it (docs/laws.md#law-3). A failed read-back
 *   proves nothing.
 * - While it is unknown whether a platform honours ids, a first query by id has one item. A platform that ignores ids
 *   gets no such query unless it has lost actions. There the answer to the send confirms the items that it names.
 * - A possible duplicate is marked before it is sent.
 * - An item at a hub is confirmed by a receipt that the platform has it, never because the hub has it.
 * - A read-back that runs while batches are sent only confirms what it finds. It takes the key's second slot
 *   (docs/laws.md#law-5).
 * - A long read-back of sent items ends after a page when an item is due, so that it does not delay a send. The next one
 *   continues.
 * - No transaction is open across an await (docs/laws.md#law-11).
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { ItemResult } from '../../foundations/api/write-extension.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { FactKind } from '../../journal/facts/fact.ts';
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { DeliveryStore, Later } from './delivery-store.ts';
import type { Hub } from './hub.ts';
import { createIdKnowledge } from './id-knowledge.ts';
import { postItems } from './post-items.ts';
import { type Look, READ_BACK_LIMIT, readBack, type Seen } from './read-back.ts';
import { BATCH_LIMIT } from './wire.ts';

export type ConfirmerPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly store: DeliveryStore;
  readonly clock: Clock;
  /** The hub. Absent if there is none. */
  readonly hub?: Pick<Hub, 'isThere' | 'followSent'>;
};

export type Confirmer = {
  /** Settles uncertain items by a read-back. Returns false when there were none. @throws ApiError */
  readonly resolveUncertain: (signal: AbortSignal) => Promise<boolean>;
  /** Reads sent items back. Returns how many were confirmed, null when there were no sent items. @throws ApiError */
  readonly confirmSent: (signal: AbortSignal) => Promise<number | null>;
  /** Reads items back while a backlog is being sent. */
  readonly besideSending: (signal: AbortSignal) => ReadBackBeside;
};

export type ReadBackBeside = {
  /** Call it with the number of items that an answer named. Enough of them start a read-back. */
  readonly noteSent: (items: number) => void;
  /** Resolves when no read-back runs. Never rejects. */
  readonly ended: () => Promise<void>;
};

/** Searches the actions for items and confirms those it finds. */
function createLook({ client, expoId, store, clock }: ConfirmerPorts) {
  return async (
    items: readonly OutboxItem[],
    mayStop: () => Later<boolean>,
    signal: AbortSignal,
  ): Promise<Look & { readonly confirmed: number }> => {
    const starts = items.map((item) => item.revision ?? item.sinceRevision ?? 0n);
    const from = starts.reduce((low, start) => (start < low ? start : low), starts[0] ?? 0n);
    const wanted = items.map(({ id, wire, wireIsSound, kind }) => ({
      id,
      wire: wireIsSound && leavesAction(kind) ? wire : null,
    }));
    const partner = commonPartner(items);
    let confirmed = 0;
    const confirm = async (seen: readonly Seen[]): Promise<void> => {
      confirmed += await store.confirm(seen, clock.now());
    };
    const looked = await readBack(client, expoId, wanted, from, partner, confirm, mayStop, signal);
    return { ...looked, confirmed };
  };
}

/**
 * Read-backs beside a series of batches, one at a time. A fault ends them, because the read-back after the series
 * handles it.
 */
function readBackBeside(ports: ConfirmerPorts, signal: AbortSignal): ReadBackBeside {
  const { client, store, hub } = ports;
  const { getBeside } = client;
  let reading: Promise<void> | null = null;
  let isOver = getBeside === undefined || hub?.isThere() === true;
  let unread = 0;
  let lastRead = 0;
  const look = createLook({ ...ports, client: { ...client, get: getBeside ?? client.get } });
  const read = async (): Promise<void> => {
    const items = await store.items('sent', READ_BACK_LIMIT, lastRead);
    lastRead = items.at(-1)?.seq ?? lastRead;
    const shown = items.filter(({ kind }) => leavesAction(kind));
    if (shown.length > 0) await look(shown, () => false, signal);
  };
  return {
    noteSent: (items) => {
      unread += items;
      // The batch that was just answered is not settled yet.
      if (isOver || reading !== null || unread < READ_BACK_LIMIT + BATCH_LIMIT) return;
      unread -= READ_BACK_LIMIT;
      reading = read()
        .catch(() => {
          isOver = true;
        })
        .finally(() => {
          reading = null;
        });
    },
    ended: async () => {
      await reading;
    },
  };
}

/** The confirmer of one store of facts. */
export function createConfirmer(ports: ConfirmerPorts): Confirmer {
  const { store, clock, hub } = ports;
  const ids = createIdKnowledge(store.settings);
  const look = createLook(ports);

  /** Queries items by id, and learns from the answers whether ids are honoured. Returns how many were confirmed. */
  const confirmByAsking = async (items: readonly OutboxItem[], signal: AbortSignal): Promise<number> => {
    if (items.length === 0) return 0;
    if (!ids.areHonoured()) await store.noteRepeated(items.map((item) => item.seq));
    const known = await askAgain(ports, items, signal);
    ids.learn(known, items);
    return store.confirm(
      known.filter((result) => result.result !== 'rejected'),
      clock.now(),
    );
  };

  /**
   * Confirms items by the answers to their sends, at a platform that ignores ids. Returns how many. An item that is
   * looked up a second time is sent again instead, if the platform lost an action or went back to an older state.
   *
   * @param tells whether an item that was not found does not exist at the platform; if not, only an older state shows
   * a loss
   */
  const confirmByName = async (
    unseen: readonly OutboxItem[],
    tells: boolean,
    signal: AbortSignal,
  ): Promise<number> => {
    if (tells) for (const item of unseen) if (await isLost(store, item)) ids.noteSetBack(true);
    const anew = unseen.filter((item) => item.isLookedForAnew);
    if (anew.length === 0) ids.noteSetBack(false);
    const again = ids.wasSetBack() ? anew : anew.filter((item) => item.platformWentBack);
    const answered = byName(unseen.filter((item) => !again.includes(item)));
    const named = await store.confirm(answered, clock.now());
    return named + (await confirmByAsking(again.slice(0, BATCH_LIMIT), signal));
  };

  /** Queries items by their ids. While it is unknown whether the platform honours ids, one item is sent first. */
  const confirmById = async (items: readonly OutboxItem[], signal: AbortSignal): Promise<number> => {
    const first = ids.areHonoured() ? items : items.slice(0, 1);
    const confirmed = await confirmByAsking(first, signal);
    return ids.areIgnored()
      ? confirmed
      : confirmed + (await confirmByAsking(items.slice(first.length), signal));
  };

  return {
    resolveUncertain: async (signal) => {
      const items = await store.items('uncertain', READ_BACK_LIMIT);
      if (items.length === 0) return false;
      const { found, tells } = await look(items, () => false, signal);
      const unseen = items.filter((item) => !found.has(item.id));
      const doubtful = unseen.filter(({ kind }) => !(tells && leavesAction(kind)));
      // A hub identifies a fact by its id and stores it only once.
      if (hub?.isThere() !== true) await store.noteRepeated(doubtful.map((item) => item.seq));
      await store.requeueUnseen(
        unseen.map((item) => item.seq),
        clock.now(),
      );
      return true;
    },
    confirmSent: async (signal) => {
      if (hub?.isThere() === true) return hub.followSent(signal);
      const items = await store.items('sent', READ_BACK_LIMIT);
      if (items.length === 0) {
        ids.noteSetBack(false);
        return null;
      }
      const isDue = async (): Promise<boolean> => (await store.items('due', 1)).length > 0;
      const { found, confirmed: seen, tells, isWhole } = await look(items, isDue, signal);
      if (!isWhole) return seen;
      const unseen = items.filter((item) => !found.has(item.id) && item.wireIsSound);
      if (unseen.length === 0) return seen;
      if (ids.areIgnored()) return seen + (await confirmByName(unseen, tells, signal));
      return seen + (await confirmById(unseen.slice(0, BATCH_LIMIT), signal));
    },
    besideSending: (signal) => readBackBeside(ports, signal),
  };
}

/** Whether an item that was not found again had an action and was not undone. Then the platform was reset. */
async function isLost(store: DeliveryStore, { kind, isLookedForAnew, seq }: OutboxItem): Promise<boolean> {
  return leavesAction(kind) && isLookedForAnew && !(await store.isUndone(seq));
}

/** The platform's answer on items that it accepted before. @throws ApiError */
async function askAgain(
  { client, expoId }: ConfirmerPorts,
  items: readonly OutboxItem[],
  signal: AbortSignal,
): Promise<readonly ItemResult[]> {
  try {
    const wires = items.map(({ id, wire }) => ({ id, wire: wire ?? '' }));
    return [...(await postItems(client, expoId, wires, signal)).values()];
  } catch (error) {
    if (error instanceof ApiError && error.errorClass.kind === 'reject') return [];
    throw error;
  }
}

/**
 * The partner of all sent items, to narrow the read-back to its actions. Null when they differ. The device may have
 * had another partner, or none, at the time.
 */
function commonPartner(items: readonly OutboxItem[]): string | null {
  const [first = null, ...others] = new Set(items.map(({ wire }) => partnerIn(wire)));
  return others.length === 0 ? first : null;
}

function partnerIn(wire: string | null): string | null {
  if (wire === null) return null;
  const { partnerID } = JSON.parse(wire) as { readonly partnerID?: unknown };
  return typeof partnerID === 'string' ? partnerID : null;
}

/** Kinds that leave an action (docs/interface/undocumented.md#writing-interactions). */
function leavesAction(kind: FactKind): boolean {
  return kind === 'tap' || kind === 'collect' || kind === 'checkin';
}

/** The items whose own answers confirmed them. */
function byName(items: readonly OutboxItem[]): Parameters<DeliveryStore['confirm']>[0] {
  return items.map(({ id, revision }) => ({ id, action: null, revision }));
}
