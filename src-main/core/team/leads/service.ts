/**
 * Leads for the stand team: reads in a separate thread, edits here.
 *
 * Invariants:
 * - Every call concerns the current partner (docs/laws.md#law-14).
 * - The reading thread answers each question with the current settings.
 */

import {
  type CompaniesMerged,
  type HotRule,
  type LeadFacets,
  type LeadFilter,
  type LeadLine,
  type LeadNumbers,
  type LeadWords,
  targetsSchema,
  type Worklist,
} from '../../../contract/leads.ts';
import type { Person } from '../../../contract/people.ts';
import type { TapSource } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { BadgeReading } from '../../foundations/ports.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { NOT_KNOWN_YET } from '../../journal/facts/lead-projection.ts';
import { type DeviceAssignment, partnerNow } from '../../stand/device/assignment.ts';
import type { StandSettings } from '../../stand/visit/settings.ts';
import { createLeadAttachments, type LeadAttachments, type LeadAttachmentsPorts } from './attachments.ts';
import { readContactCard } from './contact-card.ts';
import { createLeadEdits, type LeadEdits, type LeadEditsPorts } from './edits.ts';
import { rulesIn } from './hot.ts';
import { createWorkerLink, type WorkerLink, type WorkerLinkPorts } from './worker-link.ts';

export type LeadService = LeadEdits & {
  readonly ask: WorkerLink['ask'];
  readonly words: () => LeadWords;
  readonly facets: (filter: LeadFilter) => Promise<LeadFacets | null>;
  /** People to whom staff may assign a badge: first people of the event, then people whom the team entered. */
  readonly persons: (search: string) => Promise<readonly Person[]>;
  /** Puts all people of these companies under one company name. */
  readonly mergeCompanies: (companies: readonly string[], into: string) => Promise<CompaniesMerged>;
  readonly readContact: typeof readContactCard;
  readonly attachments: LeadAttachments;
  readonly worklist: () => Promise<Worklist>;
  /** Stores a refused reading if the reading may help staff. */
  readonly keepRefused: (reading: BadgeReading, text: string, source: TapSource) => void;
  readonly settle: (id: string, settled: boolean) => boolean;
  /** The rule of a partner. Default: the current partner. */
  readonly hotRule: (partner?: string) => { readonly rule: HotRule; readonly changed: boolean };
  /** Changes the rule of the current partner. Null restores the rule of `stand.json`. */
  readonly changeHotRule: (rule: HotRule | null) => boolean;
  readonly numbers: () => Promise<LeadNumbers>;
  /** Sets the current partner's target, in people a day. Null removes it. */
  readonly changeTarget: (target: number | null) => boolean;
  readonly isReady: () => boolean;
  /** Reads everything again after the journal was replaced or facts were recovered. */
  readonly readAnew: () => void;
  readonly stop: () => Promise<void>;
};

type LeadServicePorts = Omit<LeadEditsPorts, 'partner' | 'form'> &
  Pick<LeadAttachmentsPorts, 'files' | 'database' | 'draw' | 'freeBytes'> &
  Pick<WorkerLinkPorts, 'log' | 'program' | 'onReady'> & {
    readonly settings: StandSettings;
    readonly assignment: () => DeviceAssignment | null;
    readonly timezone: () => string;
    readonly now: () => number;
    /** Paths of the two databases, for the reading thread. */
    readonly databases: { readonly journal: string; readonly mirror: string };
  };

const MOST_IN_WORKLIST = 500;
/** The most people that one call files under a company, because each is a fact. */
const MOST_FILED = 1_000;
/** The most people entered by the team that are offered, latest first. */
const MOST_WRITTEN_DOWN = 100;

