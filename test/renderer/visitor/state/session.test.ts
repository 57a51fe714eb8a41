/** A visit by examples: its steps, what it asks of the device, how it warns, ends, and gives way. */
import { describe, expect, it } from 'vitest';
import type { DeviceState } from '../../../../src-main/contract/device.ts';
import type { Stand } from '../../../../src-main/contract/stand.ts';
import { nearest, ownText } from '../../../../src-renderer/messages/translated-text.ts';
import { type Display, stageOf, step, wishesOf } from '../../../../src-renderer/visitor/state/reducer.ts';
import { progressOf } from '../../../../src-renderer/visitor/state/session.ts';
import { visitOf } from '../../../../src-renderer/visitor/state/timed-views.ts';
import { type Input, times } from '../../../../src-renderer/visitor/state/view.ts';
import { demoOffer, demoQuestions, fullStand } from '../../device/demo-stand.ts';
import { healthyDevice } from '../../device/healthy-device.ts';
import { capturedBy, play, ready, tap } from './reducer-player.ts';

const asking = { asksConsent: true, asksQuestions: true };
const [profile, arm] = demoOffer(2);

function standing(stand: Partial<Stand> = {}, device: Partial<DeviceState> = {}): Display {
  return play(
    [
      [0, { kind: 'device', device: { ...healthyDevice, ...device } }],
      [0, { kind: 'stand', stand: { ...fullStand, ...stand } }],
    ],
    ready(),
  );
}

/** The first open ask of the display, answered. */
function told(display: Display, answer: 'kept' | 'notKept', now: number): Display {
  const visit = visitOf(display.showing);
  const number = visit?.asks[0]?.number ?? 0;
  return step(display, { kind: 'told', factId: visit?.factId ?? '', number, answer }, now);
}

const tick: Input = { kind: 'tick' };
const share = (none: boolean): Input => ({ kind: 'share', language: 'en', none });

