/**
 * A session by examples: its steps, its commands to the device, its idle prompt, its end, and how another tap ends it.
 */
import { describe, expect, it } from 'vitest';
import type { DeviceState } from '../../../../src-main/contract/device.ts';
import type { Stand } from '../../../../src-main/contract/stand.ts';
import { nearest, ownText } from '../../../../src-renderer/messages/translated-text.ts';
import { displayTimes } from '../../../../src-renderer/times.ts';
import type { DisplayInput } from '../../../../src-renderer/visitor/state/input.ts';
import {
  type Display,
  preferredLanguages,
  reduceDisplay,
  viewOf,
} from '../../../../src-renderer/visitor/state/reducer.ts';
import { progressOf } from '../../../../src-renderer/visitor/state/session.ts';
import { sessionOf } from '../../../../src-renderer/visitor/state/timed-views.ts';
import { demoOffer, demoQuestions, everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { healthyDevice } from '../../device/healthy-device.ts';
import { capturedBy, play, ready, tap } from './reducer-player.ts';

const asking = { asksConsent: true, openQuestions: everyQuestion };
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

/** The first pending command of the display, acknowledged. */
function acknowledge(display: Display, answer: 'kept' | 'notKept', now: number): Display {
  const session = sessionOf(display.view);
  const number = session?.pendingCommands[0]?.number ?? 0;
  return reduceDisplay(display, { kind: 'acknowledged', factId: session?.factId ?? '', number, answer }, now);
}

const tick: DisplayInput = { kind: 'tick' };
const share = (none: boolean): DisplayInput => ({ kind: 'submitConsents', language: 'en', none });

describe('a session', () => {
  it('asks nothing without a request, and a touch keeps "captured" on the screen longer', () => {
    const shown = play([[0, tap(capturedBy(1, asking))]], standing());
    expect(viewOf(reduceDisplay(shown, tick, 19_900), 19_900).kind).toBe('captured');
    const touched = reduceDisplay(shown, { kind: 'touch' }, 15_000);
    expect(viewOf(reduceDisplay(touched, tick, 34_900), 34_900).kind).toBe('captured');
    expect(reduceDisplay(shown, tick, displayTimes.captured).view).toBeNull();
  });

  it('goes from captured to the open prompts on request, without the company, and keeps offering undo', () => {
    const display = play(
      [
        [0, tap(capturedBy(1, asking))],
        [3_000, { kind: 'answerPrompts' }],
      ],
      standing(),
    );
    expect(viewOf(display, 3_000)).toMatchObject({ kind: 'consent', session: { undo: 'offered' } });
    expect(JSON.stringify(display)).not.toContain('Company-1');
    const taken = reduceDisplay(display, { kind: 'undo' }, 4_000);
    expect(
      viewOf(reduceDisplay(taken, tap({ kind: 'undone', at: 1, factId: 'fact-1' }), 4_100), 4_100).kind,
    ).toBe('undone');
  });

  it('counts its steps without the goodbye and leads through all of them', () => {
    let display = play([[0, tap(capturedBy(1, asking))]], standing());
    const seen: string[] = [];
    for (const now of [1, 2, 3, 4]) {
      display = reduceDisplay(display, { kind: now === 1 ? 'answerPrompts' : 'next' }, now);
      const session = sessionOf(display.view);
      const progress = session && progressOf(session);
      seen.push(`${viewOf(display, now).kind} ${progress?.at ?? '-'}/${progress?.of ?? '-'}`);
    }
    expect(seen).toEqual(['consent 1/3', 'question 2/3', 'question 3/3', 'goodbye -/-']);
  });

  it('asks only the open questions, and tells the device about a skipped one', () => {
    const asked = play(
      [
        [0, tap(capturedBy(1, { openQuestions: ['talk'] }))],
        [1, { kind: 'answerPrompts' }],
      ],
      standing(),
    );
    expect(viewOf(asked, 1)).toMatchObject({
      kind: 'question',
      session: { steps: [{}, { kind: 'goodbye' }] },
    });
    const skipped = reduceDisplay(asked, { kind: 'next' }, 2);
    expect(sessionOf(skipped.view)).toMatchObject({
      open: [],
      pendingCommands: [{ command: { kind: 'skip', question: 'talk' } }],
    });
  });

  it('can be left in the middle, and offers the open prompts at the goodbye', () => {
    const left = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'next' }],
        [3, { kind: 'leave' }],
      ],
      standing(),
    );
    expect(viewOf(left, 3).kind).toBe('goodbye');
    const again = reduceDisplay(left, { kind: 'answerPrompts' }, 4);
    expect(viewOf(again, 4)).toMatchObject({ kind: 'consent' });
  });

  it('gives a visitor with comfort settings at least fifteen seconds to undo', () => {
    const tapped = play([[0, tap(capturedBy(1))]], standing());
    expect(sessionOf(tapped.view)?.undoUntil).toBe(8_000);
    const slower = reduceDisplay(tapped, { kind: 'comfort', on: true }, 5_000);
    expect(sessionOf(reduceDisplay(slower, tick, 14_900).view)?.undo).toBe('offered');
    const next = reduceDisplay(slower, tap(capturedBy(2)), 16_000);
    expect(sessionOf(next.view)?.undoUntil).toBe(31_000);
  });

  it("tells the next visitor whether the previous visitor's choices were saved", () => {
    const inStep = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'answerPrompts' }],
      ],
      standing(),
    );
    expect(reduceDisplay(inStep, tap(capturedBy(2)), 2).interrupted).toBe('kept');
    const ticked = reduceDisplay(inStep, { kind: 'setConsent', id: 'news', agrees: true }, 2);
    const taken = reduceDisplay(ticked, tap(capturedBy(2)), 3);
    expect(taken.interrupted).toBe('notKept');
    expect(reduceDisplay(taken, { kind: 'dismiss' }, 4).interrupted).toBeNull();
  });

  it('shows a consent as saved only after the device has saved it, and offers a retry after a failure', () => {
    const issued = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'setConsent', id: 'news', agrees: true }],
        [3, share(false)],
      ],
      standing(),
    );
    expect(sessionOf(issued.view)).toMatchObject({
      saving: 'pending',
      consented: null,
      pendingCommands: [{ command: { kind: 'consent', agreed: { news: true, call: false } } }],
    });
    const failed = acknowledge(issued, 'notKept', 4);
    expect(viewOf(failed, 4)).toMatchObject({ kind: 'consent', session: { saving: 'failed' } });
    const kept = acknowledge(reduceDisplay(failed, share(false), 5), 'kept', 6);
    expect(viewOf(kept, 6)).toMatchObject({ kind: 'goodbye', session: { consented: ['news'] } });
  });

  it('records a no to everything as an answer, and nothing for a visitor who leaves', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'setConsent', id: 'news', agrees: true }],
      ],
      standing(),
    );
    const no = reduceDisplay(open, share(true), 3);
    expect(sessionOf(no.view)?.pendingCommands).toMatchObject([
      { command: { agreed: { news: false, call: false } } },
    ]);
    const warned = reduceDisplay(open, tick, 2 + displayTimes.stepIdle + 1);
    expect(viewOf(warned, 2 + displayTimes.stepIdle + 1).kind).toBe('idlePrompt');
    const gone = reduceDisplay(warned, tick, 2 + displayTimes.stepIdle + displayTimes.idlePrompt + 10);
    expect(gone.view).toBeNull();
    expect(sessionOf(warned.view)?.pendingCommands).toEqual([]);
  });

  it('switches every consent off when the wording changes', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { asksConsent: true }))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'setConsent', id: 'news', agrees: true }],
      ],
      standing(),
    );
    const reworded = { ...fullStand, notice: { version: '2', link: null, texts: {} } };
    expect(sessionOf(reduceDisplay(open, { kind: 'stand', stand: reworded }, 3).view)?.agreed).toEqual({
      news: false,
      call: false,
    });
    const same = reduceDisplay(open, { kind: 'stand', stand: { ...fullStand, email: false } }, 3);
    expect(sessionOf(same.view)?.agreed).toEqual({ news: true, call: false });
  });

  it('asks an inactive visitor whether they are there, and stays at the same step when they are', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, { openQuestions: everyQuestion }))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'draft', answer: 'half a word' }],
        [2, { kind: 'touch' }],
      ],
      standing({ questions: [demoQuestions.text] }),
    );
    const warned = reduceDisplay(open, tick, 2 + displayTimes.stepIdle);
    expect(viewOf(warned, 2 + displayTimes.stepIdle).kind).toBe('idlePrompt');
    expect(
      viewOf(reduceDisplay(warned, { kind: 'touch' }, 3 + displayTimes.stepIdle), 3 + displayTimes.stepIdle)
        .kind,
    ).toBe('idlePrompt');
    const back = reduceDisplay(warned, { kind: 'stay' }, 3 + displayTimes.stepIdle);
    expect(viewOf(back, 3 + displayTimes.stepIdle)).toMatchObject({
      kind: 'question',
      session: { drafts: { wish: 'half a word' } },
    });
    expect(back.view?.until).toBe(3 + 2 * displayTimes.stepIdle);
  });

  it('counts unanswered commands as not saved', () => {
    const issued = play(
      [
        [0, tap(capturedBy(1, { openQuestions: everyQuestion }))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'answer', language: 'en', answer: ['o1'] }],
        [2 + displayTimes.commandTimeout, tick],
      ],
      standing(),
    );
    expect(sessionOf(issued.view)).toMatchObject({ saving: 'failed', answered: [] });
    const late = reduceDisplay(
      issued,
      { kind: 'acknowledged', factId: 'fact-1', number: 1, answer: 'kept' },
      9_000,
    );
    expect(sessionOf(late.view)).toMatchObject({ saving: 'failed', answered: [] });
  });

  it('gives way to the next tap in the middle of a step, and leaves none of its data', () => {
    const display = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'answerPrompts' }],
        [2, { kind: 'setConsent', id: 'news', agrees: true }],
        [3, tap(capturedBy(2, asking))],
        [4, { kind: 'next' }],
      ],
      standing(),
    );
    expect(sessionOf(display.view)).toMatchObject({
      factId: 'fact-2',
      agreed: { news: false, call: false },
    });
    expect(JSON.stringify(display)).not.toContain('fact-1');
  });

  it('survives a short loss of the link, and ends with a longer one', () => {
    const open = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'answerPrompts' }],
        [2, share(false)],
        [3, { kind: 'link', state: 'lost' }],
      ],
      standing(),
    );
    expect(sessionOf(open.view)).toMatchObject({ saving: 'failed' });
    const back = reduceDisplay(open, { kind: 'link', state: 'up' }, 500);
    expect(viewOf(back, 500).kind).toBe('consent');
    expect(
      viewOf(reduceDisplay(open, tick, 3 + displayTimes.linkGrace), 3 + displayTimes.linkGrace).kind,
    ).toBe('linkLost');
  });

  it("uses the visitor's language in its steps", () => {
    const visitor = { name: 'A B.', company: null, language: 'ja' };
    const display = play(
      [
        [0, tap(capturedBy(1, { ...asking, visitor }))],
        [1, { kind: 'answerPrompts' }],
      ],
      standing(),
    );
    expect(preferredLanguages(display)).toEqual(['ja']);
  });

  it('asks once for the e-mail and shows the result', () => {
    const issued = play(
      [
        [0, tap(capturedBy(1))],
        [1, { kind: 'email' }],
        [2, { kind: 'email' }],
      ],
      standing(),
    );
    expect(sessionOf(issued.view)?.pendingCommands).toHaveLength(1);
    const answer = { kind: 'acknowledged', factId: 'fact-1', number: 1, answer: 'queued' } as const;
    expect(sessionOf(reduceDisplay(issued, answer, 3).view)?.email).toBe('queued');
  });
});

