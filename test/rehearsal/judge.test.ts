/** What the machine says of a rehearsal's steps, from what it saw and from nothing else. */
import { describe, expect, it } from 'vitest';
import type { RehearsalStep } from '../../src-main/contract/rehearsal.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import {
  CLOCK_PATIENCE_MS,
  judgeSight,
  judgeTap,
  newStep,
  presentStep,
  type Sight,
} from '../../src-main/rehearsal/judge.ts';

const well: Sight = {
  ...{ now: 1_000, cardService: 'up', readers: 1, network: 'online', waiting: 0, storage: 'ok' },
  clock: { isNoGo: false, isKnown: true },
  isFit: true,
  ...{ noPeople: false, captured: 4, run: 'one', wasKilled: false, downMs: null },
};
const begun = { run: 'one', captured: 4, onlineMs: 0 };

/** A step after looks at a device that is well but for this, one after the other. */
const seen = (step: RehearsalStep, ...changes: readonly Partial<Sight>[]): RehearsalStep =>
  changes.reduce<RehearsalStep>(
    (now, change, index) => judgeSight(now, { ...well, now: 1_000 + index * 500, ...change }, begun).step,
    step,
  );

const captured = (isKnown: boolean): TapEvent => ({
  ...{ kind: 'captured', at: 5, factId: 'f', leadId: 'l', repeat: null, undoUntil: 9, collected: null },
  ...{ checkin: null, asksConsent: false, openQuestions: [] },
  visitor: isKnown ? { name: 'Amélie B.', company: null, language: null } : null,
});

describe('a step', () => {
  it('is the present one until it ended, whatever follows it', () => {
    const steps = [newStep('known'), newStep('unknown')];
    expect(presentStep(steps)?.name).toBe('known');
    expect(presentStep([{ ...newStep('known'), state: 'skipped' }, newStep('unknown')])?.name).toBe(
      'unknown',
    );
    expect(presentStep([{ ...newStep('known'), state: 'passed' }])).toBeNull();
  });

  it('with a sample passes by the badge it asks for, and says why by another', () => {
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

  it('that no key or no reader can pass is impossible, which is not passed', () => {
    expect(seen(newStep('known'), { noPeople: true })).toMatchObject({
      state: 'impossible',
      why: 'noPeople',
    });
    expect(seen(newStep('reader'), { cardService: 'off', readers: 0 })).toMatchObject({
      state: 'impossible',
      why: 'noReader',
    });
  });

  it('with the reader wants it gone, then back, and measures how long', () => {
    expect(seen(newStep('reader'), {})).toMatchObject({ state: 'waiting', seen: 0 });
    expect(seen(newStep('reader'), { readers: 0 }, { readers: 0 })).toMatchObject({
      state: 'waiting',
      seen: 1,
    });
    const back = seen(newStep('reader'), { readers: 0 }, {});
    expect(back).toMatchObject({ state: 'passed', tookMs: 500 });
  });

  it('with the network wants a tap while it is gone, and everything delivered after', () => {
    const cut = seen(newStep('network'), { network: 'offline' });
    expect(seen(cut, {})).toMatchObject({ state: 'waiting', seen: 1 });
    const tapped = judgeTap(cut, captured(false)).step;
    expect(tapped).toMatchObject({ state: 'waiting', seen: 2 });
    const back = seen(tapped, { waiting: 2 });
    expect(seen(back, { waiting: 2 })).toMatchObject({ state: 'waiting', seen: 3 });
    expect(seen(back, { waiting: 0 })).toMatchObject({ state: 'passed' });
  });

  it('with the full disk fails where a tap was told as saved, and wants the next one saved', () => {
    expect(judgeTap(newStep('disk'), captured(true)).step).toMatchObject({
      state: 'failed',
      why: 'toldAsSaved',
    });
    const refused = judgeTap(newStep('disk'), { kind: 'failed', at: 5, reason: 'full' }).step;
    expect(refused).toMatchObject({ state: 'waiting', seen: 1, simulated: true });
    expect(judgeTap(refused, captured(true)).step.state).toBe('passed');
    expect(judgeTap(refused, { kind: 'failed', at: 5, reason: 'full' }).step.why).toBe('notSaved');
  });

  it('with the wrong clock wants it noticed and right again, and fails when it is not in time', () => {
    const noticed = seen(newStep('clock'), { clock: { isNoGo: true, isKnown: true } });
    expect(noticed).toMatchObject({ state: 'waiting', seen: 1 });
    expect(seen(noticed, { clock: { isNoGo: false, isKnown: false } }).state).toBe('waiting');
    expect(seen(noticed, {}).state).toBe('passed');
    const late = { ...begun, onlineMs: CLOCK_PATIENCE_MS + 1 };
    expect(judgeSight(newStep('clock'), well, late).step).toMatchObject({
      state: 'failed',
      why: 'notNoticed',
    });
    expect(judgeSight(newStep('clock'), { ...well, network: 'offline' }, begun).hint).toBe('offline');
  });

  it('with the killed app passes in another run alone, that found it killed and all its facts', () => {
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
    expect(judgeSight(newStep('kill'), { ...well, run: 'two' }, begun).hint).toBe('endedInOrder');
  });

  it('that ended is never judged again', () => {
    const left: RehearsalStep = { ...newStep('reader'), state: 'skipped', reason: 'soldered in' };
    expect(seen(left, { readers: 0 }, {})).toBe(left);
    expect(judgeTap({ ...newStep('known'), state: 'failed' }, captured(true)).step.state).toBe('failed');
  });
});
