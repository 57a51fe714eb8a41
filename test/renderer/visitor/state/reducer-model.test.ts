/** The display's reducer under random sequences of inputs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceState } from '../../../../src-main/contract/device.ts';
import type { Stand } from '../../../../src-main/contract/stand.ts';
import { displayTimes } from '../../../../src-renderer/times.ts';
import type { DisplayInput } from '../../../../src-renderer/visitor/state/input.ts';
import {
  type Display,
  nextDeadline,
  reduceDisplay,
  viewOf,
} from '../../../../src-renderer/visitor/state/reducer.ts';
import { type Calling, sendCommands } from '../../../../src-renderer/visitor/state/session-commands.ts';
import { isOutcome, sessionOf } from '../../../../src-renderer/visitor/state/timed-views.ts';
import { demoOffer, demoQuestions, everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { healthyDevice, plainStand } from '../../device/healthy-device.ts';
import { capturedBy, ready, tap } from './reducer-player.ts';

const devices: readonly DeviceState[] = [
  healthyDevice,
  { ...healthyDevice, purpose: 'content' },
  { ...healthyDevice, purpose: 'checkin' },
  { ...healthyDevice, readers: [] },
  { ...healthyDevice, storage: 'full' },
  { ...healthyDevice, network: 'offline' },
  {
    ...healthyDevice,
    mirror: { complete: false, resources: [], remaining: null, asks: [], lastPassAt: null },
  },
];

const stands: readonly Stand[] = [
  plainStand,
  fullStand,
  { ...fullStand, questions: [demoQuestions.text, demoQuestions.several] },
  { ...fullStand, consents: fullStand.consents.slice(1), questions: [] },
  { ...fullStand, offer: { count: 0, here: null } },
];

/** An input, or one that depends on the display, such as an acknowledgement of a command or text from its visitor. */
type Move = DisplayInput | ((display: Display, count: number) => DisplayInput | null);

const visitor = fc.integer({ min: 0, max: 30 });
const asking = { asksConsent: true, openQuestions: everyQuestion };
const tapped = visitor.chain((id) =>
  fc
    .constantFrom(
      {},
      { visitor: null },
      { repeat: { count: 2, since: 1 } },
      asking,
      { ...asking, undoUntil: 1_000 },
      { openQuestions: everyQuestion },
      { collected: demoOffer(2)[1] ?? null },
      { checkin: { result: 'welcome' as const, since: 1, count: 3 } },
    )
    .map((change): Move => tap(capturedBy(id, change))),
);

/** Text that only the visitor on the display could have written. */
const ownWords = (display: Display) => `Words-${sessionOf(display.view)?.factId ?? 'nobody'}`;

const move = fc.oneof(
  { weight: 5, arbitrary: tapped },
  visitor.map((id): Move => tap({ kind: 'undone', at: 1, factId: `fact-${id}` })),
  visitor.map((id): Move => tap({ kind: 'refused', at: 1, reason: 'clash', factId: `fact-${id}` })),
  {
    weight: 4,
    arbitrary: fc.constantFrom<Move>(
      tap({ kind: 'reading', at: 1 }),
      tap({ kind: 'removed', at: 1 }),
      tap({ kind: 'notRead', at: 1, reason: 'pulled' }),
      tap({ kind: 'refused', at: 1, reason: 'phone' }),
      tap({ kind: 'refused', at: 1, reason: 'clash' }),
      tap({ kind: 'notAdmitted', at: 1, reason: 'full' }),
      tap({ kind: 'failed', at: 1, reason: 'full' }),
      { kind: 'link', state: 'up' },
      { kind: 'link', state: 'lost' },
      { kind: 'undo' },
      { kind: 'dismiss' },
      { kind: 'staff' },
      tap({ kind: 'staff', at: 1, ticket: 'T' }),
      { kind: 'typeCode' },
      { kind: 'typedKey' },
      { kind: 'codeSent' },
      { kind: 'codeNotTaken' },
      { kind: 'language', language: 'de' },
      { kind: 'tick' },
    ),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Move>(
      { kind: 'touch' },
      { kind: 'stay' },
      { kind: 'readNotice' },
      { kind: 'choose' },
      { kind: 'next' },
      { kind: 'next' },
      { kind: 'leave' },
      { kind: 'answerPrompts' },
      { kind: 'answerPrompts' },
      { kind: 'comfort', on: true },
      { kind: 'comfort', on: false },
      { kind: 'back' },
      { kind: 'openContentPicker' },
      { kind: 'email' },
      { kind: 'setConsent', id: 'news', agrees: true },
      { kind: 'submitConsents', language: 'en', none: false },
      { kind: 'submitConsents', language: 'de', none: true },
      (display) => ({ kind: 'draft', answer: ownWords(display) }),
      (display) => ({ kind: 'answer', language: 'en', answer: ownWords(display) }),
      // Every chosen content is a different one.
      (_, count) => {
        const [item] = demoOffer(1);
        return item ? { kind: 'take', item: { ...item, id: `taken-${count}` } } : null;
      },
      answering('kept'),
      answering('kept'),
      answering('notKept'),
      answering('queued'),
    ),
  },
  visitor.chain((id) =>
    fc
      .constantFrom('done' as const, 'late' as const, 'failed' as const)
      .map((answer): Move => ({ kind: 'undoAnswer', factId: `fact-${id}`, answer })),
  ),
  fc.constantFrom(...devices).map((device): Move => ({ kind: 'device', device })),
  fc.constantFrom(...stands).map((stand): Move => ({ kind: 'stand', stand })),
);