describe('a visit', () => {
  it('goes on by itself from captured to its first step, without the name, and keeps offering undo', () => {
    const display = play(
      [
        [0, tap(capturedBy(1, asking))],
        [times.captured, tick],
      ],
      standing(),
    );
    expect(stageOf(display, times.captured)).toMatchObject({ kind: 'consent', visit: { undo: 'offered' } });
    expect(JSON.stringify(display)).not.toMatch(/Visitor-1|Company-1/);
    const taken = step(display, { kind: 'undo' }, 4_000);
    expect(stageOf(step(taken, tap({ kind: 'undone', at: 1, factId: 'fact-1' }), 4_100), 4_100).kind).toBe(
      'undone',
    );
  });

  it('counts its steps without the goodbye and leads through all of them', () => {
    let display = play([[0, tap(capturedBy(1, asking))]], standing());
    const seen: string[] = [];
    for (const now of [1, 2, 3, 4]) {
      display = step(display, { kind: 'onward' }, now);
      const visit = visitOf(display.showing);
      const progress = visit && progressOf(visit);
      seen.push(`${stageOf(display, now).kind} ${progress?.at ?? '-'}/${progress?.of ?? '-'}`);
    }
    expect(seen).toEqual(['consent 1/3', 'question 2/3', 'question 3/3', 'goodbye -/-']);
  });

  it('shows a consent as kept only once the device kept it, and offers it again when it did not', () => {
    const asked = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'onward' }],
        [2, { kind: 'agree', id: 'news', agrees: true }],
        [3, share(false)],
      ],
      standing(),
    );
    expect(visitOf(asked.showing)).toMatchObject({
      saving: 'asked',
      consented: null,
      asks: [{ wish: { kind: 'consent', agreed: { news: true, call: false } } }],
    });
    const failed = told(asked, 'notKept', 4);
    expect(stageOf(failed, 4)).toMatchObject({ kind: 'consent', visit: { saving: 'failed' } });
    const kept = told(step(failed, share(false), 5), 'kept', 6);
    expect(stageOf(kept, 6)).toMatchObject({ kind: 'goodbye', visit: { consented: ['news'] } });
  });

  it('records a no to everything as an answer, and nothing for who walks away', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'onward' }],
        [2, { kind: 'agree', id: 'news', agrees: true }],
      ],
      standing(),
    );
    const no = step(open, share(true), 3);
    expect(visitOf(no.showing)?.asks).toMatchObject([{ wish: { agreed: { news: false, call: false } } }]);
    const warned = step(open, tick, 2 + times.patience + 1);
    expect(stageOf(warned, 2 + times.patience + 1).kind).toBe('still');
    const gone = step(warned, tick, 2 + times.patience + times.still + 10);
    expect(gone.showing).toBeNull();
    expect(visitOf(warned.showing)?.asks).toEqual([]);
  });

  it('unticks every switch when the wording changes', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'onward' }],
        [2, { kind: 'agree', id: 'news', agrees: true }],
      ],
      standing(),
    );
    const reworded = { ...fullStand, notice: { version: '2', link: null, texts: {} } };
    expect(visitOf(step(open, { kind: 'stand', stand: reworded }, 3).showing)?.agreed).toEqual({
      news: false,
      call: false,
    });
    const same = step(open, { kind: 'stand', stand: { ...fullStand, email: false } }, 3);
    expect(visitOf(same.showing)?.agreed).toEqual({ news: true, call: false });
  });

  it('warns whom it does not feel, and goes on where they were when they stay', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { asksQuestions: true }))],
        [1, { kind: 'onward' }],
        [2, { kind: 'draft', answer: 'half a word' }],
        [2, { kind: 'touch' }],
      ],
      standing({ questions: [demoQuestions.text] }),
    );
    const warned = step(open, tick, 2 + times.patience);
    expect(stageOf(warned, 2 + times.patience).kind).toBe('still');
    expect(stageOf(step(warned, { kind: 'touch' }, 3 + times.patience), 3 + times.patience).kind).toBe(
      'still',
    );
    const back = step(warned, { kind: 'stay' }, 3 + times.patience);
    expect(stageOf(back, 3 + times.patience)).toMatchObject({
      kind: 'question',
      visit: { drafts: { wish: 'half a word' } },
    });
    expect(back.showing?.until).toBe(3 + 2 * times.patience);
  });

  it('counts what nobody answered in time as not kept', () => {
    const asked = play(
      [
        [0, tap(capturedBy(1, { asksQuestions: true }))],
        [1, { kind: 'onward' }],
        [2, { kind: 'answer', language: 'en', answer: ['o1'] }],
        [2 + times.ask, tick],
      ],
      standing(),
    );
    expect(visitOf(asked.showing)).toMatchObject({ saving: 'failed', answered: [] });
    const late = step(asked, { kind: 'told', factId: 'fact-1', number: 1, answer: 'kept' }, 9_000);
    expect(visitOf(late.showing)).toMatchObject({ saving: 'failed', answered: [] });
  });

  it('gives way to the next tap in the middle of a step, with nothing left of it', () => {
    const display = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'onward' }],
        [2, { kind: 'agree', id: 'news', agrees: true }],
        [3, tap(capturedBy(2, asking))],
        [4, { kind: 'onward' }],
      ],
      standing(),
    );
    expect(visitOf(display.showing)).toMatchObject({
      factId: 'fact-2',
      agreed: { news: false, call: false },
    });
    expect(JSON.stringify(display)).not.toContain('fact-1');
  });

  it('survives a link that flickers and ends with one that is gone', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'onward' }],
        [2, share(false)],
        [3, { kind: 'link', state: 'lost' }],
      ],
      standing(),
    );
    expect(visitOf(open.showing)).toMatchObject({ saving: 'failed' });
    const back = step(open, { kind: 'link', state: 'up' }, 500);
    expect(stageOf(back, 500).kind).toBe('consent');
    expect(stageOf(step(open, tick, 3 + times.linkGrace), 3 + times.linkGrace).kind).toBe('linkLost');
  });

  it("speaks the visitor's language through all its steps", () => {
    const visitor = { name: 'A B.', company: null, language: 'ja' };
    const display = play(
      [
        [0, tap(capturedBy(1, { ...asking, visitor }))],
        [1, { kind: 'onward' }],
      ],
      standing(),
    );
    expect(wishesOf(display)).toEqual(['ja']);
  });

  it('asks once for the e-mail and says what came of it', () => {
    const asked = play(
      [
        [0, tap(capturedBy(1))],
        [1, { kind: 'email' }],
        [2, { kind: 'email' }],
      ],
      standing(),
    );
    expect(visitOf(asked.showing)?.asks).toHaveLength(1);
    const answer = { kind: 'told', factId: 'fact-1', number: 1, answer: 'queued' } as const;
    expect(visitOf(step(asked, answer, 3).showing)?.email).toBe('queued');
  });
});

