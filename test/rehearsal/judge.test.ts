/** How the steps of a rehearsal are judged, from readings of the device and outcomes of taps only. */
import { describe, expect, it } from 'vitest';
import type { RehearsalStep } from '../../src-main/contract/rehearsal.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import {
  CLOCK_PATIENCE_MS,
  judgeReading,
  judgeTap,
  newStep,
  presentStep,
  type Reading,
  verdictOf,
} from '../../src-main/rehearsal/judge.ts';

const well: Reading = {
  now: 1_000,
  cardService: 'up',
  readers: 1,
  network: 'online',
  waiting: 0,
  storage: 'ok',
  clock: { isNoGo: false, isKnown: true },
  isFit: true,
  noPeople: false,
  captured: 4,
  run: 'one',
  wasKilled: false,
  downMs: null,
};
const begun = { run: 'one', captured: 4, onlineMs: 0 };

/** The step after a series of readings. Each reading is of a device without faults, with one of the `changes`. */
const seen = (step: RehearsalStep, ...changes: readonly Partial<Reading>[]): RehearsalStep =>
  changes.reduce<RehearsalStep>(
    (now, change, index) => judgeReading(now, { ...well, now: 1_000 + index * 500, ...change }, begun).step,
    step,
  );

const captured = (isKnown: boolean): TapEvent => ({
  kind: 'captured',
  at: 5,
  factId: 'f',
  leadId: 'l',
  repeat: null,
  undoUntil: 9,
  collected: null,
  checkin: null,
  asksConsent: false,
  openQuestions: [],
  visitor: isKnown ? { name: 'Amélie B.', company: null, language: null } : null,
});

