/** The display's reducer by examples: outcomes, the queue, undo, the link, languages. */
import { describe, expect, it } from 'vitest';
import { displayTimes } from '../../../../src-renderer/times.ts';
import {
  initialDisplay,
  preferredLanguages,
  reduceDisplay,
  viewOf,
} from '../../../../src-renderer/visitor/state/reducer.ts';
import { healthyDevice } from '../../device/healthy-device.ts';
import { capturedBy, play, ready, tap } from './reducer-player.ts';

describe('the display', () => {
  it('shows attract after the first message of its device', () => {
    expect(viewOf(initialDisplay(0), 0).kind).toBe('connecting');
    expect(viewOf(ready(), 0).kind).toBe('attract');
  });

  it('shows reading, then captured, then attract without any data of the visitor', () => {
    const display = play([
      [10, tap({ kind: 'reading', at: 1 })],
      [200, tap(capturedBy(1))],
    ]);
    expect(viewOf(display, 200)).toMatchObject({ kind: 'captured', session: { undo: 'offered' } });
    const after = reduceDisplay(display, { kind: 'tick' }, 200 + 8_000);
    expect(viewOf(after, 8_200).kind).toBe('attract');
    expect(JSON.stringify(after)).not.toContain('Visitor-1');
  });

  it('shows that the badge was not read if a reading has no outcome in time', () => {
    const display = play([
      [0, tap({ kind: 'reading', at: 1 })],
      [displayTimes.reading, { kind: 'tick' }],
    ]);
    expect(viewOf(display, displayTimes.reading).kind).toBe('notRead');
  });

  it('lets a new tap replace a result after its minimum time', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [displayTimes.outcomeMinimum[0], tap({ kind: 'reading', at: 2 })],
    ]);
    expect(viewOf(display, displayTimes.outcomeMinimum[0]).kind).toBe('reading');
    expect(JSON.stringify(display)).not.toContain('Visitor-1');
  });

  it('greets five visitors who tap within 1.6 seconds, the last one within 1.5 seconds of the tap', () => {
    let display = ready();
    const seen = new Map<string, number>();
    for (let now = 0; now <= 5_000; now += 10) {
      if (now % 400 === 0 && now <= 1_600) {
        display = reduceDisplay(display, tap({ kind: 'reading', at: now }), now);
        display = reduceDisplay(display, tap(capturedBy(now / 400)), now);
      }
      display = reduceDisplay(display, { kind: 'tick' }, now);
      const view = viewOf(display, now);
      if (view.kind === 'captured' && !seen.has(view.event.factId)) seen.set(view.event.factId, now);
    }
    expect([...seen.keys()]).toEqual(['fact-0', 'fact-1', 'fact-2', 'fact-3', 'fact-4']);
    expect(seen.get('fact-4')).toBeLessThanOrEqual(1_600 + 1_500);
  });

  it('shows each of ten taps within one second, in order', () => {
    let display = ready();
    const seen: string[] = [];
    for (let now = 0; now < 20_000; now += 50) {
      const id = now / 100;
      if (Number.isInteger(id) && id < 10) display = reduceDisplay(display, tap(capturedBy(id)), now);
      display = reduceDisplay(display, { kind: 'tick' }, now);
      const view = viewOf(display, now);
      if (view.kind === 'captured' && seen.at(-1) !== view.event.factId) seen.push(view.event.factId);
    }
    expect(seen).toEqual(Array.from({ length: 10 }, (_, id) => `fact-${id}`));
    expect(viewOf(display, 20_000).kind).toBe('attract');
  });

  it('shows a visitor until six seconds after the badge was removed', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [5_000, tap({ kind: 'removed', at: 5 })],
    ]);
    expect(viewOf(reduceDisplay(display, { kind: 'tick' }, 10_999), 10_999).kind).toBe('captured');
    expect(viewOf(reduceDisplay(display, { kind: 'tick' }, 11_000), 11_000).kind).toBe('attract');
  });

  it('shows that an undo is pending, and then whether it was done or too late', () => {
    const pending = play([
      [0, tap(capturedBy(1))],
      [100, { kind: 'undo' }],
    ]);
    expect(viewOf(pending, 100)).toMatchObject({ session: { undo: 'pending' } });
    expect(
      viewOf(reduceDisplay(pending, tap({ kind: 'undone', at: 2, factId: 'fact-1' }), 150), 150).kind,
    ).toBe('undone');
    const late = reduceDisplay(pending, { kind: 'undoAnswer', factId: 'fact-1', answer: 'late' }, 150);
    expect(viewOf(late, 150)).toMatchObject({ kind: 'captured', session: { undo: 'late' } });
  });

  it("does not undo the next visitor's tap with a press meant for the previous one", () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [10, tap(capturedBy(2))],
      [displayTimes.outcomeMinimum[0], { kind: 'tick' }],
      [displayTimes.outcomeMinimum[0] + 100, { kind: 'undo' }],
    ]);
    const shown = { kind: 'captured', event: { factId: 'fact-2' } };
    expect(viewOf(display, displayTimes.outcomeMinimum[0] + 100)).toMatchObject({
      ...shown,
      session: { undo: 'offered' },
    });
    const later = displayTimes.outcomeMinimum[0] + displayTimes.undoGuard;
    expect(viewOf(reduceDisplay(display, { kind: 'undo' }, later), later)).toMatchObject({
      ...shown,
      session: { undo: 'pending' },
    });
  });

  it('replaces a tap with its correction at once, and nothing of the first visitor remains', () => {
    const clash = { kind: 'refused', at: 2, reason: 'clash', factId: 'fact-1' } as const;
    const shown = play([
      [0, tap(capturedBy(1))],
      [80, tap(clash)],
    ]);
    expect(viewOf(shown, 80)).toMatchObject({ kind: 'refused', event: { reason: 'clash' } });
    expect(JSON.stringify(shown)).not.toContain('Visitor-1');
    const waiting = play([
      [0, tap(capturedBy(2))],
      [10, tap(capturedBy(1))],
      [80, tap(clash)],
    ]);
    expect(viewOf(waiting, 80)).toMatchObject({ kind: 'captured', event: { factId: 'fact-2' } });
    expect(waiting.queue).toEqual([clash]);
  });

  it('shows the correction of a tap even after others took over the screen', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [displayTimes.outcomeMinimum[0], tap(capturedBy(2))],
      [
        displayTimes.outcomeMinimum[0] + 10,
        tap({ kind: 'refused', at: 2, reason: 'clash', factId: 'fact-1' }),
      ],
    ]);
    expect(display.queue).toMatchObject([{ kind: 'refused' }]);
  });

  it("keeps the visitor's language while it shows that a tap was undone, and forgets it then", () => {
    const visitor = { name: 'Visitor-1', company: null, language: 'fr' };
    const undone = play([
      [0, tap(capturedBy(1, { visitor }))],
      [500, { kind: 'undo' }],
      [600, tap({ kind: 'undone', at: 2, factId: 'fact-1' })],
    ]);
    expect(preferredLanguages(undone)).toEqual(['fr']);
    expect(preferredLanguages(reduceDisplay(undone, { kind: 'tick' }, 600 + displayTimes.undone))).toEqual(
      [],
    );
  });

  it('never offers an undo after its time', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [6_000, tap({ kind: 'removed', at: 5 })],
      [8_000, { kind: 'undo' }],
    ]);
    expect(viewOf(display, 8_000)).toMatchObject({ kind: 'captured', session: { undo: 'expired' } });
  });

  it('does not show the undo of a tap that is not on the screen', () => {
    const display = play([
      [0, tap(capturedBy(2))],
      [10, tap({ kind: 'undone', at: 2, factId: 'fact-1' })],
    ]);
    expect(viewOf(display, 10)).toMatchObject({ kind: 'captured', event: { factId: 'fact-2' } });
  });

  it('shows a lost link after the grace period, and removes the captured tap', () => {
    const display = play([
      [0, tap(capturedBy(1))],
      [2_000, { kind: 'link', state: 'lost' }],
      [2_000 + displayTimes.linkGrace, { kind: 'tick' }],
    ]);
    expect(viewOf(display, 2_000 + displayTimes.linkGrace)).toEqual({ kind: 'linkLost', code: 'E-31' });
    expect(JSON.stringify(display)).not.toContain('Visitor-1');
  });

  it("uses the visitor's language only while the visitor is shown", () => {
    const display = play([
      [0, tap(capturedBy(1, { visitor: { name: 'A B.', company: null, language: 'de-CH' } }))],
    ]);
    expect(preferredLanguages(display)).toEqual(['de-CH']);
    expect(preferredLanguages(reduceDisplay(display, { kind: 'dismiss' }, 500))).toEqual([]);
  });

  it('prefers a language chosen by touch, and forgets it after the session or after a while', () => {
    const chosen = reduceDisplay(ready(), { kind: 'language', language: 'de' }, 0);
    expect(preferredLanguages(chosen)).toEqual(['de']);
    expect(preferredLanguages(reduceDisplay(chosen, { kind: 'tick' }, displayTimes.language))).toEqual([]);
    const tapped = reduceDisplay(chosen, tap(capturedBy(1)), 100);
    expect(preferredLanguages(tapped)).toEqual(['de']);
    expect(preferredLanguages(reduceDisplay(tapped, { kind: 'tick' }, 9_000))).toEqual([]);
  });

  it.each([
    ['E-11', { cardService: 'absent' as const }],
    ['E-12', { cardService: 'failing' as const }],
    ['E-12', { cardService: 'silent' as const }],
    ['E-12', { cardService: 'silent' as const, demo: true }],
    ['E-13', { readers: [] }],
    ['E-21', { storage: 'full' as const }],
    ['E-22', { storage: 'readOnly' as const }],
    ['E-23', { storage: 'failing' as const }],
  ])('shows out of order with code %s', (code, change) => {
    const display = reduceDisplay(ready(), { kind: 'device', device: { ...healthyDevice, ...change } }, 1);
    expect(viewOf(display, 1)).toEqual({ kind: 'outOfOrder', code });
    expect(viewOf(reduceDisplay(display, tap(capturedBy(1)), 2), 2).kind).toBe('captured');
  });
});
