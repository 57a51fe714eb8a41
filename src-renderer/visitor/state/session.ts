/**
 * A visit: what one captured tap leads on to, from the first step to the goodbye. Pure.
 *
 *   captured ─► consent? ─► question* ─► shelf? ─► goodbye        each step: answered and kept, or skipped
 *
 *   an ask:  asked ─kept─► told as kept        a step goes on only when its ask was kept; a content counts as taken
 *              └─not kept, no answer─► said so, offered again             only then
 *
 * Invariants: nothing in here says who the visitor is; every ask has a number of its own within the visit and an
 * end, so that a late answer meets nothing else; what is not asked of the device is gone with the visit.
 */
import type { Purpose } from '../../../src-main/contract/device.ts';
import type { Answer, OfferItem, Question, Stand } from '../../../src-main/contract/stand.ts';
import { type CapturedEvent, times } from './view.ts';

export type Step =
  | { readonly kind: 'consent' }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'shelf' }
  | { readonly kind: 'goodbye' };

/** Where "take it back" stands: on offer, asked of the device, its time over, asked too late, not possible. */
export type Undo = 'offered' | 'asked' | 'over' | 'late' | 'failed';

/** What the device is asked to do for this visit. */
export type Wish =
  | {
      readonly kind: 'consent';
      readonly language: string;
      readonly agreed: Readonly<Record<string, boolean>>;
    }
  | { readonly kind: 'answer'; readonly language: string; readonly question: string; readonly answer: Answer }
  | { readonly kind: 'collect'; readonly content: string; readonly take: boolean }
  | { readonly kind: 'email' };

export type Ask = { readonly number: number; readonly until: number; readonly wish: Wish };

/** What became of an ask; `kept` and `notKept` for what is written down, the others for the e-mail. */
export type AskAnswer = 'kept' | 'notKept' | 'sent' | 'queued' | 'impossible';

/** A content this visit took, or tried to. `taken` is what the device keeps. */
export type Thing = {
  readonly item: OfferItem;
  readonly taken: boolean;
  readonly state: 'settled' | 'asked' | 'failed';
};

export type Visit = {
  readonly factId: string;
  /** BCP 47 language the visitor is known to speak. */
  readonly language: string | null;
  readonly steps: readonly Step[];
  /** Index into `steps`; -1 while the outcome is on show. */
  readonly at: number;
  readonly undo: Undo;
  /** From when to when taking back is offered. */
  readonly undoSince: number;
  readonly undoUntil: number;
  /** Switches as they stand, by consent. */
  readonly agreed: Readonly<Record<string, boolean>>;
  /** Answers in the making, by question. */
  readonly drafts: Readonly<Record<string, Answer>>;
  /** How it stands with what this step asked of the device. */
  readonly saving: 'no' | 'asked' | 'failed';
  /** Ids agreed to as the device keeps them; null while nothing was answered. */
  readonly consented: readonly string[] | null;
  /** Questions whose answer the device keeps. */
  readonly answered: readonly string[];
  readonly things: readonly Thing[];
  readonly email: 'no' | 'asked' | 'failed' | 'sent' | 'queued' | 'impossible';
  readonly asks: readonly Ask[];
  readonly asked: number;
};

/** The visit that begins with `event`; `chosen` is taken along with it. */
export function beginVisit(
  event: CapturedEvent,
  known: {
    readonly stand: Stand | null;
    readonly purpose: Purpose | null;
    readonly chosen: readonly OfferItem[];
  },
  now: number,
): Visit {
  const offered = Math.min(Math.max(event.undoUntil - event.at, 0), times.undoMost);
  const visit: Visit = {
    factId: event.factId,
    language: event.visitor?.language ?? null,
    steps: planOf(event, known),
    at: -1,
    undo: offered > 0 ? 'offered' : 'over',
    undoSince: now,
    undoUntil: now + offered,
    agreed: unticked(known.stand),
    drafts: {},
    saving: 'no',
    consented: null,
    answered: [],
    things: event.collected ? [{ item: event.collected, taken: true, state: 'settled' }] : [],
    email: 'no',
    asks: [],
    asked: 0,
  };
  return known.chosen.reduce((so, item) => toggle(so, item, now), visit);
}

function planOf(
  event: CapturedEvent,
  { stand, purpose, chosen }: Parameters<typeof beginVisit>[1],
): readonly Step[] {
  if (!stand) return [];
  const steps: Step[] = [];
  if (event.asksConsent && stand.consents.length > 0) steps.push({ kind: 'consent' });
  if (event.asksQuestions) for (const question of stand.questions) steps.push({ kind: 'question', question });
  const shelf = purpose === 'content' && !stand.offer.here && stand.offer.count > 0;
  if (shelf && chosen.length === 0) steps.push({ kind: 'shelf' });
  return steps.length > 0 || chosen.length > 0 ? [...steps, { kind: 'goodbye' }] : [];
}

