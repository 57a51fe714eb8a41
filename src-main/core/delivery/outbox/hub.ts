/**
 * The hub of this device, if it uses one: whether it is a hub, whether it reaches the platform, and its receipts for
 * facts, with the contact details of the people. Our extension of the interface (docs/hub.md): `GET /hub`, `GET
 * /hub/receipts/{expo}`.
 *
 * Invariants:
 * - A platform without the hub interface never counts as a hub.
 * - Once a hub is known, the device remembers it across restarts and without a network, so that a fact at the hub
 *   never counts as delivered.
 * - Every sent fact, even an erased one, is queried until it is settled, one window of facts at a time. While an
 *   event stream brings receipts, queries are rare.
 */
import { z } from 'zod';
import type { DeviceState } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock } from '../../foundations/ports.ts';
import { RECEIPTS_EVERY_MS } from '../../foundations/time/times.ts';
import type { Outbox } from '../../journal/facts/outbox.ts';
import type { HubReceipt } from '../../journal/facts/outbox-changes.ts';
import type { Settings } from '../../journal/facts/settings.ts';
import type { ContactDetails } from './contact-details.ts';

/** Facts per request for receipts. */
const ASKED_AT_ONCE = 200;
/** Facts per round, so that many facts that wait at the hub do not hide the state of others. */
const WINDOW = 5 * ASKED_AT_ONCE;
/** Maximum number of kept receipts that arrived before the answer to their fact. */
const MOST_EARLY = 1_000;

export type Hub = {
  /** Asks the server whether it is a hub, and for its state. A query without an answer changes nothing. */
  readonly ask: (signal: AbortSignal) => Promise<void>;
  /** Whether the server has said in this run whether it is a hub. */
  readonly wasAsked: () => boolean;
  /** Whether this device uses a hub. */
  readonly isThere: () => boolean;
  /**
   * Queries the hub and returns its store id, which changes after a reset. Null if no hub has answered in this run.
   */
  readonly askEpoch: (signal: AbortSignal) => Promise<string | null>;
  /**
   * Fingerprint of the key with which the hub countersigns receipts. Null while unknown, and if the hub does not
   * countersign.
   */
  readonly signer: () => string | null;
  /** The hub's store id, which changes when the hub starts with an empty store. Null while unknown. */
  readonly epoch: () => string | null;
  /** The hub's state for the screens. Null without a hub. */
  readonly state: () => NonNullable<DeviceState['hub']> | null;
  /** The hub's receipts for facts with these ids. @throws ApiError */
  readonly receipts: (ids: readonly string[], signal: AbortSignal) => Promise<readonly HubReceipt[]>;
  /**
   * Requests receipts for the next window of sent facts and stores them. Returns how many facts changed, null when no
   * fact waits for a receipt. Contact details that a lead lacks come with them. @throws ApiError
   */
  readonly followSent: (signal: AbortSignal) => Promise<number | null>;
  /** Requests the contact details that leads lack. @throws ApiError */
  readonly followDetails: (signal: AbortSignal) => Promise<void>;
  /** Stores receipts that came over the stream. Invalid ones change nothing. */
  readonly takeReceipts: (text: string) => void;
  /** Stores the hub's description of itself from an answer of `GET /hub`. */
  readonly takeDescription: (text: string) => void;
  /** Receipts may have been missed: the next `followSent` requests them. */
  readonly askAgain: () => void;
};

export type HubPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: {
    readonly settings: Settings;
    readonly outbox: Pick<Outbox, 'awaitingReceipt' | 'noteReceipts'>;
  };
  /** Absent if no contact details are requested. */
  readonly details?: ContactDetails;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Whether an event stream brings receipts. Absent if none ever does. */
  readonly isStreaming?: () => boolean;
  readonly onChange: () => void;
};

const hubSchema = z.object({
  hub: z.literal(true),
  name: z.string().max(80),
  epoch: z.string().max(200).optional(),
  upstream: z.object({ state: z.string(), since: z.number().nullish() }),
  /**
   * Fingerprint of the key with which it countersigns receipts. Absent in the answer of an older hub, which does not
   * countersign.
   */
  signer: z.string().max(60).optional(),
  alsoSentBy: z.array(z.object({ device: z.string().max(100), facts: z.number().int() })).optional(),
});

const receiptsSchema = z.object({
  receipts: z.array(
    z.object({
      id: z.string(),
      state: z.enum(['at-hub', 'sent', 'confirmed', 'parked', 'unknown']),
      reason: z.string().nullish(),
    }),
  ),
  contacts: z.array(z.record(z.string(), z.unknown())).default([]),
});

