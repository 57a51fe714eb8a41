/**
 * Tap sessions: a visitor's additions to a tap. A session opens with each captured tap, has the id of the tap's fact,
 * and ends when the visitor is done, undoes the tap, or has done nothing for two minutes.
 *
 * Invariants:
 * - Each consent, answer, skipped question and content is a fact of the tap's badge, visitor and place. Each call
 *   returns true only after its commit.
 * - Answers are sent together with the lead's earlier ones, because the platform replaces all of them.
 * - A content that is collected twice in one session is recorded as one fact.
 * - Nothing is stored for a visitor who has been removed.
 */
import type { Answer } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Clock } from '../../foundations/ports.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';
import type { BadgeReference, Fact, FactContent } from '../../journal/facts/fact.ts';
import type { FactDraft } from '../../journal/facts/journal.ts';
import { isAnswerTo, type PendingPrompts } from './pending-prompts.ts';

export type TapSessions = {
  /** Opens the session of a captured tap of `who`. `collected`: the collected contents with their facts. */
  readonly open: (
    tap: Fact,
    who: BadgeReference,
    lead: string,
    visitor: VisitorSnapshot | null,
    collected: ReadonlyMap<string, string>,
  ) => void;
  /** Opens the session again, even an ended one, for example because the badge still rests on the reader. */
  readonly touch: (tap: string) => void;
  readonly consent: (tap: string, language: string, agreed: Readonly<Record<string, boolean>>) => boolean;
  readonly answer: (tap: string, language: string, question: string, answer: Answer) => boolean;
  /** Records that the visitor skipped a question, so that it is not asked again. */
  readonly skip: (tap: string, question: string) => boolean;
  readonly collect: (tap: string, content: string, take: boolean) => boolean;
  readonly end: (tap: string) => boolean;
  /** Whether the visitor answered something, or ended the session. */
  readonly isActedOn: (tap: string) => boolean;
  /**
   * The facts of a session, without its tap and without undone ones: contents, then consents and answers, each latest
   * first. An undo of the tap undoes them.
   */
  readonly facts: (tap: string) => readonly string[];
  /** Closes the session of an undone tap. */
  readonly close: (tap: string) => void;
  /** The visitor of an open session, or null. */
  readonly visitorOf: (tap: string) => string | null;
};

type TapSessionsPorts = {
  readonly mirror: Mirror;
  readonly clock: Clock;
  /** Platform time minus ours in milliseconds, or null. */
  readonly clockOffset: () => number | null;
  readonly pendingPrompts: PendingPrompts;
  /** Whether our partner offers this content. */
  readonly offers: (content: string) => boolean;
  /**
   * Whether the platform has a page that shows the contents taken with a tap. If so, a collected content names its
   * tap.
   */
  readonly hasBagPages: () => boolean;
  /** Records facts, or returns null and reports the fault when the write fails. */
  readonly record: (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null) => readonly Fact[] | null;
};

/** One session. */
type TapSession = {
  readonly tap: Fact;
  readonly who: BadgeReference;
  readonly lead: string;
  readonly visitor: VisitorSnapshot | null;
  /** Collected contents and their facts. */
  readonly taken: Map<string, string>;
  /** Facts of consents and answers, oldest first. */
  readonly said: string[];
  isOver: boolean;
  /** Monotonic milliseconds of the visitor's last action. */
  actedAt: number;
};

/** The tap sessions of one device. */
export function createTapSessions(ports: TapSessionsPorts): TapSessions {
  const { mirror, clock, pendingPrompts } = ports;
  const sessions = new Map<string, TapSession>();

  const isStale = ({ actedAt }: TapSession): boolean => clock.monotonic() - actedAt > TAP_SESSION_MS;
  /** Removes expired sessions, oldest first, up to the first one that has not expired. */
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
  /** Runs `work`, and extends the session when it succeeds. */
  const act = (tap: string, work: (session: TapSession) => boolean): boolean => {
    const session = openSession(tap);
    if (session === null || !work(session)) return false;
    session.actedAt = clock.monotonic();
    return true;
  };

  /** Records one fact of the session. Returns its id, or null when the write fails. */
  const record = ({ tap, visitor }: TapSession, content: FactContent): string | null => {
    const { touchpoint, partner, source, reader, staff } = tap;
    const place = { touchpoint, partner, source, reader, staff, clockOffset: ports.clockOffset() };
    const facts = ports.record([{ ...content, ...place }], visitor);
    return facts?.[0]?.id ?? null;
  };
  /** Records a consent or an answer. */
  const say = (session: TapSession, content: FactContent): boolean => {
    const fact = record(session, content);
    if (fact !== null) session.said.push(fact);
    return fact !== null;
  };
  const take = (session: TapSession, content: string): boolean => {
    if (session.taken.has(content)) return true;
    if (!ports.offers(content)) return false;
    const bag = ports.hasBagPages() ? { fields: { bag: session.tap.id } } : {};
    const fact = record(session, { kind: 'collect', payload: { ...session.who, content, ...bag } });
    if (fact !== null) session.taken.set(content, fact);
    return fact !== null;
  };
  const putBack = (session: TapSession, content: string): boolean => {
    const undoes = session.taken.get(content);
    if (undoes === undefined) return true;
    if (record(session, { kind: 'undo', payload: { ...session.who, undoes } }) === null) return false;
    return session.taken.delete(content);
  };

  return {
    open: (tap, who, lead, visitor, collected) => {
      forgetStale();
      sessions.set(tap.id, {
        tap,
        who,
        lead,
        visitor,
        taken: new Map(collected),
        said: [],
        isOver: false,
        actedAt: clock.monotonic(),
      });
    },
    touch: (tap) => {
      const session = sessions.get(tap);
      if (session !== undefined) Object.assign(session, { isOver: false, actedAt: clock.monotonic() });
    },
    consent: (tap, language, agreed) =>
      act(tap, (session) => {
        const consent = pendingPrompts.consent(session.tap, session.lead, language, agreed);
        return (
          consent !== null &&
          say(session, { kind: 'consent', payload: { ...session.who, fields: { consent } } })
        );
      }),
    answer: (tap, language, question, answer) =>
      act(tap, (session) => {
        const wanted = pendingPrompts.question(session.tap, question);
        if (wanted === null || !isAnswerTo(wanted, answer)) return false;
        const answers = { ...pendingPrompts.answers(session.tap, session.lead), [question]: answer };
        return say(session, { kind: 'qualify', payload: { ...session.who, fields: { answers, language } } });
      }),
    skip: (tap, question) =>
      act(tap, (session) => {
        if (pendingPrompts.question(session.tap, question) === null) return false;
        const skipped = pendingPrompts.skipped(session.lead);
        if (skipped.includes(question)) return true;
        const fields = { skipped: [...skipped, question] };
        return say(session, { kind: 'qualify', payload: { ...session.who, fields } });
      }),
    collect: (tap, content, isTaken) =>
      act(tap, (session) => (isTaken ? take(session, content) : putBack(session, content))),
    end: (tap) => {
      const session = openSession(tap);
      if (session !== null) session.isOver = true;
      return session !== null;
    },
    isActedOn: (tap) => {
      const session = sessions.get(tap);
      return session !== undefined && (session.isOver || session.said.length > 0);
    },
    facts: (tap) => {
      const session = sessions.get(tap);
      return session === undefined ? [] : [...session.said, ...session.taken.values()].toReversed();
    },
    close: (tap) => void sessions.delete(tap),
    visitorOf: (tap) => openSession(tap)?.visitor?.id ?? null,
  };
}