/** The step on show, or null while the outcome is. */
export function stepOf(visit: Visit): Step | null {
  return visit.steps[visit.at] ?? null;
}

/** Which of how many steps this is, counted from 1, without the goodbye; null where there is nothing to count. */
export function progressOf(visit: Visit): { readonly at: number; readonly of: number } | null {
  const of = visit.steps.length - 1;
  return of > 1 && visit.at >= 0 && visit.at < of ? { at: visit.at + 1, of } : null;
}

/** The same visit, `by` steps further (or back); what was asked for the step before no longer matters here. */
export function moved(visit: Visit, by: number): Visit {
  return { ...visit, at: visit.at + by, saving: 'no' };
}

/** With the shelf as the next step, wherever the visit stands; a goodbye follows it. */
export function withShelf(visit: Visit): Visit {
  const before = visit.steps.slice(0, visit.at + 1).filter(({ kind }) => kind !== 'goodbye');
  return {
    ...visit,
    steps: [...before, { kind: 'shelf' }, { kind: 'goodbye' }],
    at: before.length,
    saving: 'no',
  };
}

/** Asks the device for `wish`. */
export function ask(visit: Visit, wish: Wish, now: number): Visit {
  const number = visit.asked + 1;
  return { ...visit, asked: number, asks: [...visit.asks, { number, wish, until: now + times.ask }] };
}

/** Takes `item` along, puts it back, or tries again what was not kept; nothing while the device is being asked. */
export function toggle(visit: Visit, item: OfferItem, now: number): Visit {
  const thing = visit.things.find((one) => one.item.id === item.id);
  if (thing?.state === 'asked') return visit;
  const asked = ask(visit, { kind: 'collect', content: item.id, take: !thing?.taken }, now);
  const next: Thing = { item, taken: thing?.taken ?? false, state: 'asked' };
  return {
    ...asked,
    things: thing ? visit.things.map((one) => (one === thing ? next : one)) : [...visit.things, next],
  };
}

/** After the device's answer to ask `number`; unchanged when that is not open (any more). */
export function told(visit: Visit, number: number, answer: AskAnswer): Visit {
  const found = visit.asks.find((one) => one.number === number);
  if (!found) return visit;
  const rest = { ...visit, asks: visit.asks.filter((one) => one !== found) };
  const { wish } = found;
  const step = stepOf(visit);
  switch (wish.kind) {
    case 'email':
      return { ...rest, email: answer === 'kept' || answer === 'notKept' ? 'failed' : answer };
    case 'collect':
      return { ...rest, things: settled(visit.things, wish.content, wish.take, answer === 'kept') };
    case 'consent': {
      const here = step?.kind === 'consent';
      if (answer !== 'kept') return here ? { ...rest, saving: 'failed' } : rest;
      const consented = Object.keys(wish.agreed).filter((id) => wish.agreed[id]);
      return here ? { ...moved(rest, 1), consented } : { ...rest, consented };
    }
    case 'answer': {
      const here = step?.kind === 'question' && step.question.id === wish.question;
      if (answer !== 'kept') return here ? { ...rest, saving: 'failed' } : rest;
      const counted = {
        ...rest,
        answered: [...rest.answered.filter((id) => id !== wish.question), wish.question],
      };
      return here ? moved(counted, 1) : counted;
    }
  }
}

/** What time settles: asks nobody answered count as not kept, and undo is no longer offered. */
export function overdue(visit: Visit, now: number): Visit {
  const over = visit.undo === 'offered' && now >= visit.undoUntil;
  return visit.asks
    .filter(({ until }) => now >= until)
    .reduce(
      (so, { number }) => told(so, number, 'notKept'),
      over ? { ...visit, undo: 'over' as const } : visit,
    );
}

/** The visit when nothing it asked can be answered any more. */
export function allNotKept(visit: Visit): Visit {
  return visit.asks.reduce((so, { number }) => told(so, number, 'notKept'), visit);
}

/** The visit when the wording of notice or consents has changed: every switch is back at no. */
export function underStand(visit: Visit, stand: Stand): Visit {
  return { ...visit, agreed: unticked(stand) };
}

function unticked(stand: Stand | null): Visit['agreed'] {
  return Object.fromEntries((stand?.consents ?? []).map(({ id }) => [id, false]));
}

function settled(things: readonly Thing[], content: string, take: boolean, kept: boolean): readonly Thing[] {
  return things.flatMap((thing): Thing[] => {
    if (thing.item.id !== content) return [thing];
    if (!kept) return [{ ...thing, state: 'failed' }];
    return take ? [{ ...thing, taken: true, state: 'settled' }] : [];
  });
}
