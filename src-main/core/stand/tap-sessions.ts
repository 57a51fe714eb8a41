/**
 * Visits: what a visitor adds to a tap. A visit opens with each captured tap, is named by the tap's fact, and ends when
 * the visitor is done, takes the tap back, or has done nothing for two minutes.
 *
 * Invariants: "kept" is said only after the commit; each answer, a refusal too, is a fact of the tap's badge, visitor
 * and place; answers go out together with those the lead gave before, because the platform replaces them as a whole;
 * a content taken twice in one visit is one fact; nothing is kept of a visitor who was removed meanwhile.
 */
import type { Answer } from '../../contract/stand.ts';
import type { Fact, FactPayload } from '../journal/fact.ts';
import type { FactDraft, Journal } from '../journal/journal.ts';
import type { VisitorSnapshot } from '../journal/leads.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Clock } from '../ports.ts';
import { TAP_SESSION_MS } from '../time/windows.ts';
import { isAnswerTo, type PendingPrompts } from './pending-prompts.ts';

export type TapSessions = {
  /** A tap was captured; `collected` are contents it took along, with the facts that say so. */
  readonly open: (
    tap: Fact,
    lead: string,
    visitor: VisitorSnapshot | null,
    collected: ReadonlyMap<string, string>,
  ) => void;
  /** Shown again while the badge rests: the visitor is still here, also one who was done. */
  readonly touch: (tap: string) => void;
  readonly consent: (tap: string, language: string, agreed: Readonly<Record<string, boolean>>) => boolean;
  readonly answer: (tap: string, language: string, question: string, answer: Answer) => boolean;
  readonly collect: (tap: string, content: string, take: boolean) => boolean;
  readonly end: (tap: string) => boolean;
  /** Facts of a visit besides its tap that still count, latest first: what goes with the tap when it is taken back. */
  readonly facts: (tap: string) => readonly string[];
  /** The tap was taken back. */
  readonly close: (tap: string) => void;
  /** The visitor of an open visit, or null. */
  readonly visitorOf: (tap: string) => string | null;
};

export type TapSessionsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly clockOffset: () => number | null;
  readonly pendingPrompts: PendingPrompts;
  /** Whether our partner offers this content. */
  readonly offers: (content: string) => boolean;
  /** Records facts for good, or says (and tells whoever must know) that the disk refuses. */
  readonly record: (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null) => readonly Fact[] | null;
};

type Visit = {
  readonly tap: Fact;
  readonly lead: string;
  readonly visitor: VisitorSnapshot | null;
  /** Contents taken along, with the fact that says so. */
  readonly taken: Map<string, string>;
  /** Consents and answers, oldest first. */
  readonly said: string[];
  isOver: boolean;
  actedAt: number;
};

/** The visits of one device. */
export function createTapSessions(ports: TapSessionsPorts): TapSessions {
  const { mirror, clock, pendingPrompts } = ports;
  const visits = new Map<string, Visit>();

  const isStale = ({ actedAt }: Visit): boolean => clock.monotonic() - actedAt > TAP_SESSION_MS;
  /** Oldest first, up to one that is open; what stands behind it goes another time. */
  const forgetStale = (): void => {
    for (const [id, visit] of visits) {
      if (!isStale(visit)) return;
      visits.delete(id);
    }
  };
  const openVisit = (tap: string): Visit | null => {
    const visit = visits.get(tap);
    if (visit === undefined || visit.isOver || isStale(visit)) return null;
    return visit.visitor !== null && mirror.record('visitors', visit.visitor.id) === null ? null : visit;
  };

  /** One fact of the visit; its id once it is on disk, null when the disk refuses. */
  const keep = ({ tap, visitor }: Visit, kind: FactDraft['kind'], said: FactPayload): string | null => {
    const { badge, otherCodes, visitor: id } = tap.payload ?? {};
    const whose = {
      ...(badge === undefined ? {} : { badge }),
      ...(otherCodes === undefined ? {} : { otherCodes }),
      ...(id === undefined ? {} : { visitor: id }),
    };
    const { touchpoint, partner, source, reader, staff } = tap;
    const place = { touchpoint, partner, source, reader, staff, clockOffset: ports.clockOffset() };
    const facts = ports.record([{ kind, ...place, payload: { ...whose, ...said } }], visitor);
    return facts?.[0]?.id ?? null;
  };

  const say = (
    visit: Visit,
    kind: 'consent' | 'qualify',
    fields: Readonly<Record<string, unknown>>,
  ): boolean => {
    const fact = keep(visit, kind, { fields });
    if (fact === null) return false;
    visit.said.push(fact);
    visit.actedAt = clock.monotonic();
    return true;
  };

  const take = (visit: Visit, content: string): boolean => {
    if (visit.taken.has(content)) return true;
    if (!ports.offers(content)) return false;
    const fact = keep(visit, 'collect', { content });
    if (fact !== null) visit.taken.set(content, fact);
    return fact !== null;
  };

  const putBack = (visit: Visit, content: string): boolean => {
    const undoes = visit.taken.get(content);
    if (undoes === undefined) return true;
    if (keep(visit, 'undo', { undoes }) === null) return false;
    return visit.taken.delete(content);
  };

  return {
    open: (tap, lead, visitor, collected) => {
      forgetStale();
      const taken = new Map(collected);
      visits.set(tap.id, { tap, lead, visitor, taken, said: [], isOver: false, actedAt: clock.monotonic() });
    },
    touch: (tap) => {
      const visit = visits.get(tap);
      if (visit !== undefined) Object.assign(visit, { isOver: false, actedAt: clock.monotonic() });
    },
    consent: (tap, language, agreed) => {
      const visit = openVisit(tap);
      const consent = visit && pendingPrompts.consent(visit.tap, visit.lead, language, agreed);
      return visit !== null && consent !== null && say(visit, 'consent', { consent });
    },
    answer: (tap, language, question, answer) => {
      const visit = openVisit(tap);
      const wanted = visit && pendingPrompts.question(visit.tap, question);
      if (visit === null || wanted === null || !isAnswerTo(wanted, answer)) return false;
      const answers = { ...pendingPrompts.answers(visit.tap, visit.lead), [question]: answer };
      return say(visit, 'qualify', { answers, language });
    },
    collect: (tap, content, isTaken) => {
      const visit = openVisit(tap);
      if (visit === null) return false;
      const kept = isTaken ? take(visit, content) : putBack(visit, content);
      if (kept) visit.actedAt = clock.monotonic();
      return kept;
    },
    end: (tap) => {
      const visit = openVisit(tap);
      if (visit !== null) visit.isOver = true;
      return visit !== null;
    },
    facts: (tap) => {
      const visit = visits.get(tap);
      return visit === undefined ? [] : [...visit.said, ...visit.taken.values()].toReversed();
    },
    close: (tap) => void visits.delete(tap),
    visitorOf: (tap) => openVisit(tap)?.visitor?.id ?? null,
  };
}