function answering(answer: 'kept' | 'notKept' | 'queued'): Move {
  return (display) => {
    const session = sessionOf(display.view);
    const number = session?.pendingCommands[0]?.number;
    return session && number ? { kind: 'acknowledged', factId: session.factId, number, answer } : null;
  };
}

const sequence = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), move), {
  minLength: 1,
  maxLength: 80,
});

/** Plays `moves` from a stand that offers everything. `look` receives every display. */
function walk(
  moves: readonly (readonly [number, Move])[],
  look: (display: Display, now: number, before: Display, input: DisplayInput) => void,
): { readonly display: Display; readonly now: number } {
  let now = 0;
  let display = reduceDisplay(ready(), { kind: 'stand', stand: fullStand }, now);
  moves.forEach(([wait, one], count) => {
    now += wait;
    const input = (typeof one === 'function' ? one(display, count) : one) ?? { kind: 'tick' };
    const before = display;
    display = reduceDisplay(before, input, now);
    look(display, now, before, input);
  });
  return { display, now };
}

describe('random sequences of inputs', () => {
  it('reach no dead end, leak no visitor, and show "captured" only after a captured event', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        const heard = new Set<string>();
        const end = walk(moves, (display, now, _, input) => {
          if (input.kind === 'tap' && input.event.kind === 'captured') heard.add(input.event.factId);
          const view = viewOf(display, now);
          const shown = JSON.stringify(view).match(/Visitor-\d+|Company-\d+/g) ?? [];
          const owner = sessionOf(display.view)?.factId.replace('fact-', '') ?? null;
          for (const text of shown) {
            expect(text.split('-')[1]).toBe(owner);
            if (view.kind !== 'captured') expect(text).toContain('Visitor-');
          }
          // docs/laws.md#law-1. Only the view and the queue may hold data of a visitor.
          if (view.kind === 'captured') expect(heard.has(view.event.factId)).toBe(true);
          const { view: _view, queue: _line, ...rest } = display;
          expect(JSON.stringify(rest)).not.toMatch(/Visitor-|Company-|Words-/);
          if (display.view) {
            expect(display.view.until).toBeGreaterThan(now);
            expect(nextDeadline(display, now)).not.toBeNull();
          }
        });
        // With only its own timers, the display becomes idle without personal data, and still accepts a tap.
        let { display, now } = end;
        for (let round = 0; round < 500; round += 1) {
          const wake = nextDeadline(display, now);
          if (wake === null) break;
          now = wake;
          display = reduceDisplay(display, { kind: 'tick' }, now);
        }
        expect(display).toMatchObject({ view: null, queue: [], basket: null });
        const again = reduceDisplay(
          reduceDisplay(display, { kind: 'link', state: 'up' }, now),
          tap(capturedBy(99)),
          now,
        );
        expect(viewOf(again, now)).toMatchObject({ kind: 'captured', event: { factId: 'fact-99' } });
      }),
      { numRuns: 2_000 },
    );
  });

  it("never mix one visitor's text, switches and contents with another's", () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        const ownerOf = new Map<string, string>();
        walk(moves, (display, _now, before, input) => {
          const session = sessionOf(display.view);
          const was = sessionOf(before.view);
          const words = new Set(JSON.stringify(display).match(/Words-[\w-]+/g));
          for (const word of words) expect(word).toBe(`Words-${session?.factId}`);
          for (const { item } of session?.selections ?? []) {
            if (!item.id.startsWith('taken-')) continue;
            const owner = ownerOf.get(item.id) ?? session?.factId ?? '';
            ownerOf.set(item.id, owner);
            expect(owner).toBe(session?.factId);
          }
          // Contents that a visitor took with a tap are no longer in a basket.
          for (const { id } of display.basket ?? []) expect(ownerOf.has(id)).toBe(false);
          // At its start a session has no switch on and no answer.
          const begun = session && session.factId !== was?.factId;
          const presented = input.kind === 'tap' && input.event.kind === 'captured';
          if (begun && presented) {
            expect(Object.values(session.agreed).some(Boolean)).toBe(false);
            expect(session).toMatchObject({ drafts: {}, consented: null, answered: [], email: 'none' });
          }
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('let a captured tap replace every view at once, except an outcome within its minimum time', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        walk(moves, (display, now) => {
          const { view, queue } = display;
          if (view && isOutcome(view) && now - view.since < displayTimes.outcomeMinimum[0]) return;
          if (queue.length > 0) return;
          const next = reduceDisplay(display, tap(capturedBy(77)), now);
          expect(viewOf(next, now)).toMatchObject({ kind: 'captured', event: { factId: 'fact-77' } });
        });
      }),
      { numRuns: 500 },
    );
  });

  it('end every session that left the display, unless it was undone, and send each command at most once', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        const calls: string[] = [];
        const link = listening(calls);
        const left: string[] = [];
        const issued: string[] = [];
        walk(moves, (display, _now, before) => {
          sendCommands(link, before, display, () => undefined);
          const was = sessionOf(before.view);
          const session = sessionOf(display.view);
          const undone = display.view?.kind === 'undone' ? display.view.event.factId : null;
          if (was && was.factId !== session?.factId && was.factId !== undone) left.push(`end ${was.factId}`);
          const known = was?.factId === session?.factId ? (was?.commandCount ?? 0) : 0;
          for (let number = known; number < (session?.commandCount ?? 0); number += 1)
            issued.push(`command ${session?.factId}`);
        });
        expect(calls.filter((call) => call.startsWith('end'))).toEqual(left);
        // The device never received a command that was settled within the same step, because the link was lost.
        expect(calls.filter((call) => call.startsWith('command')).length).toBeLessThanOrEqual(issued.length);
      }),
      { numRuns: 500 },
    );
  });

  it('lose no captured outcome: each one reaches the screen', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 25 }), (gaps) => {
        let display = reduceDisplay(ready(), { kind: 'stand', stand: fullStand }, 0);
        let now = 0;
        const seen = new Set<string>();
        const look = () => {
          const view = viewOf(display, now);
          if (view.kind === 'captured') seen.add(view.event.factId);
        };
        const until = (moment: number) => {
          for (
            let wake = nextDeadline(display, now);
            wake !== null && wake <= moment;
            wake = nextDeadline(display, now)
          ) {
            now = wake;
            display = reduceDisplay(display, { kind: 'tick' }, now);
            look();
          }
          now = moment;
        };
        gaps.forEach((gap, id) => {
          until(now + gap);
          display = reduceDisplay(display, tap({ kind: 'reading', at: 1 }), now);
          display = reduceDisplay(display, tap(capturedBy(id, id % 2 ? asking : {})), now);
          look();
        });
        until(now + 120_000);
        expect(seen.size).toBe(gaps.length);
      }),
      { numRuns: 500 },
    );
  });
});

/** A link that records calls. */
function listening(calls: string[]): Calling {
  const keep = async ({ factId }: { readonly factId: string }) => {
    calls.push(`command ${factId}`);
    return { kept: true, state: 'sent' as const };
  };
  const end = async ({ factId }: { readonly factId: string }) => {
    calls.push(`end ${factId}`);
    return { ended: true };
  };
  const client = { session: { consent: keep, answer: keep, skip: keep, collect: keep, email: keep, end } };
  return { call: (make) => make(client, new AbortController().signal) };
}