describe('a step', () => {
  it('is the current step until it ends', () => {
    const steps = [newStep('known'), newStep('unknown')];
    expect(presentStep(steps)?.name).toBe('known');
    expect(presentStep([{ ...newStep('known'), state: 'skipped' }, newStep('unknown')])?.name).toBe(
      'unknown',
    );
    expect(presentStep([{ ...newStep('known'), state: 'passed' }])).toBeNull();
  });

  it('passes with the badge that it asks for, and gives a hint for another badge', () => {
    expect(judgeTap(newStep('known'), captured(true)).step.state).toBe('passed');
    expect(judgeTap(newStep('known'), captured(false))).toMatchObject({
      step: { state: 'waiting' },
      hint: 'unknownBadge',
    });
    expect(judgeTap(newStep('unknown'), captured(false)).step.state).toBe('passed');
    expect(judgeTap(newStep('unknown'), captured(true)).hint).toBe('knownBadge');
    expect(judgeTap(newStep('known'), { kind: 'notRead', at: 5, reason: 'pulled' }).hint).toBe('notRead');
    expect(judgeTap(newStep('known'), { kind: 'failed', at: 5, reason: 'failing' }).step).toMatchObject({
      state: 'failed',
      why: 'notSaved',
    });
  });

  it('is impossible when the key or the reader is missing', () => {
    expect(seen(newStep('known'), { noPeople: true })).toMatchObject({
      state: 'impossible',
      why: 'noPeople',
    });
    expect(seen(newStep('reader'), { cardService: 'off', readers: 0 })).toMatchObject({
      state: 'impossible',
      why: 'noReader',
    });
  });

  it('for the reader passes after the reader was unplugged and returned, and measures the gap', () => {
    expect(seen(newStep('reader'), {})).toMatchObject({ state: 'waiting', seen: 0 });
    expect(seen(newStep('reader'), { readers: 0 }, { readers: 0 })).toMatchObject({
      state: 'waiting',
      seen: 1,
    });
    const back = seen(newStep('reader'), { readers: 0 }, {});
    expect(back).toMatchObject({ state: 'passed', tookMs: 500 });
  });

  it('for the network passes after a tap offline and the delivery of every fact', () => {
    const cut = seen(newStep('network'), { network: 'offline' });
    expect(seen(cut, {})).toMatchObject({ state: 'waiting', seen: 1 });
    const tapped = judgeTap(cut, captured(false)).step;
    expect(tapped).toMatchObject({ state: 'waiting', seen: 2 });
    const back = seen(tapped, { waiting: 2 });
    expect(seen(back, { waiting: 2 })).toMatchObject({ state: 'waiting', seen: 3 });
    expect(seen(back, { waiting: 0 })).toMatchObject({ state: 'passed' });
  });

  it('for the full disk fails when a tap was shown as saved, and passes when the next one is saved', () => {
    expect(judgeTap(newStep('disk'), captured(true)).step).toMatchObject({
      state: 'failed',
      why: 'toldAsSaved',
    });
    const refused = judgeTap(newStep('disk'), { kind: 'failed', at: 5, reason: 'full' }).step;
    expect(refused).toMatchObject({ state: 'waiting', seen: 1, simulated: true });
    expect(judgeTap(refused, captured(true)).step.state).toBe('passed');
    expect(judgeTap(refused, { kind: 'failed', at: 5, reason: 'full' }).step.why).toBe('notSaved');
  });

  it('for the wrong clock passes when the fault was noticed and the clock is right again, and fails after the time limit', () => {
    const noticed = seen(newStep('clock'), { clock: { isNoGo: true, isKnown: true } });
    expect(noticed).toMatchObject({ state: 'waiting', seen: 1 });
    expect(seen(noticed, { clock: { isNoGo: false, isKnown: false } }).state).toBe('waiting');
    expect(seen(noticed, {}).state).toBe('passed');
    const late = { ...begun, onlineMs: CLOCK_PATIENCE_MS + 1 };
    expect(judgeReading(newStep('clock'), well, late).step).toMatchObject({
      state: 'failed',
      why: 'notNoticed',
    });
    expect(judgeReading(newStep('clock'), { ...well, network: 'offline' }, begun).hint).toBe('offline');
  });

  it('for the killed app passes only in a new run after a kill, if all facts are there', () => {
    const killed = { run: 'two', wasKilled: true, downMs: 4_000 };
    expect(seen(newStep('kill'), {}).state).toBe('waiting');
    expect(seen(newStep('kill'), killed, { ...killed, isFit: false })).toMatchObject({
      state: 'waiting',
      seen: 1,
    });
    expect(seen(newStep('kill'), killed, killed)).toMatchObject({ state: 'passed', tookMs: 4_500 });
    expect(seen(newStep('kill'), { ...killed, captured: 3 })).toMatchObject({
      state: 'failed',
      why: 'factsLost',
    });
    expect(judgeReading(newStep('kill'), { ...well, run: 'two' }, begun).hint).toBe('endedInOrder');
  });

  it('is never judged again after it has ended', () => {
    const left: RehearsalStep = { ...newStep('reader'), state: 'skipped', reason: 'soldered in' };
    expect(seen(left, { readers: 0 }, {})).toBe(left);
    expect(judgeTap({ ...newStep('known'), state: 'failed' }, captured(true)).step.state).toBe('failed');
  });
});

describe('the verdict', () => {
  const passed = (name: RehearsalStep['name']): RehearsalStep => ({ ...newStep(name), state: 'passed' });
  const [noPeople, noReader] = [
    seen(newStep('known'), { noPeople: true }),
    seen(newStep('reader'), { cardService: 'off' }),
  ];

  it('is an unrestricted go even with a key that cannot read visitors', () => {
    expect(verdictOf([noPeople, passed('unknown'), passed('reader')], 'good')).toBe('good');
  });

  it('needs attention if a step was skipped or impossible, and is a no-go if a step or the health failed', () => {
    expect(verdictOf([noPeople, noReader], 'good')).toBe('attention');
    expect(verdictOf([{ ...newStep('known'), state: 'skipped', reason: 'none here' }], 'good')).toBe(
      'attention',
    );
    expect(verdictOf([noPeople], 'attention')).toBe('attention');
    expect(verdictOf([{ ...newStep('disk'), state: 'failed', why: 'notSaved' }], 'good')).toBe('noGo');
    expect(verdictOf([passed('known')], 'noGo')).toBe('noGo');
  });
});
