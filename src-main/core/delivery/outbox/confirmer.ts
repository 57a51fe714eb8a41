/**
 * Proof of delivery: what may have arrived is looked for before it is sent again, what was sent is looked for until it
 * is seen, or asked about by its id where it leaves no action.
 *
 * Invariants: a doubtful item is due again only after a look that did not find it (docs/laws.md#law-3); a refusal of
 * the question proves nothing, in either direction; a platform is asked by id about one item before others until it has
 * shown that it honours ids, and about none once it has shown that it does not, unless it has lost actions it had: what
 * it answered by name is confirmed then; what may be there twice is noted before it goes; what a hub in the hall took is
 * confirmed by its receipt for what the platform has, never because the hub has it; no transaction across an await (docs/laws.md#law-11).
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { ItemResult } from '../../foundations/api/write-extension.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { FactKind } from '../../journal/facts/fact.ts';
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { DeliveryStore } from './delivery-store.ts';
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
  /** The hub in the hall, where there may be one. */
  readonly hub?: Pick<Hub, 'isThere' | 'followSent'>;
};

export type Confirmer = {
  /** Settles uncertain items by looking; false when there were none. @throws ApiError */
  readonly resolveUncertain: (signal: AbortSignal) => Promise<boolean>;
  /** Looks for what was sent; returns how many were confirmed, null when nothing was sent. @throws ApiError */
  readonly confirmSent: (signal: AbortSignal) => Promise<number | null>;
};

/** Looks for items among the actions and confirms those that are there. */
function createLook({ client, expoId, store, clock }: ConfirmerPorts) {
  return async (
    items: readonly OutboxItem[],
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
    const looked = await readBack(client, expoId, wanted, from, partner, confirm, signal);
    return { ...looked, confirmed };
  };
}

/** The confirmer of one store of facts. */
export function createConfirmer(ports: ConfirmerPorts): Confirmer {
  const { store, clock, hub } = ports;
  const ids = createIdKnowledge(store.settings);
  const look = createLook(ports);

  /** Asks about items, and learns from the answers whether ids are honoured; returns how many were confirmed. */
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
   * Confirms what was answered by name at a platform that ignores ids; returns how many. Once it is known to have lost an
   * action, all that is looked for anew is sent again, until nothing is; so is what is looked for because it went back.
   *
   * @param tells what was not found is not there; otherwise only the platform's going back shows that it lost anything
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

  /** Asks about items by their ids, about one before others while nobody knows whether they are honoured. */
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
      const { found, tells } = await look(items, signal);
      const unseen = items.filter((item) => !found.has(item.id));
      const doubtful = unseen.filter(({ kind }) => !(tells && leavesAction(kind)));
      // A hub knows a fact by its id: what it has, it does not take twice.
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
      const { found, confirmed: seen, tells } = await look(items, signal);
      const unseen = items.filter((item) => !found.has(item.id) && item.wireIsSound);
      if (unseen.length === 0) return seen;
      if (ids.areIgnored()) return seen + (await confirmByName(unseen, tells, signal));
      return seen + (await confirmById(unseen.slice(0, BATCH_LIMIT), signal));
    },
  };
}

/** It had an action, was confirmed, is looked for anew and is gone: the platform was set back. */
async function isLost(store: DeliveryStore, { kind, isLookedForAnew, seq }: OutboxItem): Promise<boolean> {
  return leavesAction(kind) && isLookedForAnew && !(await store.isUndone(seq));
}

/** The platform's word on items it took. @throws ApiError */
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
 * The partner that all items went out as, to narrow the look to its actions; null when they differ. The device may be
 * another partner's by now, or have been nobody's then.
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

/** Items as their own answers confirmed them. */
function byName(items: readonly OutboxItem[]): Parameters<DeliveryStore['confirm']>[0] {
  return items.map(({ id, revision }) => ({ id, action: null, revision }));
}
