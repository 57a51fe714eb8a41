/** The display's state machine, by examples and by 2,000 random sequences. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import {
  type Display,
  firstDisplay,
  stageOf,
  step,
  wakeAt,
  wishesOf,
} from '../../src-renderer/visitor/machine.ts';
import { type Input, times } from '../../src-renderer/visitor/stages.ts';
import { healthyDevice } from './healthy-device.ts';

const up: readonly Input[] = [
  { kind: 'link', state: 'up' },
  { kind: 'device', device: healthyDevice },
];

function play(inputs: readonly (readonly [number, Input])[], from = ready()): Display {
  return inputs.reduce((display, [at, input]) => step(display, input, at), from);
}

function ready(): Display {
  return up.reduce((display, input) => step(display, input, 0), firstDisplay(0));
}

const tap = (event: TapEvent): Input => ({ kind: 'tap', event });
const capturedBy = (id: number, change: Partial<Extract<TapEvent, { kind: 'captured' }>> = {}): TapEvent => ({
  kind: 'captured',
  at: 1_000,
  factId: `fact-${id}`,
  leadId: `lead-${id}`,
  visitor: { name: `Visitor-${id}`, company: `Company-${id}`, language: null },
  repeat: null,
  undoUntil: 9_000,
  collected: null,
  checkin: null,
  asksConsent: false,
  asksQuestions: false,
  ...change,
});

describe('the display', () => {
  it('attracts once its device has spoken', () => {
    expect(stageOf(firstDisplay(0), 0).kind).toBe('connecting');
    expect(stageOf(ready(), 0).kind).toBe('attract');
  });

  it('shows reading, then captured, then attract with nothing of the visitor left', () => {
    const display = play([
      [10, tap({ kind: 'reading', at: 1 })],
      [200, tap(capturedBy(1))],
    ]);
    expect(stageOf(display, 200)).toMatchObject({ kind: 'captured', visit: { undo: 'offered' } });
    const after = step(display, { kind: 'tick' }, 200 + 8_000);
    expect(stageOf(after, 8_200).kind).toBe('attract');
    expect(JSON.stringify(after)).not.toContain('Visitor-1');
  });

  it('says "hold a little longer" when a reading comes to nothing', () => {
    const display = play([
      [0, tap({ kind: 'reading', at: 1 })],
      [times.reading, { kind: 'tick' }],
    ]);
    expect(stageOf(display, times.reading).kind).toBe('notRead');
  });

  it('lets a new tap replace a result that had its glance', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [times.glance, tap({ kind: 'reading', at: 2 })],
    ]);
    expect(stageOf(display, times.glance).kind).toBe('reading');
    expect(JSON.stringify(display)).not.toContain('Visitor-1');
  });

  it('gives each of ten taps within one second its own glance, in their order', () => {
    let display = ready();
    const seen: string[] = [];
    for (let now = 0; now < 20_000; now += 50) {
      const id = now / 100;
      if (Number.isInteger(id) && id < 10) display = step(display, tap(capturedBy(id)), now);
      display = step(display, { kind: 'tick' }, now);
      const stage = stageOf(display, now);
      if (stage.kind === 'captured' && seen.at(-1) !== stage.event.factId) seen.push(stage.event.factId);
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, id) => `fact-${id}`));
    expect(stageOf(display, 20_000).kind).toBe('attract');
  });

  it('keeps a visitor on show until six seconds after the badge left, or until undo is over', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [5_000, tap({ kind: 'removed', at: 5 })],
    ]);
    expect(stageOf(step(display, { kind: 'tick' }, 10_999), 10_999).kind).toBe('captured');
    expect(stageOf(step(display, { kind: 'tick' }, 11_000), 11_000).kind).toBe('attract');
  });

  it('takes a tap back once and says so', () => {
    const asked = play([
      [0, tap(capturedBy(1))],
      [100, { kind: 'undo' }],
    ]);
    expect(stageOf(asked, 100)).toMatchObject({ visit: { undo: 'asked' } });
    expect(stageOf(step(asked, tap({ kind: 'undone', at: 2, factId: 'fact-1' }), 150), 150).kind).toBe(
      'undone',
    );
    const late = step(asked, { kind: 'undoAnswer', factId: 'fact-1', answer: 'late' }, 150);
    expect(stageOf(late, 150)).toMatchObject({ kind: 'captured', visit: { undo: 'late' } });
  });

  it('never offers to take back after the time is over', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [6_000, tap({ kind: 'removed', at: 5 })],
      [8_000, { kind: 'undo' }],
    ]);
    expect(stageOf(display, 8_000)).toMatchObject({ kind: 'captured', visit: { undo: 'over' } });
  });

  it('shows somebody else taking back another tap to nobody', () => {
    const display = play([
      [0, tap(capturedBy(2))],
      [10, tap({ kind: 'undone', at: 2, factId: 'fact-1' })],
    ]);
    expect(stageOf(display, 10)).toMatchObject({ kind: 'captured', event: { factId: 'fact-2' } });
  });

  it('is honest about a lost link and never freezes on a captured tap', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [2_000, { kind: 'link', state: 'lost' }],
      [2_000 + times.linkGrace, { kind: 'tick' }],
    ]);
    expect(stageOf(display, 2_000 + times.linkGrace)).toEqual({ kind: 'linkLost', code: 'E-31' });
    expect(JSON.stringify(display)).not.toContain('Visitor-1');
  });

  it("speaks the visitor's language only while the visitor is on show", () => {
    const display = play([
      [0, tap(capturedBy(1, { visitor: { name: 'A B.', company: null, language: 'de-CH' } }))],
    ]);
    expect(wishesOf(display)).toEqual(['de-CH']);
    expect(wishesOf(step(display, { kind: 'dismiss' }, 500))).toEqual([]);
  });

  it('prefers a language chosen by touch, and forgets it after the transaction or a while', () => {
    const chosen = step(ready(), { kind: 'language', language: 'de' }, 0);
    expect(wishesOf(chosen)).toEqual(['de']);
    expect(wishesOf(step(chosen, { kind: 'tick' }, times.language))).toEqual([]);
    const tapped = step(chosen, tap(capturedBy(1)), 100);
    expect(wishesOf(tapped)).toEqual(['de']);
    expect(wishesOf(step(tapped, { kind: 'tick' }, 9_000))).toEqual([]);
  });

  it.each([
    ['E-11', { cardService: 'absent' as const }],
    ['E-12', { cardService: 'failing' as const }],
    ['E-13', { readers: [] }],
    ['E-21', { storage: 'full' as const }],
    ['E-22', { storage: 'readOnly' as const }],
    ['E-23', { storage: 'failing' as const }],
  ])('rests out of order with code %s', (code, change) => {
    const display = step(ready(), { kind: 'device', device: { ...healthyDevice, ...change } }, 1);
    expect(stageOf(display, 1)).toEqual({ kind: 'outOfOrder', code });
    expect(stageOf(step(display, tap(capturedBy(1)), 2), 2).kind).toBe('captured');
  });
});

describe('2,000 random sequences', () => {
  const devices: readonly DeviceState[] = [
    healthyDevice,
    { ...healthyDevice, readers: [] },
    { ...healthyDevice, storage: 'full' },
    { ...healthyDevice, network: 'offline' },
    {
      ...healthyDevice,
      mirror: { complete: false, resources: [], remaining: null, asks: [], lastPassAt: null },
    },
  ];
  const visitor = fc.integer({ min: 0, max: 30 });
  const input = fc.oneof(
    { weight: 3, arbitrary: visitor.map((id) => tap(capturedBy(id))) },
    visitor.map((id) => tap(capturedBy(id, { visitor: null }))),
    visitor.map((id) => tap(capturedBy(id, { repeat: { count: 2, since: 1 } }))),
    visitor.map((id) => tap({ kind: 'undone', at: 1, factId: `fact-${id}` })),
    fc.constantFrom<Input>(
      tap({ kind: 'reading', at: 1 }),
      tap({ kind: 'removed', at: 1 }),
      tap({ kind: 'notRead', at: 1, reason: 'pulled' }),
      tap({ kind: 'refused', at: 1, reason: 'phone' }),
      tap({ kind: 'failed', at: 1, reason: 'full' }),
      { kind: 'link', state: 'up' },
      { kind: 'link', state: 'lost' },
      { kind: 'undo' },
      { kind: 'dismiss' },
      { kind: 'typeCode' },
      { kind: 'typedKey' },
      { kind: 'codeSent' },
      { kind: 'codeNotTaken' },
      { kind: 'language', language: 'de' },
      { kind: 'tick' },
    ),
    visitor.chain((id) =>
      fc
        .constantFrom('done' as const, 'late' as const, 'failed' as const)
        .map((answer): Input => ({ kind: 'undoAnswer', factId: `fact-${id}`, answer })),
    ),
    fc.constantFrom(...devices).map((device): Input => ({ kind: 'device', device })),
  );
  const sequence = fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), input), {
    minLength: 1,
    maxLength: 60,
  });

  it('have no dead end, leak no visitor, and show captured only after captured', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        let display = ready();
        let now = 0;
        const heard = new Set<string>();
        for (const [wait, move] of moves) {
          now += wait;
          if (move.kind === 'tap' && move.event.kind === 'captured') heard.add(move.event.factId);
          display = step(display, move, now);
          const stage = stageOf(display, now);
          const shown = JSON.stringify(stage).match(/Visitor-\d+|Company-\d+/g) ?? [];
          const owner = stage.kind === 'captured' ? stage.event.factId.replace('fact-', '') : null;
          for (const text of shown) expect(text.split('-')[1]).toBe(owner);
          // Law 1, and nothing else of the memory may hold a visitor who is neither shown nor in line.
          if (stage.kind === 'captured') expect(heard.has(stage.event.factId)).toBe(true);
          const { showing: _, line: __, ...rest } = display;
          expect(JSON.stringify(rest)).not.toMatch(/Visitor-|Company-/);
          if (display.showing) {
            expect(display.showing.until).toBeGreaterThan(now);
            expect(wakeAt(display, now)).not.toBeNull();
          }
        }
        // Left alone, by its own wake-ups only, it comes to rest with nobody's data, and a tap still counts.
        for (let round = 0; round < 500; round += 1) {
          const wake = wakeAt(display, now);
          if (wake === null) break;
          now = wake;
          display = step(display, { kind: 'tick' }, now);
        }
        expect(display.showing).toBeNull();
        expect(display.line).toEqual([]);
        const again = step(step(display, { kind: 'link', state: 'up' }, now), tap(capturedBy(99)), now);
        expect(stageOf(again, now)).toMatchObject({ kind: 'captured', event: { factId: 'fact-99' } });
      }),
      { numRuns: 2_000 },
    );
  });

  it('lose no outcome: each one that is heard gets on the screen', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 25 }), (gaps) => {
        let display = ready();
        let now = 0;
        const seen = new Set<string>();
        const look = () => {
          const stage = stageOf(display, now);
          if (stage.kind === 'captured') seen.add(stage.event.factId);
        };
        const until = (moment: number) => {
          for (
            let wake = wakeAt(display, now);
            wake !== null && wake <= moment;
            wake = wakeAt(display, now)
          ) {
            now = wake;
            display = step(display, { kind: 'tick' }, now);
            look();
          }
          now = moment;
        };
        gaps.forEach((gap, id) => {
          until(now + gap);
          display = step(display, tap({ kind: 'reading', at: 1 }), now);
          display = step(display, tap(capturedBy(id)), now);
          look();
        });
        until(now + 60_000);
        expect(seen.size).toBe(gaps.length);
      }),
      { numRuns: 500 },
    );
  });
});
