/**
 * Proof of delivery: what may have arrived is looked for before it is sent again, what was sent is looked for until it
 * is seen.
 *
 * Invariants: a doubtful item is due again only after a look that did not find it (docs/laws.md#law-3); a refusal of
 * the question proves nothing, in either direction; no transaction across an await (docs/laws.md#law-11).
 */
import type { ApiClient } from '../api/client.ts';
import { ApiError } from '../api/error-class.ts';
import type { ItemResult } from '../api/write-extension.ts';
import type { Journal } from '../journal/journal.ts';
import type { OutboxItem } from '../journal/outbox.ts';
import type { Clock } from '../ports.ts';
import { postItems } from './post-items.ts';
import { READ_BACK_LIMIT, readBack, type Seen } from './read-back.ts';
import { BATCH_LIMIT } from './wire.ts';

export type ConfirmerPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Journal;
  readonly clock: Clock;
};

export type Confirmer = {
  /** Settles uncertain items by looking; false when there were none. @throws ApiError */
  readonly resolveUncertain: (signal: AbortSignal) => Promise<boolean>;
  /** Looks for what was sent; returns how many were confirmed, null when nothing was sent. @throws ApiError */
  readonly confirmSent: (signal: AbortSignal) => Promise<number | null>;
};

/** The confirmer of one journal. */
export function createConfirmer(ports: ConfirmerPorts): Confirmer {
  const { client, expoId, journal, clock } = ports;
  const { outbox } = journal;

  /** Looks for items among the actions and confirms those that are there. */
  const look = async (
    items: readonly OutboxItem[],
    signal: AbortSignal,
  ): Promise<{ readonly found: ReadonlySet<string>; readonly confirmed: number }> => {
    const starts = items.map((item) => item.revision ?? item.sinceRevision ?? 0n);
    const from = starts.reduce((low, start) => (start < low ? start : low), starts[0] ?? 0n);
    const ids = new Set(items.map((item) => item.id));
    const partner = commonPartner(items);
    let confirmed = 0;
    const confirm = (seen: readonly Seen[]): void => {
      confirmed += outbox.confirm(seen, clock.now());
    };
    const found = await readBack(client, expoId, ids, from, partner, confirm, signal);
    return { found, confirmed };
  };

  /** The platform's word on items it took. */
  const askAgain = async (
    items: readonly OutboxItem[],
    signal: AbortSignal,
  ): Promise<readonly ItemResult[]> => {
    try {
      const wires = items.map(({ id, wire }) => ({ id, wire: wire ?? '' }));
      return [...(await postItems(client, expoId, wires, signal)).values()];
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind === 'reject') return [];
      throw error;
    }
  };

  return {
    resolveUncertain: async (signal) => {
      const items = outbox.items('uncertain', READ_BACK_LIMIT);
      if (items.length === 0) return false;
      const { found } = await look(items, signal);
      const unseen = items.filter((item) => !found.has(item.id));
      outbox.requeueUnseen(
        unseen.map((item) => item.seq),
        clock.now(),
      );
      return true;
    },
    confirmSent: async (signal) => {
      const items = outbox.items('sent', READ_BACK_LIMIT);
      if (items.length === 0) return null;
      const { found, confirmed: seen } = await look(items, signal);
      const unseen = items.filter((item) => !found.has(item.id) && item.wireIsSound).slice(0, BATCH_LIMIT);
      const known = unseen.length === 0 ? [] : await askAgain(unseen, signal);
      const held = known.filter((result) => result.result !== 'rejected');
      return seen + outbox.confirm(held, clock.now());
    },
  };
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
