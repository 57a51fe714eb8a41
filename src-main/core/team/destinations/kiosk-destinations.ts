/**
 * The destinations of a kiosk: connects the service with its file, the journal and the leads.
 *
 * Invariants:
 * - A tap is not sent while the visitor can undo it.
 * - Names and texts are read once every few seconds, not once per lead.
 * - Two laptops of a stand give one lead the same id: it comes from the event, the partner and the visitor, or the badge.
 */
import { createHash } from 'node:crypto';
import type { LeadFilter } from '../../../contract/leads.ts';
import { createWebClient } from '../../foundations/api/web-request.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import type { Database } from '../../foundations/store/database.ts';
import { UNDO_GRACE_MS } from '../../foundations/time/windows.ts';
import { createLeadSources, type LeadSource } from '../../journal/facts/lead-sources.ts';
import { leadToExport } from '../formats/lead-to-export.ts';
import { createWords, type Words } from '../formats/words.ts';
import { foldLead } from '../leads/fold.ts';
import { recordOf } from '../leads/person.ts';
import type { LeadService } from '../leads/service.ts';
import type { SecretStore } from './access.ts';
import type { HubDestinations } from './hub-access.ts';
import { createDestinationService } from './service.ts';
import { openDestinations, type Position } from './store.ts';

type KioskDestinationPorts = {
  readonly path: string;
  /** Null if no destination can be connected. */
  readonly secrets: SecretStore | null;
  /** The destinations whose token is at the hub. */
  readonly hub: HubDestinations;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly newId: () => string;
  readonly partner: () => string;
  /** The current database of the journal. */
  readonly database: () => Database;
  readonly expoId: string;
  /** The first fact that may still be corrected, or null. */
  readonly heldFrom: () => number | null;
  /** How long the screen offers an undo, in milliseconds. */
  readonly undoMs: number;
  readonly leads: Pick<LeadService, 'ask' | 'words' | 'hotRule'>;
  readonly event: () => { readonly name: string; readonly timezone: string } | null;
  readonly nameOf: (partner: string) => string | null;
  /** The address of a member of the team by name, or null. */
  readonly addressOf: (member: string) => string | null;
};

export type KioskDestinations = ReturnType<typeof openKioskDestinations>;

/** Facts per read. */
const EXAMINED = 200;
const PAGE = 200;
const WORDS_KEPT_MS = 5_000;
/** Shortest wait before a held tap is examined again. */
const HELD_AT_LEAST_MS = 1_000;

const NO_SECRETS: SecretStore = {
  keep: () => Promise.resolve(false),
  read: () => Promise.resolve(null),
  forget: () => Promise.resolve(),
  hide: () => undefined,
  keepOnly: () => 0,
};

/** Opens the destinations of a kiosk. Nothing is sent before `start`. */
export function openKioskDestinations(ports: KioskDestinationPorts) {
  const { clock, log, partner } = ports;
  const heldMs = ports.undoMs + UNDO_GRACE_MS;
  const web = createWebClient();
  const file = openDestinations(ports.path);

  let words: { readonly words: Words; readonly at: number } | null = null;
  const wordsNow = (): Words => {
    const now = clock.monotonic();
    if (words === null || now - words.at > WORDS_KEPT_MS) {
      const { labels, contents, touchpoints, questions, form, consents } = ports.leads.words();
      const sources = {
        language: 'en',
        questions,
        form,
        consents,
        labels: namesIn(labels),
        touchpoints: namesIn(touchpoints),
        contents: Object.fromEntries(contents.map(({ id, name }) => [id, { name, link: null }])),
      };
      words = { at: now, words: createWords(sources) };
    }
    return words.words;
  };

  let kept: ReturnType<typeof prepareReads> | null = null;
  const reads = () => {
    const journal = ports.database();
    if (kept?.journal !== journal) kept = prepareReads(journal);
    return kept;
  };

  const service = createDestinationService({
    file,
    send: web.send,
    secrets: ports.secrets ?? NO_SECRETS,
    hub: ports.hub,
    clock,
    log,
    partner,
    random: ports.random,
    newId: ports.newId,
    isChanged: (lead, after) => {
      const { sources, isChanged } = reads();
      return isChanged.get({ lead, ...within(sources.position(), after) }) !== undefined;
    },
    changed: (of, after) => {
      const { sources, facts, changes, isWaiting, nowIn } = reads();
      const from = within(sources.position(), after);
      const rows = facts.all(from.seq, EXAMINED);
      const heldFrom = ports.heldFrom() ?? Number.POSITIVE_INFINITY;
      const now = clock.now();
      const firstHeld = rows.findIndex(
        ({ seq, kind, at }) => seq >= heldFrom || (kind !== 'qualify' && Math.abs(now - at) < heldMs),
      );
      const next = rows[firstHeld];
      const free = firstHeld === -1 ? rows : rows.slice(0, firstHeld);
      const held = firstHeld === -1 ? [] : rows.slice(firstHeld);
      const seq = free.at(-1)?.seq ?? from.seq;
      const changed = changes.all(from.number, EXAMINED);
      const leadsIn = (some: typeof rows) =>
        some.flatMap(({ lead, partner: its }) => (its === of ? lead : []));
      const rootsOf = (some: Iterable<string>) => [
        ...new Set([...some].flatMap((lead) => sources.rootOf(lead) ?? [])),
      ];
      const leads = new Set(leadsIn(free));
      const merged: { from: string; into: string }[] = [];
      for (const { lead, partner: its } of changed) {
        const into = its === null ? nowIn.get(lead)?.lead : lead;
        if (into !== undefined && into !== lead) merged.push({ from: lead, into });
        // A lead that still gets facts is examined together with them.
        if (into !== undefined && (its === null || its === of) && isWaiting.get(into, seq) === undefined)
          leads.add(into);
      }
      return {
        leads: rootsOf(leads),
        held: rootsOf(leadsIn(held)),
        merged,
        last: { seq, number: changed.at(-1)?.number ?? from.number },
        heldMs: next === undefined ? null : Math.max(HELD_AT_LEAST_MS, next.at + heldMs - now),
      };
    },
    lead: (of, id) => {
      const source = reads().sources.of(id);
      if (source === null || source.partner !== of) return null;
      const record = recordOf(source.person);
      return leadToExport(foldLead(source, ports.leads.hotRule(of).rule, { record }), record, wordsNow());
    },
    // The member who follows up, otherwise the one who met the person first.
    ownerOf: ({ followUpBy, staff: [first = null] }) => {
      const member = followUpBy ?? first;
      return member === null ? null : ports.addressOf(member);
    },
    externalId: (of, id) => externalIdOf(ports.expoId, of, id, reads().sources.of(id)),
    setting: () => {
      const event = ports.event();
      return {
        event: event?.name ?? '',
        stand: ports.nameOf(partner()) ?? '',
        timezone: event?.timezone ?? 'UTC',
      };
    },
    page: async (filter: LeadFilter, after) => {
      const from = after === null ? { position: 0 } : { after };
      const page = await ports.leads.ask('page', { filter, sort: 'latest', from, limit: PAGE });
      return { ids: page.leads.map(({ id }) => id), next: page.next };
    },
    isErased: (lead) => reads().erased.get({ lead }) !== undefined,
  });

  return {
    ...service,
    stop: async (): Promise<void> => {
      await service.stop();
      await web.close();
    },
  };
}

