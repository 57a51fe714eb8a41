/**
 * A stand with several laptops: copies the facts that the partner's other laptops submitted to the hub into this
 * journal, so that all staff see the same leads.
 *
 *     hub ► items after the cursor ► facts ► journal (as facts of another device) ► leads        later: receipts ► confirmed
 *     hub ◄─► erasures, in one sequence with the facts
 *
 * Invariants:
 * - Runs only with a hub, and only for the current partner (docs/laws.md#law-14).
 * - A fact from another laptop is never sent from here, and no delivery count of this device includes it
 *   (docs/laws.md#law-2).
 * - A fact that is already here changes nothing.
 * - The cursor moves after its page is on disk.
 * - After a change of the hub store id, the hub is read from its beginning and receives all erasures again.
 * - An undo waits for its tap, because a reset hub may receive the tap later.
 */
import { z } from 'zod';
import type { Hub } from '../../delivery/outbox/hub.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { type News, TEAM_NEWS } from '../../event/sync/news.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { isRefusal } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { DurableJournal } from '../../journal/recovery/durable-journal.ts';
import type { Untold } from '../erasure/forgotten.ts';
import type { ErasureService } from '../erasure/service.ts';
import { createTakeFacts, type ForeignFact } from '../exports/take-facts.ts';
import { factOfItem } from './team-item.ts';

type TeamFactsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly hub: Pick<Hub, 'ask' | 'wasAsked' | 'isThere' | 'epoch' | 'receipts'>;
  /** The hub's change marks: one version mark for each list. */
  readonly news: Pick<News, 'isUnchanged' | 'noteRead' | 'readAnew' | 'store'>;
  readonly journal: Journal;
  readonly durable: Pick<DurableJournal, 'current'>;
  readonly mirror: Mirror;
  readonly storageGuard: StorageGuard;
  readonly erasure: Pick<ErasureService, 'hear' | 'untold' | 'told'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The current partner. Null while it is unknown, and for facts without a partner. */
  readonly partner: () => string | null;
  /** Called after leads changed. */
  readonly onTaken: () => void;
};

type TeamFacts = {
  /** Accepts new facts. @throws ApiError */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  /** Reads everything again after the journal was recovered. */
  readonly readAnew: () => void;
};

const factsSchema = z.array(
  z.object({
    seq: z.number().int(),
    device: z.object({ id: z.string().max(100), name: z.string().max(100) }),
    item: z.unknown(),
  }),
);

const pageSchema = z.object({
  facts: factsSchema,
  // Absent at a hub of an older version that cannot erase.
  forgotten: z
    .array(
      z.object({
        seq: z.number().int(),
        id: z.string().max(64),
        at: z.string(),
        facts: z.array(z.string()),
        people: z.array(z.string()),
      }),
    )
    .default([]),
  next: z.number().int(),
  // Absent at a hub of an older version: an empty page is the last one there.
  more: z.boolean().optional(),
});
type Page = z.infer<typeof pageSchema>;

const forgetAnswer = z.object({ neverOut: z.array(z.string()) });

const cursorSchema = z.object({ epoch: z.string(), partner: z.string(), after: z.number().int() });

/** Facts per lookup request. */
const ASKED_AT_ONCE = 200;
/** Maximum number of waiting undos. The oldest are dropped: a tap that was erased at the hub never arrives. */
const MOST_WAITING = 200;

/** Team facts of one device. */
export function createTeamFacts(ports: TeamFactsPorts): TeamFacts {
  const { client, expoId, hub, journal, news } = ports;
  const { settings } = journal;
  const cursorOf = (epoch: string, partner: string): number => {
    const kept = cursorSchema.safeParse(parseOrUndefined(settings.get('teamCursor') ?? ''));
    return kept.success && kept.data.epoch === epoch && kept.data.partner === partner ? kept.data.after : 0;
  };
  const pageBehind = async (after: number, signal: AbortSignal): Promise<Page | null> => {
    try {
      const text = await client.get(pathOf`/hub/facts/${expoId}`, { after }, signal);
      return pageSchema.safeParse(parseOrUndefined(text)).data ?? null;
    } catch (error) {
      // A hub of an older version, without teams.
      if (isRefusal(error)) return null;
      throw error;
    }
  };
  /** Returns the facts that can never reach the platform. @throws ApiError */
  const askToForget = async (
    { id, at, facts, people }: Untold,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const body = JSON.stringify({ id, at: new Date(at).toISOString(), facts, people });
    try {
      const text = await client.post(pathOf`/hub/forget/${expoId}`, body, signal);
      return forgetAnswer.safeParse(parseOrUndefined(text)).data?.neverOut ?? [];
    } catch (error) {
      // A hub of an older version cannot erase. No fact is ruled out, so all of them are undone at the platform.
      if (isRefusal(error)) return [];
      throw error;
    }
  };
  const tellForgotten = async (partner: string, epoch: string, signal: AbortSignal): Promise<void> => {
    for (const forgetting of ports.erasure.untold(partner, epoch)) {
      const neverOut = await askToForget(forgetting, signal);
      ports.erasure.told(forgetting, epoch, neverOut);
    }
  };
  const followDelivery = createFollowDelivery(ports);

  return {
    readAnew: () => {
      settings.set('teamCursor', '');
      news.readAnew(TEAM_NEWS);
    },
    follow: async (signal) => {
      const partner = ports.partner();
      // Otherwise a device with nothing to send would never contact its hub, or notice a new store.
      const store = news.store();
      if (!hub.wasAsked() || (store !== null && store !== hub.epoch())) await hub.ask(signal);
      const epoch = hub.epoch();
      if (!hub.isThere() || partner === null || epoch === null) return;
      await tellForgotten(partner, epoch, signal);
      while (!news.isUnchanged(TEAM_NEWS, partner)) {
        const page = await pageBehind(cursorOf(epoch, partner), signal);
        if (page === null || signal.aborted || ports.partner() !== partner) return;
        const isEmpty = page.facts.length + page.forgotten.length === 0;
        if (!isEmpty) {
          const taken = takeInOrder(ports, page, partner, epoch);
          if (taken === null) return;
          settings.set('teamCursor', JSON.stringify({ epoch, partner, after: page.next }));
          if (taken > 0) ports.onTaken();
        }
        if (isEmpty || page.more === false) {
          news.noteRead(TEAM_NEWS, partner);
          break;
        }
      }
      // When a person was erased elsewhere, reports the facts about them that only this device had.
      await tellForgotten(partner, epoch, signal);
      await followDelivery(signal);
    },
  };
}

