/**
 * The spoken text of every view: complete in all ten languages, with the name, the event, the recipient and
 * the options.
 */
import { createIntl } from 'react-intl';
import { describe, expect, it } from 'vitest';
import type { TapEvent } from '../../../../src-main/contract/tap.ts';
import { languages } from '../../../../src-renderer/messages/catalogue.ts';
import { plainText } from '../../../../src-renderer/messages/plain-text.ts';
import type { Heard, Say } from '../../../../src-renderer/visitor/speech/spoken.ts';
import { spokenText } from '../../../../src-renderer/visitor/speech/spoken-text.ts';
import { purposes } from '../../../../src-renderer/visitor/state/purposes.ts';
import { type Display, initialDisplay, viewOf } from '../../../../src-renderer/visitor/state/reducer.ts';
import { startSession } from '../../../../src-renderer/visitor/state/session.ts';
import type { View } from '../../../../src-renderer/visitor/state/view.ts';
import { captured } from '../../device/captured.ts';
import { demoActivity, demoOffer, demoQuestions, everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { healthyDevice } from '../../device/healthy-device.ts';

const span = { since: 1_000, until: 21_000 };
const now = 3_000;
const stand = { ...fullStand, activity: demoActivity, questions: Object.values(demoQuestions) };
const [product] = demoOffer(3).slice(1);
if (!product) throw new Error('The demo offers nothing');

const sessionOf = (change: Parameters<typeof captured>[0] = {}) => {
  const event = captured({ asksConsent: true, openQuestions: everyQuestion, ...change });
  return { event, session: startSession(event, { stand, chosen: [], comfort: true }, span.since) };
};
const capturedAs = (change: Parameters<typeof captured>[0]): View => ({
  kind: 'captured',
  ...span,
  ...sessionOf(change),
});
const { session } = sessionOf();
const at = (kind: 'contentPicker' | 'goodbye'): View => ({
  kind,
  ...span,
  session: { ...session, steps: [{ kind }], at: 0 },
});
const tapped = <Kind extends TapEvent['kind']>(event: Extract<TapEvent, { kind: Kind }>) => event;

/** Every view, and every reason and state in a view that has its own words. */
const views: Readonly<Record<string, View>> = {
  connecting: { kind: 'connecting' },
  attract: { kind: 'attract' },
  firstSync: { kind: 'firstSync' },
  standChoice: { kind: 'standChoice' },
  outOfOrder: { kind: 'outOfOrder', code: 'E-13' },
  linkLost: { kind: 'linkLost', code: 'E-31' },
  typing: { kind: 'typing', ...span },
  reading: { kind: 'reading', ...span, typed: false },
  'reading typed': { kind: 'reading', ...span, typed: true },
  captured: capturedAs({}),
  'captured content': capturedAs({ collected: product }),
  'captured unknown': capturedAs({ visitor: null }),
  'captured again': capturedAs({ repeat: { count: 2, since: 0 } }),
  'captured check-in': capturedAs({ checkin: { result: 'welcome', since: 0, count: 3 } }),
  'captured check-in again': capturedAs({ checkin: { result: 'again', since: 0, count: 3 } }),
  ...Object.fromEntries(
    (['pending', 'expired', 'late', 'failed'] as const).map((undo) => [
      `captured, undo ${undo}`,
      { kind: 'captured', ...span, ...sessionOf(), session: { ...session, undo } } satisfies View,
    ]),
  ),
  ...Object.fromEntries(
    (['notRegistered', 'full', 'restricted'] as const).map((reason) => [
      reason,
      { kind: 'notAdmitted', ...span, event: tapped({ kind: 'notAdmitted', at: 0, reason }) } satisfies View,
    ]),
  ),
  notRead: { kind: 'notRead', ...span, event: tapped({ kind: 'notRead', at: 0, reason: 'pulled' }) },
  ...Object.fromEntries(
    (['phone', 'randomUid', 'notABadge', 'clash', 'impossibleCode', 'garbledScan'] as const).map((reason) => [
      `refused ${reason}`,
      { kind: 'refused', ...span, event: tapped({ kind: 'refused', at: 0, reason }) } satisfies View,
    ]),
  ),
  ...Object.fromEntries(
    (['full', 'readOnly', 'failing', 'notChosen'] as const).map((reason) => [
      `failed ${reason}`,
      { kind: 'failed', ...span, event: tapped({ kind: 'failed', at: 0, reason }) } satisfies View,
    ]),
  ),
  ...Object.fromEntries(
    (['first', 'repeat', 'checkin'] as const).map((tapKind) => [
      `undone ${tapKind}`,
      {
        kind: 'undone',
        ...span,
        event: tapped({ kind: 'undone', at: 0, factId: 'f' }),
        language: null,
        tapKind,
      } satisfies View,
    ]),
  ),
  consent: { kind: 'consent', ...span, session: { ...session, steps: [{ kind: 'consent' }], at: 0 } },
  ...Object.fromEntries(
    Object.values(demoQuestions).map((question) => [
      `question ${question.kind}`,
      {
        kind: 'question',
        ...span,
        session: { ...session, steps: [{ kind: 'question', question }], at: 0, saving: 'failed' },
      } satisfies View,
    ]),
  ),
  contentPicker: at('contentPicker'),
  goodbye: {
    kind: 'goodbye',
    ...span,
    session: {
      ...session,
      steps: [{ kind: 'goodbye' }],
      at: 0,
      consented: ['news'],
      answered: ['when'],
      selections: [{ item: product, taken: true, state: 'settled' }],
      email: 'queued',
    },
  },
  choosing: { kind: 'choosing', ...span },
  notice: { kind: 'notice', ...span },
  idlePrompt: { kind: 'idlePrompt', ...span, over: { kind: 'choosing', ...span } },
};

const heardIn = (language: string): Heard => ({
  device: healthyDevice,
  stand,
  basket: [],
  language,
  clock: () => '10:30',
  interrupted: 'kept',
  shownItems: [],
  now,
  date: 0,
});

const sayIn = (tag: string): Say => {
  const { messages } = languages.find((one) => one.tag === tag) ?? languages[0];
  const intl = createIntl({
    locale: tag,
    messages,
    onError: (error) => {
      throw error;
    },
  });
  return {
    text: (id, values) => plainText(intl, id, values),
    list: (items) => intl.formatList(items, { type: 'disjunction' }),
  };
};

const said = (view: View, language = 'en', change: Partial<Heard> = {}) =>
  spokenText(view, { ...heardIn(language), ...change }, sayIn(language))
    .map(({ text }) => text)
    .join(' ');

describe('the spoken text', () => {
  it.each(languages.map(({ tag }) => tag))(
    'exists for every view in %s, in whole sentences, without a message id',
    (tag) => {
      for (const [name, view] of Object.entries(views)) {
        const lines = spokenText(view, heardIn(tag), sayIn(tag));
        expect(lines.length, name).toBeGreaterThanOrEqual(2);
        for (const { text } of lines) {
          expect(text, name).toMatch(/\S.*[.!?。！？؟…]$/u);
          // What would remain of a message without a value, or of a missing message.
          expect(text, name).not.toMatch(/[{}<>#]|undefined|\bnull\b|\b[a-z]+\.[a-z]+[A-Z]\w*/u);
        }
      }
    },
  );

  it('covers every kind of view', () => {
    const idle = viewOf(initialDisplay(0) satisfies Display, 0);
    const kinds: Readonly<Record<View['kind'], true>> = {
      ...{ connecting: true, attract: true, firstSync: true, standChoice: true, outOfOrder: true },
      ...{ linkLost: true, typing: true, reading: true, captured: true, notAdmitted: true, notRead: true },
      ...{ refused: true, failed: true, undone: true, consent: true, question: true, contentPicker: true },
      ...{ goodbye: true, choosing: true, notice: true, idlePrompt: true },
    };
    expect(kinds[idle.kind]).toBe(true);
    expect(new Set(Object.values(views).map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  });

  it('says the name, who receives what, how long an undo is possible and what can be done', () => {
    expect(said(views.captured as View)).toBe(
      'Thank you, Amélie B. Northwind Robotics now has your contact details. The choices made before are kept. ' +
        'Ateliers du Rhône. 13 seconds left to take it back. ' +
        'You can choose: See what we brought, May we stay in touch?, Take it back, or Done.',
    );
    expect(said(views['captured unknown'] as View)).toContain('Northwind Robotics gets your details as soon');
  });

  it('says for every purpose what a tap does, and who gets the data', () => {
    for (const purpose of purposes) {
      const text = said({ kind: 'attract' }, 'en', { device: { ...healthyDevice, purpose } });
      expect(text, purpose).toMatch(/tap/i);
      expect(text, purpose).toContain('Northwind Robotics GmbH, Hall 4, stand B17');
    }
  });

  it('names the contents of the offer with their summaries, each once', () => {
    const shownItems = [
      { ...product, id: 'a', name: 'Arm R7', summary: '14 kg payload' },
      { ...product, id: 'b', name: 'Cart M2', summary: null },
    ];
    for (const view of [views.contentPicker as View, views.choosing as View]) {
      expect(said(view, 'en', { shownItems })).toContain('Arm R7: 14 kg payload. Cart M2.');
      const keys = spokenText(view, { ...heardIn('en'), shownItems }, sayIn('en')).map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(['content a', 'content b']));
    }
    expect(said(views.attract as View, 'en', { shownItems })).not.toContain('Arm R7: 14 kg');
  });

  it('reads every consent with its state, and the whole notice', () => {
    const text = said(views.consent as View);
    expect(text).toContain('Send me news by e-mail, about four times a year: not selected.');
    expect(text).toContain('Call me after the event: not selected.');
    expect(text).toContain('How long: 60 days, then it is deleted.');
    expect(text).toContain('Share my choice, No, thank you, Take it back, or Done.');
  });

  it('reads what was not saved, and the seconds that remain', () => {
    expect(said(views['question choice'] as View)).toContain('This was not saved.');
    expect(said(views['question choice'] as View)).toContain('This year, Next year, Later, Just looking');
    expect(said(views.idlePrompt as View)).toContain('18 seconds left.');
    expect(said(views.goodbye as View)).toContain('Taken along: Arm R7, 14 kg payload.');
  });

  it('reads a line with a running clock once', () => {
    const keysAt = (moment: number) =>
      spokenText(views.captured as View, { ...heardIn('en'), now: moment }, sayIn('en')).map(
        ({ key }) => key,
      );
    expect(keysAt(now)).toEqual(keysAt(now + 2_000));
  });
});