/** A position in a journal that ends at `end`. After a recovery the journal is examined from its start. */
function within(end: Position, { seq, number }: Position): Position {
  return { seq: seq > end.seq ? 0 : seq, number: number > end.number ? 0 : number };
}

/** The statements over the journal's database. A lead has the id of its first fact. */
function prepareReads(journal: Database) {
  return {
    journal,
    sources: createLeadSources(journal),
    facts: journal.prepare<
      [number, number],
      { seq: number; lead: string; partner: string; at: number; kind: string }
    >(
      `SELECT lead_fact.seq, lead_fact.lead, lead.partner, fact.at, fact.kind FROM lead_fact
       JOIN lead ON lead.id = lead_fact.lead JOIN fact ON fact.seq = lead_fact.seq
       WHERE lead_fact.seq > ? ORDER BY lead_fact.seq LIMIT ?`,
    ),
    changes: journal.prepare<[number, number], { lead: string; number: number; partner: string | null }>(
      `SELECT lead_change.lead, number, lead.partner FROM lead_change LEFT JOIN lead ON lead.id = lead_change.lead
       WHERE number > ? ORDER BY number LIMIT ?`,
    ),
    isWaiting: journal.prepare<[string, number], unknown>(
      'SELECT 1 FROM lead_fact WHERE lead = ? AND seq > ? LIMIT 1',
    ),
    isChanged: journal.prepare<{ lead: string } & Position, unknown>(
      `WITH RECURSIVE own(id) AS (SELECT @lead UNION SELECT lead.id FROM lead JOIN own ON lead.part_of = own.id)
       SELECT 1 FROM own WHERE EXISTS (SELECT 1 FROM lead_fact WHERE lead = own.id AND seq > @seq)
         OR EXISTS (SELECT 1 FROM lead_change WHERE lead = own.id AND number > @number) LIMIT 1`,
    ),
    nowIn: journal.prepare<[string], { lead: string }>(
      'SELECT lead_fact.lead FROM fact JOIN lead_fact ON lead_fact.seq = fact.seq WHERE fact.id = ?',
    ),
    // Includes a lead that became part of the erased one.
    erased: journal.prepare<{ lead: string }, unknown>(
      `SELECT 1 FROM lead WHERE erased = 1 AND id IN (@lead,
         (SELECT lead_fact.lead FROM fact JOIN lead_fact ON lead_fact.seq = fact.seq WHERE fact.id = @lead))`,
    ),
  };
}

/**
 * The id of a lead at every destination. A lead without visitor and badge keeps its own, which only this device
 * knows.
 */
function externalIdOf(event: string, partner: string, lead: string, source: LeadSource | null): string {
  const visitor = source?.person?.visitor ?? null;
  const badge = source?.badge ?? '';
  if (visitor === null && badge === '') return lead;
  const key = visitor === null ? ['badge', badge] : ['visitor', visitor];
  return createHash('sha256')
    .update(JSON.stringify([event, partner, ...key]))
    .digest('hex')
    .slice(0, 32);
}

/** Names by id. */
function namesIn(
  list: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(list.map(({ id, name }) => [id, name]));
}