/** The hub of one device. */
export function createHub({
  client,
  expoId,
  journal,
  details,
  clock,
  isStreaming = () => false,
  onChange,
}: HubPorts): Hub {
  const { settings, outbox } = journal;
  let name = settings.get('box') ?? '';
  let epoch: string | null = null;
  let signer: string | null = null;
  let wasAsked = false;
  /** Number of the last fact of the previous window. 0 before the first one. */
  let askedUpTo = 0;
  let known: Omit<NonNullable<DeviceState['hub']>, 'name'> = { upstream: 'unknown', since: null };
  let askedAt = Number.NEGATIVE_INFINITY;
  const early = new Map<string, HubReceipt>();

  /** Stores receipts. Keeps receipts of facts whose own answer has not arrived yet. */
  const note = (receipts: readonly HubReceipt[]): number => {
    let changed = 0;
    for (const receipt of receipts) {
      const changes = outbox.noteReceipts([receipt], clock.now());
      changed += changes;
      early.delete(receipt.id);
      if (changes === 0) early.set(receipt.id, receipt);
    }
    for (const id of early.keys()) {
      if (early.size <= MOST_EARLY) break;
      early.delete(id);
    }
    return changed;
  };

  const learn = (found: z.infer<typeof hubSchema> | null): void => {
    const before = JSON.stringify([name, known]);
    name = found === null ? '' : found.name || 'hub';
    if (settings.get('box') !== null || name !== '') settings.set('box', name);
    epoch = found?.epoch ?? null;
    signer = found?.signer ?? null;
    wasAsked = true;
    if (found !== null) {
      const { state, since = null } = found.upstream;
      const upstream = state === 'online' ? 'online' : 'away';
      // The stream does not say which other devices submitted the same facts.
      const alsoSentBy = found.alsoSentBy ?? known.alsoSentBy;
      known = { upstream, since, ...(alsoSentBy?.length ? { alsoSentBy } : {}) };
    }
    if (JSON.stringify([name, known]) !== before) onChange();
  };

  const ask: Hub['ask'] = async (signal) => {
    try {
      const parsed = hubSchema.safeParse(parseOrUndefined(await client.get('/hub', {}, signal, 'upload')));
      if (parsed.success) learn(parsed.data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A permanent refusal, such as 404, shows that this is not a hub. Any other error shows nothing.
      if (error.errorClass.kind === 'reject') learn(null);
    }
  };

  /** Requests receipts, and the details of these visitors. */
  const request = async (
    ids: readonly string[],
    visitors: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly HubReceipt[]> => {
    const query = { ids: ids.join(','), ...(visitors.length === 0 ? {} : { contacts: visitors.join(',') }) };
    const text = await client.get(pathOf`/hub/receipts/${expoId}`, query, signal, 'upload');
    const answer = readAnswer(text);
    if (visitors.length > 0) details?.keep(visitors, answer.contacts);
    return answer.receipts.filter(({ id }) => ids.includes(id));
  };

  const followDetails: Hub['followDetails'] = async (signal) => {
    const visitors = name === '' ? [] : (details?.next() ?? []);
    if (visitors.length > 0) await request([], visitors, signal);
  };

  return {
    ask,
    wasAsked: () => wasAsked,
    isThere: () => name !== '',
    askEpoch: async (signal) => {
      await ask(signal);
      return epoch;
    },
    epoch: () => epoch,
    signer: () => signer,
    receipts: (ids, signal) => request(ids, [], signal),
    followDetails,
    state: () => (name === '' ? null : { name, ...known }),
    followSent: async (signal) => {
      let facts = outbox.awaitingReceipt(askedUpTo, WINDOW);
      if (facts.length === 0 && askedUpTo > 0) facts = outbox.awaitingReceipt(0, WINDOW);
      if (facts.length === 0) {
        early.clear();
        return null;
      }
      let changed = note(facts.flatMap(({ id }) => early.get(id) ?? []));
      if (isStreaming() && clock.monotonic() - askedAt < RECEIPTS_EVERY_MS) {
        await followDetails(signal);
        return changed;
      }
      askedAt = clock.monotonic();
      await ask(signal);
      for (let at = 0; at < facts.length; at += ASKED_AT_ONCE) {
        const ids = facts.slice(at, at + ASKED_AT_ONCE).map(({ id }) => id);
        changed += outbox.noteReceipts(await request(ids, details?.next() ?? [], signal), clock.now());
      }
      askedUpTo = facts.length < WINDOW ? 0 : (facts.at(-1)?.seq ?? 0);
      return changed;
    },
    takeReceipts: (text) => {
      const parsed = receiptsSchema.safeParse(parseOrUndefined(text));
      if (parsed.success && note(parsed.data.receipts.map(receiptOf)) > 0) onChange();
    },
    takeDescription: (text) => {
      const parsed = hubSchema.safeParse(parseOrUndefined(text));
      if (parsed.success) learn(parsed.data);
    },
    askAgain: () => {
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function readAnswer(text: string): {
  readonly receipts: readonly HubReceipt[];
  readonly contacts: z.infer<typeof receiptsSchema>['contacts'];
} {
  const parsed = receiptsSchema.safeParse(parseOrUndefined(text));
  if (!parsed.success)
    throw new ApiError({ kind: 'retry', reached: 'no' }, 'the receipts of the hub are malformed');
  const { receipts, contacts } = parsed.data;
  return { contacts, receipts: receipts.map(receiptOf) };
}

function receiptOf({ id, state, reason }: z.infer<typeof receiptsSchema>['receipts'][number]): HubReceipt {
  return state === 'parked'
    ? { id, state, reason: (reason ?? 'the hub set it aside without a reason').slice(0, 300) }
    : { id, state };
}