/** Looks up, one window at a time, whether the team's submitted facts have reached the platform. */
function createFollowDelivery({
  hub,
  journal,
  clock,
  onTaken,
}: TeamFactsPorts): (signal: AbortSignal) => Promise<void> {
  const { outbox } = journal;
  let asked = 0;
  return async (signal) => {
    let waiting = outbox.ofTeam(asked, ASKED_AT_ONCE);
    if (waiting.length === 0 && asked > 0) waiting = outbox.ofTeam(0, ASKED_AT_ONCE);
    asked = waiting.length < ASKED_AT_ONCE ? 0 : (waiting.at(-1)?.seq ?? 0);
    if (waiting.length === 0) return;
    const receipts = await hub.receipts(
      waiting.map(({ id }) => id),
      signal,
    );
    const seen = receipts.filter(({ state }) => state === 'confirmed');
    const confirmed = outbox.confirm(
      seen.map(({ id }) => ({ id, action: null, revision: null })),
      clock.now(),
    );
    if (confirmed > 0) onTaken();
  };
}

/** Accepts a page: facts, and erasures between them. Returns how many facts are new. Null if the write failed. */
function takeInOrder(ports: TeamFactsPorts, page: Page, partner: string, epoch: string): number | null {
  let taken = 0;
  let left = page.facts;
  const takeUpTo = (seq: number): boolean => {
    const facts = left.filter((fact) => fact.seq < seq);
    left = left.slice(facts.length);
    if (facts.length === 0) return true;
    const kept = ports.storageGuard.attempt(() => takeFacts(ports, facts, partner));
    if (kept.kind === 'kept') taken += kept.result;
    return kept.kind === 'kept';
  };
  for (const { seq, ...forgetting } of page.forgotten) {
    if (!takeUpTo(seq)) return null;
    const at = Date.parse(forgetting.at);
    if (!Number.isNaN(at) && !ports.erasure.hear({ ...forgetting, at, partner }, epoch)) return null;
  }
  return takeUpTo(Number.POSITIVE_INFINITY) ? taken : null;
}

/** Accepts facts in one transaction. Returns how many are new. */
function takeFacts(
  { durable, mirror, clock }: TeamFactsPorts,
  facts: Page['facts'],
  partner: string,
): number {
  const { database, journal } = durable.current();
  const leadOf = (badge: string) => journal.leads.ofBadge(partner, badge);
  const nobody = { state: 'sent', attempts: 0, reason: null, action: null, revision: null } as const;
  const waited = factsSchema.safeParse(parseOrUndefined(journal.settings.get('teamUndos') ?? '')).data ?? [];
  const understood = [...facts, ...waited].flatMap((told) => {
    const fact = factOfItem(told.item, leadOf);
    return fact === null || fact.partner !== partner ? [] : [{ fact, told }];
  });
  const here = new Set(understood.map(({ fact }) => fact.id));
  const mustWait = ({ fact }: (typeof understood)[number]): boolean =>
    fact.kind === 'undo' && !isHere(fact.payload?.undoes ?? '', here, journal);
  const known = understood
    .filter((one) => !mustWait(one))
    .map(({ fact, told: { device } }) => {
      const delivery = { ...nobody, changedAt: clock.now() };
      const foreign: ForeignFact = { ...fact, delivery, device };
      return { fact: foreign, visitor: visitorOf(mirror, fact.payload) };
    });
  const taken = createTakeFacts(database, journal.leads)(known);
  // Undos of taps that the hub erased before this device read them, or that arrive later.
  const waiting = understood.filter(mustWait).map(({ told }) => told);
  if (waiting.length + waited.length > 0)
    journal.settings.set('teamUndos', JSON.stringify(waiting.slice(0, MOST_WAITING)));
  return taken;
}

function isHere(id: string, page: ReadonlySet<string>, journal: Pick<Journal, 'fact'>): boolean {
  return page.has(id) || journal.fact(id) !== null;
}

/** The visitor as stored in this device's mirror. */
function visitorOf(mirror: Mirror, payload: ForeignFact['payload']): VisitorSnapshot | null {
  if (payload === null || ('clash' in payload && payload.clash === true)) return null;
  const { badge, visitor } = payload as { readonly badge?: string; readonly visitor?: string };
  const told = visitor === undefined ? null : mirror.record('visitors', visitor);
  if (told !== null) return snapshotOf(told);
  const owner = badge === undefined ? null : mirror.ownerOf([badge]);
  return owner?.kind === 'visitor' ? snapshotOf(owner.visitor) : null;
}