/** Refusals that identify no person: nothing was read, or the code was that of a content or an address. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['empty', 'content', 'otherContent']);

/** Leads of one device for its stand team. */
export function createLeadService(ports: LeadServicePorts): LeadService {
  const { journal, mirror, settings, storageGuard } = ports;
  const partner = (): string => partnerNow(ports.assignment());
  const hotRule = (of = partner()) => ruleOf(journal, settings, of);
  /** Stores the current partner's value in a setting (`all`) that holds one value per partner. Null removes it. */
  const changeOwn = (
    key: 'hotRule' | 'targets',
    all: Readonly<Record<string, unknown>>,
    value: unknown,
  ): boolean => {
    const { [partner()]: _before, ...others } = all;
    const text = JSON.stringify(value === null ? others : { ...others, [partner()]: value });
    return storageGuard.attempt(() => journal.settings.set(key, text)).kind === 'kept';
  };

  const link = createWorkerLink({
    log: ports.log,
    program: ports.program,
    onReady: ports.onReady,
    opening: () => {
      const now = partner();
      if (now !== NOT_KNOWN_YET) journal.leads.adopt(now);
      const { questions, form } = settings;
      const known = { labels: labelsOf(mirror), questions, form };
      const reading = { partner: now, rule: hotRule().rule, words: known, timezone: ports.timezone() };
      return { ...ports.databases, settings: reading };
    },
  });

  const writing = { journal, storageGuard, place: ports.place, newId: ports.newId, partner };
  const edits = createLeadEdits({ ...writing, mirror, form: settings.form });
  return {
    ...edits,
    attachments: createLeadAttachments({
      ...writing,
      files: ports.files,
      database: ports.database,
      draw: ports.draw,
      freeBytes: ports.freeBytes,
    }),
    ask: link.ask,
    isReady: link.isReady,
    readAnew: link.reopen,
    stop: link.stop,
    words: () => wordsOf(mirror, settings),
    readContact: readContactCard,
    facets: async (filter) => {
      const facets = await link.ask('facets', filter);
      return facets === null ? null : { ...facets, refused: journal.refusedCodes.count(partner()) };
    },
    persons: async (search) => {
      const found = (await link.ask('persons', search)).map((person): Person => {
        const lead = journal.leads.ofVisitor(partner(), person.visitor);
        return { ...person, lead: lead === null ? null : journal.leadSources.rootOf(lead) };
      });
      if (search.trim() === '') return found;
      const request = { sort: 'latest', from: { position: 0 }, limit: MOST_WRITTEN_DOWN } as const;
      const { leads } = await link.ask('page', { filter: { search, byHand: true }, ...request });
      return [...found, ...leads.flatMap(writtenDown)];
    },
    mergeCompanies: async (companies, into) => {
      const leads = new Set<string>();
      for (const company of companies)
        for (const lead of await link.ask('ofCompany', company, MOST_FILED + 1)) leads.add(lead);
      return leads.size > MOST_FILED ? { kind: 'tooMany' } : edits.file([...leads], into);
    },
    worklist: async () => {
      const request = {
        filter: { unknown: true, undone: false },
        sort: 'latest',
        from: { position: 0 },
        limit: MOST_IN_WORKLIST,
      } as const;
      const { leads } = await link.ask('page', request);
      return { unknown: leads, refused: [...journal.refusedCodes.open(partner(), MOST_IN_WORKLIST)] };
    },
    keepRefused: (reading, text, source) => {
      if (reading.kind !== 'notABadge' || SAYS_NOTHING.has(reading.reason)) return;
      const { reason } = reading;
      const { touchpoint } = ports.place();
      const code = {
        id: ports.newId(),
        at: ports.now(),
        source,
        text,
        reason,
        touchpoint,
        partner: partner(),
      };
      storageGuard.attempt(() => journal.refusedCodes.keep(code));
    },
    settle: (id, settled) => {
      const done = storageGuard.attempt(() => journal.refusedCodes.settle(partner(), id, settled));
      return done.kind === 'kept' && done.result;
    },
    hotRule,
    numbers: async () => ({
      ...(await link.ask('numbers')),
      target: targetsIn(journal.settings.get('targets'))[partner()] ?? null,
    }),
    changeTarget: (target) => changeOwn('targets', targetsIn(journal.settings.get('targets')), target),
    changeHotRule: (rule) => {
      const isKept = changeOwn('hotRule', rulesIn(journal.settings.get('hotRule')), rule);
      ports.onReady();
      return isKept;
    },
  };
}

/** People entered by the team have no badge. A lead with a badge is not offered. */
function writtenDown({ id, name, badgeTail, ...line }: LeadLine): readonly Person[] {
  const { company, jobTitle, place } = line;
  if (name === null || badgeTail !== '') return [];
  return [{ visitor: null, name, company, jobTitle, place, lead: id }];
}

/** The targets that stand teams set, by partner. An invalid target is left out. */
function targetsIn(text: string | null): Readonly<Record<string, number>> {
  return targetsSchema.safeParse(parseOrUndefined(text ?? '')).data ?? {};
}

function ruleOf(
  journal: Journal,
  settings: StandSettings,
  partner: string,
): { readonly rule: HotRule; readonly changed: boolean } {
  const kept = rulesIn(journal.settings.get('hotRule'))[partner];
  return { rule: kept ?? settings.hot, changed: kept !== undefined };
}

function wordsOf(mirror: Mirror, settings: StandSettings): LeadWords {
  const named = (resource: ResourceName) =>
    mirror.records(resource).map(({ id, body }) => ({ id, name: nameIn(body, id) }));
  return {
    labels: labelsOf(mirror),
    contents: named('contents'),
    touchpoints: named('touchpoints'),
    questions: settings.questions,
    form: settings.form,
    consents: settings.consents,
  };
}

function labelsOf(mirror: Mirror): LeadWords['labels'] {
  return mirror.records('labels').map(({ id, body }) => ({
    id,
    name: nameIn(body, id),
    colour: typeof body.color === 'string' ? body.color : null,
  }));
}

function nameIn({ name }: Readonly<Record<string, unknown>>, otherwise: string): string {
  return typeof name === 'string' && name !== '' ? name : otherwise;
}