describe('the shelf', () => {
  const content = () => standing({}, { purpose: 'content' });
  const take = (item = arm): Input => ({ kind: 'take', item: item ?? demoOffer(1)[0] ?? never() });

  it('comes after a tap where the touchpoint has no content of its own', () => {
    const display = play(
      [
        [0, tap(capturedBy(1))],
        [times.captured, tick],
      ],
      content(),
    );
    expect(stageOf(display, times.captured).kind).toBe('shelf');
  });

  it('calls a thing taken when the device keeps it, and gives it back when asked', () => {
    const asked = play(
      [
        [0, tap(capturedBy(1))],
        [1, { kind: 'onward' }],
        [2, take()],
        [3, take()],
      ],
      content(),
    );
    expect(visitOf(asked.showing)).toMatchObject({ things: [{ taken: false, state: 'asked' }] });
    const taken = told(asked, 'kept', 4);
    expect(visitOf(taken.showing)).toMatchObject({ things: [{ taken: true, state: 'settled' }] });
    expect(visitOf(told(step(taken, take(), 5), 'kept', 6).showing)?.things).toEqual([]);
  });

  it('takes what was chosen with the first tap that is captured, also after one that was not', () => {
    const display = play(
      [
        [0, { kind: 'choose' }],
        [1, take()],
        [2, take(profile)],
        [3, tap({ kind: 'reading', at: 1 })],
        [4, tap({ kind: 'notRead', at: 1, reason: 'pulled' })],
        [4 + times.notRead, tick],
      ],
      content(),
    );
    expect(stageOf(display, 4 + times.notRead).kind).toBe('choosing');
    const captured = step(display, tap(capturedBy(1)), 10_000);
    expect(visitOf(captured.showing)?.asks.map(({ wish }) => wish)).toMatchObject([
      { kind: 'collect', content: 'content-1', take: true },
      { kind: 'collect', content: 'content-0', take: true },
    ]);
    expect(captured.basket).toBeNull();
    const other = step(captured, tap(capturedBy(2)), 12_000);
    expect(visitOf(other.showing)?.things).toEqual([]);
  });

  it('forgets what was chosen when nobody taps', () => {
    const chosen = play(
      [
        [0, { kind: 'choose' }],
        [1, take()],
      ],
      content(),
    );
    const later = times.patience + times.still + 2;
    const rested = step(step(chosen, tick, times.patience + 1), tick, later);
    expect(rested).toMatchObject({ showing: null, basket: null });
  });

  it('opens neither shelf nor notice while the link is down', () => {
    const lost = step(content(), { kind: 'link', state: 'lost' }, 1);
    for (const kind of ['choose', 'readNotice'] as const) expect(step(lost, { kind }, 2).showing).toBeNull();
  });
});

describe('a text of the stand', () => {
  it('is the nearest there is: the language, its base, English, any', () => {
    const texts = { 'de-CH': 'Grüezi', de: 'Hallo', en: 'Hello' };
    expect(ownText(texts, 'de-CH')).toBe('Grüezi');
    expect(ownText(texts, 'de-AT')).toBe('Hallo');
    expect(ownText({ 'pt-BR': 'Oi', fr: 'Salut' }, 'pt')).toBe('Oi');
    expect(nearest(texts, 'ja')).toEqual({ language: 'en', value: 'Hello' });
    expect(ownText({ fr: 'Salut' }, 'ja')).toBe('Salut');
    expect(ownText({}, 'ja')).toBe('');
  });
});

function never(): never {
  throw new Error('The demo offer is empty');
}