describe('the content picker', () => {
  const content = () => standing({}, { purpose: 'content' });
  const take = (item = arm): DisplayInput => ({ kind: 'take', item: item ?? demoOffer(1)[0] ?? never() });

  it('opens after a tap on request, and leads to the goodbye', () => {
    const display = play(
      [
        [0, tap(capturedBy(1, asking))],
        [1, { kind: 'openContentPicker' }],
      ],
      content(),
    );
    expect(viewOf(display, 1).kind).toBe('contentPicker');
    expect(viewOf(reduceDisplay(display, { kind: 'leave' }, 2), 2).kind).toBe('goodbye');
  });

  it('shows a content as taken once the device has saved it, and can return it then', () => {
    const issued = play(
      [
        [0, tap(capturedBy(1))],
        [1, { kind: 'answerPrompts' }],
        [2, take()],
        [3, take()],
      ],
      content(),
    );
    expect(sessionOf(issued.view)).toMatchObject({ selections: [{ taken: false, state: 'pending' }] });
    const taken = acknowledge(issued, 'kept', 4);
    expect(sessionOf(taken.view)).toMatchObject({ selections: [{ taken: true, state: 'settled' }] });
    expect(sessionOf(acknowledge(reduceDisplay(taken, take(), 5), 'kept', 6).view)?.selections).toEqual([]);
  });

  it('takes the selected contents with the first captured tap, even after a failed one', () => {
    const display = play(
      [
        [0, { kind: 'choose' }],
        [1, take()],
        [2, take(profile)],
        [3, tap({ kind: 'reading', at: 1 })],
        [4, tap({ kind: 'notRead', at: 1, reason: 'pulled' })],
        [4 + displayTimes.notRead, tick],
      ],
      content(),
    );
    expect(viewOf(display, 4 + displayTimes.notRead).kind).toBe('choosing');
    const captured = reduceDisplay(display, tap(capturedBy(1)), 10_000);
    expect(sessionOf(captured.view)?.pendingCommands.map(({ command }) => command)).toMatchObject([
      { kind: 'collect', content: 'content-1', take: true },
      { kind: 'collect', content: 'content-0', take: true },
    ]);
    expect(captured.basket).toBeNull();
    const other = reduceDisplay(captured, tap(capturedBy(2)), 12_000);
    expect(sessionOf(other.view)?.selections).toEqual([]);
  });

  it('forgets the selection when nobody taps', () => {
    const chosen = play(
      [
        [0, { kind: 'choose' }],
        [1, take()],
      ],
      content(),
    );
    const later = displayTimes.stepIdle + displayTimes.idlePrompt + 2;
    const rested = reduceDisplay(reduceDisplay(chosen, tick, displayTimes.stepIdle + 1), tick, later);
    expect(rested).toMatchObject({ view: null, basket: null });
  });

  it('opens neither content picker nor notice while the link is down', () => {
    const lost = reduceDisplay(content(), { kind: 'link', state: 'lost' }, 1);
    for (const kind of ['choose', 'readNotice'] as const)
      expect(reduceDisplay(lost, { kind }, 2).view).toBeNull();
  });
});

describe('a text of the stand', () => {
  it('is the available one that fits best: the language, its base, English, any', () => {
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
