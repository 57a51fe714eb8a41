/** The sender's transition function: what opens and closes the circuit, what parks an item, and how long it waits. */
import { describe, expect, it } from 'vitest';
import {
  asksFirst,
  FIRST_STATE,
  looksBetween,
  type SenderEvent,
  type SenderState,
  type Transition,
  transition,
  waitAfter,
} from '../../../../src-main/core/delivery/outbox/circuit.ts';

const unreachable: SenderEvent = { kind: 'failed', errorClass: { kind: 'retry', reached: 'no' } };
const stopped = (pause: 'keyRefused' | 'takesNoScans'): SenderEvent => ({
  kind: 'failed',
  errorClass: { kind: 'stop', pause },
});
const refused = (...seqs: number[]): SenderEvent => ({ kind: 'refused', seqs, status: 400 });
const taken = (...seqs: number[]): SenderEvent => ({ kind: 'answered', taken: seqs, isFull: false });

/** The state after a series of events, with all parked and released items. */
const outcomeOf = (...events: readonly SenderEvent[]) => {
  let state = FIRST_STATE;
  const parked: number[] = [];
  const released: number[] = [];
  for (const event of events) {
    const next: Transition = transition(state, event);
    state = next.state;
    if (next.park !== null) parked.push(next.park);
    released.push(...next.release);
  }
  return { state, parked, released };
};
const stateAfter = (...events: readonly SenderEvent[]): SenderState => outcomeOf(...events).state;

describe('the circuit', () => {
  it('requests the event before the first send of a run, but not if there is nothing to send', () => {
    expect(asksFirst(FIRST_STATE, true)).toBe(true);
    expect(asksFirst(FIRST_STATE, false)).toBe(false);
    expect(asksFirst(stateAfter({ kind: 'read' }), true)).toBe(false);
  });

  it('stays open while there is a reason to pause, and is half-open after a read has removed the reason', () => {
    expect(asksFirst(stateAfter({ kind: 'read' }, unreachable), true)).toBe(true);
    const halfOpen = stateAfter(unreachable, unreachable, { kind: 'read' });
    expect(halfOpen).toMatchObject({ pause: null, failures: 2 });
    expect(stateAfter(unreachable, unreachable, { kind: 'read' }, unreachable).failures).toBe(3);
    expect(stateAfter(unreachable, unreachable, taken(1))).toMatchObject({ pause: null, failures: 0 });
  });

  it('does not count a successful read as proof that writes are accepted', () => {
    expect(stateAfter(stopped('takesNoScans'), { kind: 'read' }).pause).toBe('takesNoScans');
    expect(stateAfter(stopped('takesNoScans'), { kind: 'read' }, taken()).pause).toBeNull();
    expect(stateAfter(stopped('keyRefused'), { kind: 'read' }).pause).toBeNull();
  });

  it('reads back after ten requests that were not full, even while more is due', () => {
    const full: SenderEvent = { kind: 'answered', taken: [1], isFull: true };
    const nine = Array.from({ length: 9 }, (_none, seq) => taken(seq));
    expect(looksBetween(stateAfter(...nine, full, full))).toBe(false);
    expect(looksBetween(stateAfter(...nine, full, taken(10)))).toBe(true);
    expect(looksBetween(stateAfter(...nine, taken(10), { kind: 'looked', confirmed: 9 }))).toBe(false);
  });

  it('does not open for 429, and waits at least as long as Retry-After', () => {
    const busy: Extract<SenderEvent, { kind: 'failed' }> = {
      kind: 'failed',
      errorClass: { kind: 'busy', retryAfterMs: 3_000 },
    };
    const state = stateAfter(busy, busy);
    expect(state).toMatchObject({ pause: null, failures: 0, busy: 2 });
    expect(waitAfter(state, busy, 0)).toBe(3_000);
    expect(waitAfter(state, busy, 0.5)).toBe(4_000);
  });
});

describe('a refused item', () => {
  it('is parked when it was refused twice with the same status while another item was accepted', () => {
    const { parked, released } = outcomeOf(refused(1, 2), taken(1), refused(2), refused(2), taken(3));
    expect(parked).toEqual([2]);
    expect(released).toEqual([]);
  });

  it('is parked if it is alone in the queue, and released when another item is accepted', () => {
    const first = outcomeOf(refused(1), refused(1));
    expect(first.parked).toEqual([1]);
    const proven = [refused(1), refused(1), taken(2)] as const;
    expect(outcomeOf(...proven).released).toEqual([1]);
    const again = outcomeOf(...proven, refused(1), refused(1), taken(3));
    expect(again.parked).toEqual([1, 1]);
    expect(again.released).toEqual([1]);
  });

  it('is released when the next item is refused too, because then the platform refuses every item', () => {
    const { state, parked, released } = outcomeOf(refused(1), refused(1), refused(2), refused(2));
    expect(parked).toEqual([1]);
    expect(released).toEqual([1, 2]);
    expect(state).toMatchObject({ pause: 'refusesAll', batchLimit: 1 });
  });

  it('does not block the queue: while everything is refused, each attempt uses another item', () => {
    const mood = [refused(1), refused(1), refused(2), refused(2)];
    expect(stateAfter(...mood).skip).toBe(1);
    expect(stateAfter(...mood, refused(3)).skip).toBe(2);
    // The third item is accepted, so the first two are at fault themselves.
    const cleared = outcomeOf(...mood, taken(3), refused(1), refused(1), refused(2), refused(2), taken(4));
    expect(cleared.state.pause).toBeNull();
    expect(cleared.parked).toEqual([1, 1, 2]);
    expect(cleared.released).toEqual([1, 2, 1, 2]);
  });

  it('is not parked when a fault comes between two refusals', () => {
    expect(outcomeOf(refused(1), unreachable, refused(1)).parked).toEqual([]);
  });
});
