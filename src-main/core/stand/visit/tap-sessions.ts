/**
 * Tap sessions: what a visitor adds to a tap. A session opens with each captured tap, is named by the tap's fact, and
 * ends when the visitor is done, takes the tap back, or has done nothing for two minutes.
 *
 * Invariants: "kept" is said only after the commit; answers go out together with those the lead gave before, because the
 * platform replaces them as a whole; a content taken twice in one session is one fact; nothing is kept of a visitor who
 * was removed meanwhile.
 */
import type { Answer } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Clock } from '../../foundations/ports.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';
import type { BadgeReference, Fact } from '../../journal/facts/fact.ts';
import { isAnswerTo, type PendingPrompts } from './pending-prompts.ts';
import { createSessionFacts, type SessionFactsPorts, type TapSession } from './session-facts.ts';

export type TapSessions = {
  /** A tap of `who` was captured; `collected` are contents it took along, with the facts that say so. */
  readonly open: (
    tap: Fact,
    who: BadgeReference,
    lead: string,
    visitor: VisitorSnapshot | null,
    collected: ReadonlyMap<string, string>,
  ) => void;
  /** Shown again while the badge rests: the visitor is still here, also one who was done. */
  readonly touch: (tap: string) => void;
  readonly consent: (tap: string, language: string, agreed: Readonly<Record<string, boolean>>) => boolean;
  readonly answer: (tap: string, language: string, question: string, answer: Answer) => boolean;
  /** The question is not asked again. */
  readonly skip: (tap: string, question: string) => boolean;
  readonly collect: (tap: string, content: string, take: boolean) => boolean;
  readonly end: (tap: string) => boolean;
  /** Facts of a session besides its tap that still count, latest first: what goes when the tap is taken back. */
  readonly facts: (tap: string) => readonly string[];
  /** The tap was taken back. */
  readonly close: (tap: string) => void;
  /** The visitor of an open session, or null. */
  readonly visitorOf: (tap: string) => string | null;
};

export type TapSessionsPorts = SessionFactsPorts & {
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly pendingPrompts: PendingPrompts;
};

/** The tap sessions of one device. */
export function createTapSessions(ports: TapSessionsPorts): TapSessions {
  const { mirror, clock, pendingPrompts } = ports;
  const facts = createSessionFacts(ports);
  const sessions = new Map<string, TapSession>();

  const isStale = ({ actedAt }: TapSession): boolean => clock.monotonic() - actedAt > TAP_SESSION_MS;
  /** Oldest first, up to one that is open; what stands behind it goes another time. */
  const forgetStale = (): void => {
    for (const [id, session] of sessions) {
      if (!isStale(session)) return;
      sessions.delete(id);
    }
  };
  const openSession = (tap: string): TapSession | null => {
    const session = sessions.get(tap);
    if (session === undefined || session.isOver || isStale(session)) return null;
    const { visitor } = session;
    return visitor !== null && mirror.record('visitors', visitor.id) === null ? null : session;
  };
  /** Does something that keeps the session open if it was kept. */
  const act = (tap: string, work: (session: TapSession) => boolean): boolean => {
    const session = openSession(tap);
    if (session === null || !work(session)) return false;
    session.actedAt = clock.monotonic();
    return true;
  };

  return {
    open: (tap, who, lead, visitor, collected) => {
      forgetStale();
      const said = { taken: new Map(collected), said: [] };
      sessions.set(tap.id, { tap, who, lead, visitor, ...said, isOver: false, actedAt: clock.monotonic() });
    },
    touch: (tap) => {
      const session = sessions.get(tap);
      if (session !== undefined) Object.assign(session, { isOver: false, actedAt: clock.monotonic() });
    },
    consent: (tap, language, agreed) =>
      act(tap, (session) => {
        const consent = pendingPrompts.consent(session.tap, session.lead, language, agreed);
        return consent !== null && facts.consent(session, consent);
      }),
    answer: (tap, language, question, answer) =>
      act(tap, (session) => {
        const wanted = pendingPrompts.question(session.tap, question);
        if (wanted === null || !isAnswerTo(wanted, answer)) return false;
        const answers = { ...pendingPrompts.answers(session.tap, session.lead), [question]: answer };
        return facts.answers(session, answers, language);
      }),
    skip: (tap, question) =>
      act(tap, (session) => {
        if (pendingPrompts.question(session.tap, question) === null) return false;
        const skipped = pendingPrompts.skipped(session.lead);
        return skipped.includes(question) || facts.skip(session, [...skipped, question]);
      }),
    collect: (tap, content, isTaken) =>
      act(tap, (session) => (isTaken ? facts.take(session, content) : facts.putBack(session, content))),
    end: (tap) => {
      const session = openSession(tap);
      if (session !== null) session.isOver = true;
      return session !== null;
    },
    facts: (tap) => {
      const session = sessions.get(tap);
      return session === undefined ? [] : [...session.said, ...session.taken.values()].toReversed();
    },
    close: (tap) => void sessions.delete(tap),
    visitorOf: (tap) => openSession(tap)?.visitor?.id ?? null,
  };
}
