/**
 * Forgetting one person who asks for it, and everybody at the end of the fair.
 *
 *     look ► erase in the journal ★ ► erase in copies, sidecar log, quarantines ► ask the platform ★ ► protocol ★
 *
 * Invariants: only leads of one partner at a time, another than the present one's only when they were handed over
 * (docs/laws.md#law-14); the chain stays whole, hashes stay; what had not
 * reached the platform never will, and is counted; the platform is asked by taking back every fact it may have, which says
 * nothing of the person; a protocol holds no name; everybody is erased in slices, so that a tap beside it never waits
 * long.
 */
import type {
  Erased,
  ErasedPlace,
  ErasureProtocol,
  FairCheck,
  ForgetPreview,
} from '../../contract/erasure.ts';
import type { FactDraft, Journal } from '../journal/journal.ts';
import type { Clock } from '../ports.ts';
import type { DurableJournal } from '../recovery/durable-journal.ts';
import { countCopies, eraseInCopies } from '../recovery/erased-copies.ts';
import type { StorageGuard } from '../store/storage-guard.ts';
import { createLeadFacts, type FactOfLead, type LeadFacts } from './lead-facts.ts';
import { createErasureProtocols } from './protocols.ts';

/** The last export of every fact of a partner that was made here. */
export type LastExport = { readonly at: number; readonly file: string; readonly seq: number };

export type ErasureService = {
  readonly preview: (lead: string) => ForgetPreview | null;
  readonly forget: (lead: string) => Erased;
  /** `of`: whose leads, as the journal knows partners; absent: the present partner's. */
  readonly check: (of?: string) => FairCheck;
  /** Leads of another partner only when an export holds them all. */
  readonly wipe: (force: boolean, of?: string) => Promise<Erased>;
  readonly protocols: () => readonly ErasureProtocol[];
  /** Erases leads that are older than the stand keeps them; how many there were. */
  readonly enforceRetention: () => Promise<number>;
};

export type ErasurePorts = {
  readonly journal: Journal;
  readonly durable: Pick<DurableJournal, 'current' | 'quarantines'>;
  readonly storageGuard: StorageGuard;
  readonly clock: Clock;
  readonly folder: string;
  readonly event: string;
  readonly newId: () => string;
  /** As the journal knows partners. */
  readonly partner: () => string;
  readonly staff: () => string | null;
  /** Days after its last fact that a lead is kept; null: until somebody erases it. */
  readonly retentionDays: number | null;
  /** What our clock says is confirmed by the platform's, so that nothing is erased because a clock is wrong. */
  readonly isClockSure: () => boolean;
  readonly lastExport: (partner: string) => LastExport | null;
  /** Removes exports that wait to be fetched; whether there were any. */
  readonly dropExports: () => boolean;
  /** Leads are gone, and there may be something to send. */
  readonly onErased: () => void;
};

const DAY_MS = 86_400_000;
const SLICE = 50;
const PAUSE_MS = 5;
const SHOWN = 100;

/** Whether the platform may know of a fact. */
const MAY_BE_THERE: ReadonlySet<FactOfLead['state']> = new Set([
  'in_flight',
  'uncertain',
  'sent',
  'confirmed',
]);

/** Erasure on one device. */
export function createErasureService(ports: ErasurePorts): ErasureService {
  const { journal, clock } = ports;

  const erase = async (partner: string, before: number | null): Promise<Erased> => {
    const counted = { people: 0, facts: 0, undelivered: 0 };
    const ids: string[] = [];
    // As they were counted for whoever said yes: badges of one person are one, and who was turned away is nobody's lead.
    const people = before === null ? journal.leads.count(partner) : null;
    for (;;) {
      const read = leadFacts(ports);
      const slice = read.leads(partner, before, SLICE);
      if (slice.length === 0) break;
      // A lead that is part of another stands in the slice by itself, too.
      const each = slice.flatMap((lead) => read.of(lead));
      const facts = [...new Map(each.map((fact) => [fact.id, fact])).values()];
      const gone = ports.storageGuard.attempt(() => journal.eraseLeads(slice));
      if (gone.kind === 'failed') return gone;
      add(counted, slice.length, facts);
      ids.push(...gone.result);
      await clock.sleep(PAUSE_MS);
    }
    if (before === null) journal.refusedCodes.forget(partner);
    if (counted.people === 0) return { kind: 'unknown' };
    return finish(ports, 'fair', partner, {
      ...counted,
      people: people ?? counted.people,
      ids,
      platformAsked: false,
    });
  };

  return {
    preview: (lead) => previewOf(ports, lead),
    forget: (lead) => forgetOne(ports, lead),
    check: (of = ports.partner()) => checkOf(ports, of),
    wipe: async (force, partner = ports.partner()) => {
      if (partner !== ports.partner() && checkOf(ports, partner).exportedAll === null)
        return { kind: 'notExported' };
      const { undelivered, parked } = leadFacts(ports).sum(partner);
      if (!force && undelivered + parked > 0) return { kind: 'pending', undelivered: undelivered + parked };
      return erase(partner, null);
    },
    protocols: () => protocols(ports).list(SHOWN),
    enforceRetention: async () => {
      if (ports.retentionDays === null || !ports.isClockSure()) return 0;
      const before = clock.now() - ports.retentionDays * DAY_MS;
      let people = 0;
      for (const partner of leadFacts(ports).partners()) {
        const done = await erase(partner, before);
        if (done.kind === 'erased') people += done.protocol.people;
      }
      return people;
    },
  };
}

