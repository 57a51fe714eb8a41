/**
 * The facts of a tap session: a consent, answers, a content taken or put back.
 *
 * Invariants: each, a refusal too, is a fact of the tap's badge, visitor and place; each of these functions is true only
 * once it is on disk, and the session knows of it only then.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Answers, BadgeReference, Consent, Fact, FactContent } from '../../journal/facts/fact.ts';
import type { FactDraft } from '../../journal/facts/journal.ts';

/** One session. */
export type TapSession = {
  readonly tap: Fact;
  readonly who: BadgeReference;
  readonly lead: string;
  readonly visitor: VisitorSnapshot | null;
  /** Contents taken along, with the fact that says so. */
  readonly taken: Map<string, string>;
  /** Facts of consents and answers, oldest first. */
  readonly said: string[];
  isOver: boolean;
  /** Monotonic milliseconds of the visitor's last act. */
  actedAt: number;
};

export type SessionFacts = {
  readonly consent: (session: TapSession, consent: Consent) => boolean;
  readonly answers: (session: TapSession, answers: Answers, language: string) => boolean;
  readonly take: (session: TapSession, content: string) => boolean;
  /** `questions`: all the lead has skipped so far. */
  readonly skip: (session: TapSession, questions: readonly string[]) => boolean;
  readonly putBack: (session: TapSession, content: string) => boolean;
};

export type SessionFactsPorts = {
  readonly clockOffset: () => number | null;
  /** Whether our partner offers this content. */
  readonly offers: (content: string) => boolean;
  /** Records facts for good, or says (and tells whoever must know) that the disk refuses. */
  readonly record: (drafts: readonly FactDraft[], visitor: VisitorSnapshot | null) => readonly Fact[] | null;
};

/** The facts of the sessions of one device. */
export function createSessionFacts(ports: SessionFactsPorts): SessionFacts {
  /** One fact of the session; its id once it is on disk, null when the disk refuses. */
  const keep = ({ tap, visitor }: TapSession, content: FactContent): string | null => {
    const { touchpoint, partner, source, reader, staff } = tap;
    const place = { touchpoint, partner, source, reader, staff, clockOffset: ports.clockOffset() };
    const facts = ports.record([{ ...content, ...place }], visitor);
    return facts?.[0]?.id ?? null;
  };
  const say = (session: TapSession, content: FactContent): boolean => {
    const fact = keep(session, content);
    if (fact !== null) session.said.push(fact);
    return fact !== null;
  };

  return {
    consent: (session, consent) =>
      say(session, { kind: 'consent', payload: { ...session.who, fields: { consent } } }),
    answers: (session, answers, language) =>
      say(session, { kind: 'qualify', payload: { ...session.who, fields: { answers, language } } }),
    skip: (session, skipped) =>
      say(session, { kind: 'qualify', payload: { ...session.who, fields: { skipped } } }),
    take: (session, content) => {
      if (session.taken.has(content)) return true;
      if (!ports.offers(content)) return false;
      const fact = keep(session, { kind: 'collect', payload: { ...session.who, content } });
      if (fact !== null) session.taken.set(content, fact);
      return fact !== null;
    },
    putBack: (session, content) => {
      const undoes = session.taken.get(content);
      if (undoes === undefined) return true;
      if (keep(session, { kind: 'undo', payload: { ...session.who, undoes } }) === null) return false;
      return session.taken.delete(content);
    },
  };
}
