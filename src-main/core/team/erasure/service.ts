/**
 * Erases one person on request, and everybody at the end of the fair.
 *
 *     find ► erase in the journal ★ ► ask the platform ★ ► erase in backups, sidecar log, quarantines ► protocol ★
 *
 * ★: a commit that is on disk before the next step.
 *
 * At a stand with a hub, the hub and the other laptops are notified by ids and pseudonym hashes (`forgotten.ts`). The
 * hub reports which facts can have reached the platform. Only those are undone there.
 *
 * Invariants:
 * - Erases leads of one partner at a time. Staff can erase the leads of a previous partner only after an export
 *   (docs/laws.md#law-14).
 * - Hashes stay, so the chain still verifies.
 * - An undelivered fact never reaches the platform, and is counted.
 * - For one person, the platform is asked to undo every fact that it may have. The request contains nothing about the
 *   person.
 * - A protocol contains no name.
 * - All people are erased in slices, so that no tap waits long.
 * - Erasing everybody also ends a hub that this device runs for other laptops, because the hub's data is on this
 *   disk. A fact that only this hub has is counted as undelivered.
 */
import type {
  Erased,
  ErasedPlace,
  ErasureProtocol,
  FairCheck,
  ForgetPreview,
} from '../../../contract/erasure.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import { RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../../foundations/time/times.ts';
import type { FactDraft, Journal } from '../../journal/facts/journal.ts';
import { NOBODYS, NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import type { DurableJournal } from '../../journal/recovery/durable-journal.ts';
import { countCopies, eraseInCopies } from '../../journal/recovery/erased-copies.ts';
import { createForgotten, type Forgetting, type Forgotten, type Untold } from './forgotten.ts';
import { createLeadFacts, type FactOfLead, type LeadFacts, type PartnerSum } from './lead-facts.ts';
import { createErasureProtocols, type ErasureProtocols } from './protocols.ts';

/** The last export on this device that contains every fact of a partner. */
export type LastExport = { readonly at: number; readonly file: string; readonly seq: number };

export type ErasureService = {
  readonly preview: (lead: string) => ForgetPreview | null;
  readonly forget: (lead: string) => Erased;
  /** `of`: partner id as the journal uses it. Default: the current partner. */
  readonly check: (of?: string) => FairCheck;
  /** Erases another partner's leads only if an export contains all of them. */
  readonly wipe: (force: boolean, of?: string) => Promise<Erased>;
  readonly protocols: () => readonly ErasureProtocol[];
  /** Erases leads older than the retention period. Returns how many. */
  readonly enforceRetention: () => Promise<number>;
  /** Applies an erasure of another laptop of the stand. Returns `false` when the write failed. */
  readonly hear: (forgetting: Forgetting, epoch: string) => boolean;
  /** The oldest erasures of a partner that the hub with this store id does not have yet, at most 100. */
  readonly untold: (partner: string, epoch: string) => readonly Untold[];
  /** Records that the hub has an erasure. `neverOut`: the facts that the platform cannot have. */
  readonly told: (forgetting: Untold, epoch: string, neverOut: readonly string[]) => void;
};

/** A hub in this device's data folder (`src-main/sharing`). It holds the leads of all laptops. */
export type OwnHub = {
  readonly isOn: () => boolean;
  /** Ends the hub for good and removes its data. Returns `false` if that failed. */
  readonly end: () => Promise<boolean>;
};

export type ErasurePorts = {
  readonly journal: Journal;
  readonly durable: Pick<DurableJournal, 'current' | 'quarantines'>;
  readonly storageGuard: StorageGuard;
  readonly clock: Clock;
  readonly folder: string;
  readonly event: string;
  readonly newId: () => string;
  /** Partner id as the journal uses it. */
  readonly partner: () => string;
  readonly staff: () => string | null;
  /** Days that a lead is kept after its last fact. Null means until staff erase it. */
  readonly retentionDays: number | null;
  /** Whether the platform has confirmed the device's clock, so that a wrong clock erases nothing. */
  readonly isClockSure: () => boolean;
  readonly lastExport: (partner: string) => LastExport | null;
  /** Removes exports that wait for a download. Returns whether there were any. */
  readonly dropExports: () => boolean;
  /** Platform time minus ours. Null while unmeasured. */
  readonly clockOffset: () => number | null;
  /** The hub that this device runs for the stand's other laptops. Null if it cannot run one. */
  readonly ownHub: OwnHub | null;
  /** Whether this device is connected to a hub. */
  readonly isAtHub: () => boolean;
  /** Called after leads were erased. There may be facts to send. Null if the protocol could not be written. */
  readonly onErased: (protocol: ErasureProtocol | null) => void;
};

const DAY_MS = 86_400_000;
const SLICE = 50;
const PAUSE_MS = 5;
const SHOWN = 100;

/** States in which the platform may have a fact. */
const MAY_BE_THERE: ReadonlySet<FactOfLead['state']> = new Set([
  'in_flight',
  'uncertain',
  'sent',
  'confirmed',
]);

/** Facts per message to a hub. */
const NAMED_AT_ONCE = 1_000;

/** Erasure on one device. */
export function createErasureService(ports: ErasurePorts): ErasureService {
  const { journal, clock } = ports;

  const erase = async (partner: string, before: number | null): Promise<Erased> => {
    const counted = { people: 0, facts: 0, undelivered: 0, files: 0 };
    const ids: string[] = [];
    // The number that staff confirmed. The badges of one person count once, and people who were turned away do not
    // count.
    const people = before === null ? journal.leads.count(partner) : null;
    for (;;) {
      const read = leadFacts(ports);
      const slice = read.leads(partner, before, SLICE);
      if (slice.length === 0) break;
      // The slice also lists a lead that is part of another one.
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
    hear: (forgetting, epoch) => hear(ports, forgetting, epoch),
    untold: (partner, epoch) => forgottenOf(ports).untold(partner, epoch),
    told: (forgetting, epoch, neverOut) => told(ports, forgetting, epoch, neverOut),
    check: (of = ports.partner()) => checkOf(ports, of),
    wipe: async (force, partner = ports.partner()) => {
      if (partner !== ports.partner() && checkOf(ports, partner).exportedAll === null)
        return { kind: 'notExported' };
      const { undelivered, parked } = sumOf(ports, partner);
      if (!force && undelivered + parked > 0) return { kind: 'pending', undelivered: undelivered + parked };
      const erased = await erase(partner, null);
      if (erased.kind === 'failed' || ports.ownHub === null || !endsSharing(ports, partner)) return erased;
      return (await ports.ownHub.end()) ? erased : { kind: 'failed', reason: 'failing' };
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

function forgottenOf({ durable }: ErasurePorts): Forgotten {
  return createForgotten(durable.current().database);
}

function protocols({ durable }: ErasurePorts): ErasureProtocols {
  return createErasureProtocols(durable.current().database);
}

function add(
  counted: { people: number; facts: number; undelivered: number; files: number },
  people: number,
  facts: readonly FactOfLead[],
): void {
  counted.people += people;
  counted.facts += facts.filter(({ isWhole }) => isWhole).length;
  counted.undelivered += facts.filter(isUndelivered).length;
  counted.files += facts.filter(({ kind, isWhole }) => kind === 'note' && isWhole).length;
}

function isUndelivered({ state, isWhole }: FactOfLead): boolean {
  return isWhole && state !== 'sent' && state !== 'confirmed';
}

/** The lead with this id, if it belongs to the current partner. */
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
  const { partner } = source;
  const facts = leadFacts(ports).of(source.id);
  const out = facts.filter(mayBeThere);
  // A hub notifies the other devices and reports which facts it sent. It accepts no request without a partner.
  const isForHub = ports.isAtHub() && partner !== NOBODYS && partner !== NOT_KNOWN_YET;
  const people = forgottenOf(ports).peopleOf(source.rows, partner);
  let undos: readonly string[] = [];
  const gone = ports.storageGuard.attempt(() => {
    const ids = journal.eraseLeads([source.id], (named) =>
      keepForgetting(ports, { partner, facts: named, people }, isForHub ? out : []),
    );
    // The undo facts are recorded after the erasure, which would otherwise erase them too.
    if (!isForHub && out.length > 0)
      undos = journal.recordAll(out.map(takingBack), null).map(({ fact }) => fact.id);
    return ids;
  });
  if (gone.kind === 'failed') return gone;
  const counted = { people: 0, facts: 0, undelivered: 0, files: 0 };
  add(counted, 1, facts);
  return finish(ports, 'person', partner, {
    ...counted,
    ids: gone.result,
    platformAsked: out.length > 0,
    undos,
    ...(isForHub ? { team: 'told' as const } : {}),
  });
}

function mayBeThere({ kind, state }: Pick<FactOfLead, 'kind' | 'state'>): boolean {
  return kind !== 'undo' && MAY_BE_THERE.has(state);
}

/** Stores an erasure, split into messages by the number of its facts. */
function keepForgetting(
  ports: ErasurePorts,
  { partner, facts, people }: Pick<Forgetting, 'partner' | 'facts' | 'people'>,
  out: readonly FactOfLead[],
): void {
  const at = ports.clock.now() + (ports.clockOffset() ?? 0);
  const forgotten = forgottenOf(ports);
  for (let from = 0; from === 0 || from < facts.length; from += NAMED_AT_ONCE) {
    const named = facts.slice(from, from + NAMED_AT_ONCE);
    const takeBack = out.map(({ id }) => id).filter((id) => named.includes(id));
    forgotten.keep({ id: ports.newId(), at, partner, facts: named, people, takeBack }, '');
  }
}

/**
 * Applies an erasure of another laptop here. Facts that only this device has are reported in turn, and those that it
 * delivered are undone.
 */
function hear(ports: ErasurePorts, forgetting: Forgetting, epoch: string): boolean {
  const { journal, storageGuard } = ports;
  const { partner } = forgetting;
  const forgotten = forgottenOf(ports);
  if (forgotten.isKnown(forgetting.id)) return true;
  const heard = { ...forgetting, takeBack: [] };
  const roots = new Set(
    forgotten.leadsOf(forgetting).flatMap((lead) => journal.leadSources.rootOf(lead) ?? []),
  );
  const facts = [...roots].flatMap((lead) => leadFacts(ports).of(lead));
  const named = new Set(forgetting.facts);
  const further = facts.filter(({ id }) => !named.has(id));
  const out = further.filter((fact) => fact.isOwn && mayBeThere(fact));
  const gone = storageGuard.attempt(() =>
    journal.eraseLeads([...roots], () => {
      forgotten.keep(heard, epoch);
      if (further.length === 0) return;
      keepForgetting(ports, { partner, facts: further.map(({ id }) => id), people: [] }, out);
    }),
  );
  if (gone.kind === 'failed') return false;
  if (gone.result.length === 0) return true;
  const counted = { people: 0, facts: 0, undelivered: 0, files: 0 };
  add(counted, 1, facts);
  const platformAsked = out.length > 0;
  finish(ports, 'person', partner, { ...counted, ids: gone.result, platformAsked, team: 'heard' });
  return true;
}

function told(
  ports: ErasurePorts,
  { id, takeBack }: Untold,
  epoch: string,
  neverOut: readonly string[],
): void {
  const { journal } = ports;
  const facts = takeBack
    .filter((fact) => !neverOut.includes(fact))
    .flatMap((fact) => journal.fact(fact) ?? []);
  ports.storageGuard.attempt(() => {
    if (facts.length > 0) journal.recordAll(facts.map(takingBack), null);
    forgottenOf(ports).setTold(id, epoch);
  });
}

/** The undo of a fact at the platform. It contains the fact's id and nothing about the person. */
function takingBack({
  id,
  touchpoint,
  partner,
}: Pick<FactOfLead, 'id' | 'touchpoint' | 'partner'>): FactDraft {
  const place = { touchpoint, partner, reader: null, source: null, clockOffset: null, staff: null };
  return { ...place, kind: 'undo', payload: { undoes: id } };
}

type Done = Pick<ErasureProtocol, 'people' | 'facts' | 'undelivered' | 'platformAsked' | 'team'> & {
  readonly ids: readonly string[];
  /** Photos and voice notes that the erased facts named. The journal removes them with the facts. */
  readonly files: number;
  /** Ids of the facts that ask the platform to undo something. */
  readonly undos?: readonly string[];
};

/** Erases the facts in all other files, and writes the protocol. */
function finish(
  ports: ErasurePorts,
  kind: ErasureProtocol['kind'],
  partner: string,
  { ids, files, ...counted }: Done,
): Erased {
  const { journal, storageGuard, folder, durable } = ports;
  const done = storageGuard.attempt((): ErasureProtocol => {
    const places: readonly ErasedPlace[] = [
      { place: 'journal.db', state: 'erased', why: null },
      ...(files > 0 ? [{ place: 'attachments', state: 'removed', why: null } as const] : []),
      ...eraseInCopies(folder, durable, ids),
      ...(ports.dropExports() ? [{ place: 'downloads', state: 'removed', why: null } as const] : []),
    ];
    return protocols(ports).add({
      id: ports.newId(),
      kind,
      at: ports.clock.now(),
      event: ports.event,
      partner,
      by: counted.team === 'heard' ? null : ports.staff(),
      ...counted,
      places: [...places],
      chainHead: journal.chainHead(),
    });
  });
  ports.onErased(done.kind === 'failed' ? null : done.result);
  return done.kind === 'failed' ? done : { kind: 'erased', protocol: done.result };
}

/** The facts of a partner. Facts that only this device's hub has count as undelivered, because the hub is ended too. */
function sumOf(ports: ErasurePorts, partner: string): PartnerSum {
  const sum = leadFacts(ports).sum(partner);
  return ports.ownHub?.isOn() === true ? { ...sum, undelivered: sum.undelivered + sum.atHub } : sum;
}

/**
 * Whether erasing this partner's leads also ends this device's hub: it does if the hub holds leads of the current
 * partner.
 */
function endsSharing({ ownHub, partner: present }: ErasurePorts, partner: string): boolean {
  return partner === present() && ownHub?.isOn() === true;
}

function checkOf(ports: ErasurePorts, partner: string): FairCheck {
  const { journal, lastExport, retentionDays } = ports;
  const { facts, undelivered, parked, lastSeq, lastAt } = sumOf(ports, partner);
  const last = lastExport(partner);
  return {
    people: journal.leads.count(partner),
    facts,
    undelivered,
    parked,
    exportedAll: last === null || last.seq < lastSeq ? null : { at: last.at, file: last.file },
    eraseBy: retentionDays === null || lastAt === null ? null : lastAt + retentionDays * DAY_MS,
    endsSharing: endsSharing(ports, partner),
  };
}

/**
 * Erases leads older than the retention period every hour, until `signal` aborts. It starts after the platform had time
 * to answer, because no clock is trusted without its answers.
 */
export async function keepRetention(
  clock: Clock,
  erasure: Pick<ErasureService, 'enforceRetention'>,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(RETENTION_FIRST_MS, signal);
  while (!signal.aborted) {
    await erasure.enforceRetention();
    await clock.sleep(RETENTION_EVERY_MS, signal);
  }
}