function leadFacts({ durable }: ErasurePorts): LeadFacts {
  return createLeadFacts(durable.current().database);
}

function protocols({ durable }: ErasurePorts): ReturnType<typeof createErasureProtocols> {
  return createErasureProtocols(durable.current().database);
}

function add(
  counted: { people: number; facts: number; undelivered: number },
  people: number,
  facts: readonly FactOfLead[],
): void {
  counted.people += people;
  counted.facts += facts.filter(({ isWhole }) => isWhole).length;
  counted.undelivered += facts.filter(isUndelivered).length;
}

function isUndelivered({ state, isWhole }: FactOfLead): boolean {
  return isWhole && state !== 'sent' && state !== 'confirmed';
}

/** The lead that a person means, if it is the present partner's. */
function leadMeant({ journal, partner }: ErasurePorts, lead: string) {
  const root = journal.leadSources.rootOf(lead);
  const source = root === null ? null : journal.leadSources.of(root);
  return source === null || source.partner !== partner() ? null : source;
}

function previewOf(ports: ErasurePorts, lead: string): ForgetPreview | null {
  const source = leadMeant(ports, lead);
  if (source === null) return null;
  const facts = leadFacts(ports).of(source.id);
  const kinds: Record<string, number> = {};
  for (const { kind } of facts) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    lead: source.id,
    name: source.person?.name ?? null,
    company: source.person?.company ?? null,
    facts: kinds,
    delivered: facts.filter(({ state }) => state === 'sent' || state === 'confirmed').length,
    undelivered: facts.filter(isUndelivered).length,
    copies: countCopies(ports.folder, ports.durable),
    registered: source.person !== null,
  };
}

function forgetOne(ports: ErasurePorts, lead: string): Erased {
  const { journal } = ports;
  const source = leadMeant(ports, lead);
  if (source === null) return { kind: 'unknown' };
  const facts = leadFacts(ports).of(source.id);
  const drafts = facts
    .filter(({ kind, state }) => kind !== 'undo' && MAY_BE_THERE.has(state))
    .map(takingBack);
  const gone = ports.storageGuard.attempt(() => {
    const ids = journal.eraseLeads([source.id]);
    // After the erasure, so that these are not erased with it.
    if (drafts.length > 0) journal.recordAll(drafts, null);
    return ids;
  });
  if (gone.kind === 'failed') return gone;
  const counted = { people: 0, facts: 0, undelivered: 0 };
  add(counted, 1, facts);
  const ids = gone.result;
  return finish(ports, 'person', source.partner, { ...counted, ids, platformAsked: drafts.length > 0 });
}

/** What asks the platform to take a fact back; it names the fact and nobody. */
function takingBack({ id, touchpoint, partner }: FactOfLead): FactDraft {
  const place = { touchpoint, partner, reader: null, source: null, clockOffset: null, staff: null };
  return { ...place, kind: 'undo', payload: { undoes: id } };
}

type Done = Pick<ErasureProtocol, 'people' | 'facts' | 'undelivered' | 'platformAsked'> & {
  readonly ids: readonly string[];
};

/** Erases in what holds the facts once more, and writes the protocol. */
function finish(
  ports: ErasurePorts,
  kind: ErasureProtocol['kind'],
  partner: string,
  { ids, ...counted }: Done,
): Erased {
  const { journal, storageGuard, folder, durable } = ports;
  const done = storageGuard.attempt((): ErasureProtocol => {
    const places: readonly ErasedPlace[] = [
      { place: 'journal.db', state: 'erased', why: null },
      ...eraseInCopies(folder, durable, ids),
      ...(ports.dropExports() ? [{ place: 'downloads', state: 'removed', why: null } as const] : []),
    ];
    const protocol: ErasureProtocol = {
      ...{ id: ports.newId(), kind, at: ports.clock.now(), event: ports.event, partner, by: ports.staff() },
      ...counted,
      places: [...places],
      chainHead: journal.chainHead(),
    };
    protocols(ports).add(protocol);
    return protocol;
  });
  ports.onErased();
  return done.kind === 'failed' ? done : { kind: 'erased', protocol: done.result };
}

function checkOf(ports: ErasurePorts, partner: string): FairCheck {
  const { journal, lastExport, retentionDays } = ports;
  const { facts, undelivered, parked, lastSeq, lastAt } = leadFacts(ports).sum(partner);
  const last = lastExport(partner);
  return {
    people: journal.leads.count(partner),
    ...{ facts, undelivered, parked },
    exportedAll: last === null || last.seq < lastSeq ? null : { at: last.at, file: last.file },
    eraseBy: retentionDays === null || lastAt === null ? null : lastAt + retentionDays * DAY_MS,
  };
}
