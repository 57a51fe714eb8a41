/** A visitor's additions to a tap: consents, answers, contents; stored, merged, undone, erased. Without a network. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import { ownFolder } from '../../fixture.ts';
import { leadsOn } from '../../screen.ts';
import { askingStand, capturedOf, fill, guest, openStandKiosk, smallFair } from './stand-kiosk.ts';

const V1 = '04AA00000000A1';
const UNKNOWN = '04990000DEAD01';

const atStand = (more: Partial<Parameters<typeof openStandKiosk>[0]> = {}) =>
  openStandKiosk({ stand: askingStand, prepare: (mirror) => fill(mirror, smallFair()), ...more });

describe('contents', () => {
  const event = (bagUrl: string | null) =>
    JSON.stringify({ id: 'E1', name: 'Fair', timezone: 'UTC', start: null, end: null, bagUrl });
  const atEvent = (bagUrl: string | null) =>
    atStand({
      prepare: (mirror) => {
        fill(mirror, smallFair());
        mirror.setMetadata('event', event(bagUrl));
      },
    });

  it('refer to their tap if the platform has a page with the contents of a tap', async () => {
    const bag = 'https://events.example.org/bag/E1';
    const { tap, screen, lines, stand } = atEvent(bag);
    const { factId } = capturedOf(await tap(V1));
    const [content] = (await screen.offer.list({ search: '', offset: 0, limit: 10 })).items;
    await screen.session.collect({ factId, content: content?.id ?? '', take: true });
    expect(lines().at(-1)).toMatchObject({ kind: 'collect', payload: { fields: { bag: factId } } });
    expect((await stand()).offer.bag).toBe(bag);
  });

  it('do not refer to a tap if it has no such page', async () => {
    const { tap, screen, lines, stand } = atEvent(null);
    const { factId } = capturedOf(await tap(V1));
    const [content] = (await screen.offer.list({ search: '', offset: 0, limit: 10 })).items;
    await screen.session.collect({ factId, content: content?.id ?? '', take: true });
    expect(lines().at(-1)?.payload).not.toHaveProperty('fields');
    expect((await stand()).offer.bag).toBeNull();
  });
});

describe('consents', () => {
  it('are asked after a first tap, stored with notice, language and time, and not asked again', async () => {
    const { tap, screen, lines, pass } = atStand();
    const first = capturedOf(await tap(V1));
    expect(first).toMatchObject({ asksConsent: true, openQuestions: ['when', 'stars', 'words'] });
    const agreed = { news: false, call: true };
    expect(await screen.session.consent({ factId: first.factId, language: 'de', agreed })).toEqual({
      kept: true,
    });
    expect(lines().at(-1)).toMatchObject({
      kind: 'consent',
      touchpoint: 'lead1',
      partner: 'p1',
      payload: { badge: V1, visitor: 'v1', fields: { consent: { notice: 'v1', language: 'de', agreed } } },
      delivery: { state: 'due' },
    });
    pass(4_000);
    expect(await tap(V1)).toMatchObject({ asksConsent: false, repeat: { count: 2 } });
  });

  it('leave no fact without an answer', async () => {
    const { tap, screen, lines } = atStand();
    const { factId } = capturedOf(await tap(V1));
    await screen.session.end({ factId });
    expect(lines().map(({ kind }) => kind)).toEqual(['tap']);
  });

  it('are asked again under another notice, even after a restart', async () => {
    const folder = ownFolder();
    const first = atStand({ folder });
    const { factId } = capturedOf(await first.tap(V1));
    await first.screen.session.consent({ factId, language: 'en', agreed: { news: true, call: true } });
    await first.stop();
    const same = openStandKiosk({ folder, stand: askingStand });
    expect(await same.tap(V1)).toMatchObject({ asksConsent: false });
    await same.stop();
    const stand = { ...askingStand, notice: { ...askingStand.notice, version: 'v2' } };
    const other = openStandKiosk({ folder, stand });
    const again = capturedOf(await other.tap(V1));
    expect(again.asksConsent).toBe(true);
    // Consents under the earlier notice are not carried over.
    await other.screen.session.consent({ factId: again.factId, language: 'en', agreed: { news: true } });
    expect(other.lines().at(-1)?.payload).toMatchObject({
      fields: { consent: { notice: 'v2', language: 'en', agreed: { news: true } } },
    });
    expect(JSON.stringify(other.lines().at(-1)?.payload)).not.toContain('call');
  });

  it('are not asked again if another device of the partner asked for them', async () => {
    const consent = { notice: 'v1', language: 'en', agreed: { news: true } };
    const connection = { id: 'k1', type: 'partner', visitorID: 'v1', partnerID: 'p1', consent };
    const { tap } = atStand({
      prepare: (mirror) => fill(mirror, { ...smallFair(), connections: [connection] }),
    });
    expect(await tap(V1)).toMatchObject({ asksConsent: false, openQuestions: ['when', 'stars', 'words'] });
  });

  it('are not stored for purposes that were not asked', async () => {
    const { tap, screen, lines } = atStand();
    const { factId } = capturedOf(await tap(V1));
    const answer = await screen.session.consent({ factId, language: 'en', agreed: { everything: true } });
    expect(answer).toEqual({ kept: false });
    expect(lines()).toHaveLength(1);
  });

  it('are stored with an unknown badge', async () => {
    const { tap, screen, lines } = atStand();
    const { factId } = capturedOf(await tap(UNKNOWN));
    const kept = await screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    expect(kept).toEqual({ kept: true });
    expect(lines().at(-1)?.payload).toMatchObject({ badge: UNKNOWN });
  });

  it('are not asked at a touchpoint without a partner', async () => {
    const { tap, screen, stand } = atStand({ stand: { ...askingStand, touchpoint: 'hall' } });
    const captured = capturedOf(await tap(V1));
    expect(captured).toMatchObject({ asksConsent: false, openQuestions: [] });
    expect(await stand()).toMatchObject({ consents: [], questions: [] });
    const { factId } = captured;
    expect(await screen.session.consent({ factId, language: 'en', agreed: { news: true } })).toEqual({
      kept: false,
    });
  });
});

describe('answers', () => {
  it('are sent together with all earlier ones of the lead, over taps and restarts', async () => {
    const folder = ownFolder();
    const first = atStand({ folder });
    const one = capturedOf(await first.tap(V1));
    const say = (factId: string, question: string, answer: string[] | number | string) => ({
      factId,
      language: 'en',
      question,
      answer,
    });
    await first.screen.session.answer(say(one.factId, 'when', ['soon']));
    await first.screen.session.answer(say(one.factId, 'stars', 4));
    expect(first.lines().at(-1)?.payload?.fields).toEqual({
      answers: { when: ['soon'], stars: 4 },
      language: 'en',
    });
    await first.stop();
    const second = openStandKiosk({ folder, stand: askingStand });
    const two = capturedOf(await second.tap(V1));
    expect(two.openQuestions).toEqual(['words']);
    await second.screen.session.answer(say(two.factId, 'words', 'Nothing'));
    expect(second.lines().at(-1)).toMatchObject({
      kind: 'qualify',
      payload: { fields: { answers: { when: ['soon'], stars: 4, words: 'Nothing' } } },
    });
    second.pass(4_000);
    expect(await second.tap(V1)).toMatchObject({ openQuestions: [] });
  });

  it('are not requested again to questions that the visitor skipped, even after a restart; others stay', async () => {
    const folder = ownFolder();
    const first = atStand({ folder });
    const { factId } = capturedOf(await first.tap(V1));
    await first.screen.session.answer({ factId, language: 'en', question: 'when', answer: ['soon'] });
    expect(await first.screen.session.skip({ factId, question: 'stars' })).toEqual({ kept: true });
    expect(await first.screen.session.skip({ factId, question: 'words' })).toEqual({ kept: true });
    expect(await first.screen.session.skip({ factId, question: 'nothing' })).toEqual({ kept: false });
    expect(first.lines().at(-1)).toMatchObject({
      kind: 'qualify',
      payload: { fields: { skipped: ['stars', 'words'] } },
    });
    await first.stop();
    const second = openStandKiosk({ folder, stand: askingStand });
    const again = capturedOf(await second.tap(V1));
    expect(again.openQuestions).toEqual([]);
    await second.screen.session.answer({
      factId: again.factId,
      language: 'en',
      question: 'stars',
      answer: 2,
    });
    expect(second.lines().at(-1)?.payload?.fields).toEqual({
      answers: { when: ['soon'], stars: 2 },
      language: 'en',
    });
  });

  it('are kept if they were given at another device of the partner', async () => {
    const connection = {
      id: 'k1',
      type: 'partner',
      visitorID: 'v1',
      partnerID: 'p1',
      answers: { stars: 2, old: 'x' },
    };
    const { tap, screen, lines } = atStand({
      prepare: (mirror) => fill(mirror, { ...smallFair(), connections: [connection] }),
    });
    const { factId } = capturedOf(await tap(V1));
    await screen.session.answer({ factId, language: 'en', question: 'when', answer: ['later'] });
    expect(lines().at(-1)?.payload?.fields).toEqual({
      answers: { stars: 2, old: 'x', when: ['later'] },
      language: 'en',
    });
  });

  it.each([
    ['when', ['never']],
    ['when', ['soon', 'later']],
    ['when', 3],
    ['stars', true],
    ['words', '   '],
    ['nothing', 'x'],
  ])('are not stored if they do not fit the question %s: %j', async (question, answer) => {
    const { tap, screen, lines } = atStand();
    const { factId } = capturedOf(await tap(V1));
    expect(await screen.session.answer({ factId, language: 'en', question, answer })).toEqual({
      kept: false,
    });
    expect(lines()).toHaveLength(1);
  });
});

describe('contents', () => {
  it('are recorded once if a visitor takes them twice in a tap session, and undone if the visitor returns them', async () => {
    const { tap, screen, lines } = atStand();
    const { factId } = capturedOf(await tap(V1));
    const take = (content: string, isTaken: boolean) =>
      screen.session.collect({ factId, content, take: isTaken });
    expect(await take('c1', true)).toEqual({ kept: true });
    expect(await take('c1', true)).toEqual({ kept: true });
    const collect = lines().at(-1);
    expect(collect).toMatchObject({ kind: 'collect', payload: { badge: V1, visitor: 'v1', content: 'c1' } });
    expect(lines()).toHaveLength(2);
    expect(await take('c1', false)).toEqual({ kept: true });
    expect(await take('c1', false)).toEqual({ kept: true });
    expect(lines().at(-1)).toMatchObject({ kind: 'undo', payload: { undoes: collect?.id } });
    expect(await take('c1', true)).toEqual({ kept: true });
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'collect', 'undo', 'collect']);
  });

  it('cannot be collected from another partner', async () => {
    const { tap, screen } = atStand();
    const { factId } = capturedOf(await tap(V1));
    for (const content of ['x1', 'gone']) {
      expect(await screen.session.collect({ factId, content, take: true })).toEqual({ kept: false });
    }
  });

  it('are offered with the profile first, then by name in natural order, and found without accents and in either kana', async () => {
    const { screen } = atStand();
    const { items, total } = await screen.offer.list({});
    expect(items.map(({ id }) => id)).toEqual(['c0', 'c2', 'c1']);
    expect(total).toBe(3);
    expect((await screen.offer.list({ search: 'ECLAIR ARM 1' })).items.map(({ id }) => id)).toEqual(['c1']);
    expect((await screen.offer.list({ search: 'ろぼっと' })).items.map(({ id }) => id)).toEqual(['c1']);
    expect((await screen.offer.list({ search: 'data' })).items.map(({ id }) => id)).toEqual(['c2']);
    expect(await screen.offer.list({ offset: 1, limit: 1 })).toMatchObject({
      items: [{ id: 'c2' }],
      total: 3,
    });
  });
});

describe('undoing a tap', () => {
  it('undoes its whole session, the tap last, so that the next tap asks everything again', async () => {
    const { tap, screen, staff, lines, pass } = atStand();
    const { factId, leadId } = capturedOf(await tap(V1));
    await screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    await screen.session.answer({ factId, language: 'en', question: 'stars', answer: 5 });
    await screen.session.collect({ factId, content: 'c1', take: true });
    await screen.session.collect({ factId, content: 'c2', take: true });
    await screen.session.collect({ factId, content: 'c2', take: false });
    const before = lines();
    expect(await screen.taps.undo({ factId })).toEqual({ done: true });
    const undone = lines()
      .slice(before.length)
      .map(({ kind, payload }) => [kind, payload?.undoes]);
    const still = before
      .filter(({ kind, payload }) => kind !== 'undo' && payload?.content !== 'c2')
      .map(({ id }) => id);
    expect(undone.map(([kind]) => kind)).toEqual(still.map(() => 'undo'));
    expect(new Set(undone.map(([, id]) => id))).toEqual(new Set(still));
    expect(undone.at(-1)?.[1]).toBe(factId);
    expect((await leadsOn(await staff())).leads).toMatchObject([{ id: leadId, undone: true }]);
    expect(await screen.session.collect({ factId, content: 'c1', take: true })).toEqual({ kept: false });
    pass(100);
    expect(await tap(V1)).toMatchObject({ asksConsent: true, openQuestions: ['when', 'stars', 'words'] });
  });
});

describe('a tap session', () => {
  it('ends when the visitor is done, and two minutes after the last action', async () => {
    const { tap, screen, pass } = atStand();
    const { factId } = capturedOf(await tap(V1));
    const rate = () => screen.session.answer({ factId, language: 'en', question: 'stars', answer: 3 });
    pass(110_000);
    expect(await rate()).toEqual({ kept: true });
    pass(110_000);
    expect(await rate()).toEqual({ kept: true });
    pass(120_001);
    expect(await rate()).toEqual({ kept: false });
    const next = capturedOf(await tap(V1));
    expect(await screen.session.end({ factId: next.factId })).toEqual({ ended: true });
    expect(await screen.session.end({ factId: next.factId })).toEqual({ ended: false });
    expect(
      await screen.session.answer({ factId: next.factId, language: 'en', question: 'stars', answer: 3 }),
    ).toEqual({ kept: false });
  });

  it('continues if the badge is tapped again at once', async () => {
    const { tap, screen, pass } = atStand();
    const { factId } = capturedOf(await tap(V1));
    await screen.session.end({ factId });
    pass(1_000);
    expect(await tap(V1)).toMatchObject({ kind: 'captured', factId });
    const kept = await screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    expect(kept).toEqual({ kept: true });
  });

  it('accepts nothing after a restart, if the screen had already shown its tap', async () => {
    const folder = ownFolder();
    const first = atStand({ folder });
    const { factId } = capturedOf(await first.tap(V1));
    await first.untilMarked();
    await first.stop();
    const second = openStandKiosk({ folder, stand: askingStand });
    expect(await second.screen.session.collect({ factId, content: 'c1', take: true })).toEqual({
      kept: false,
    });
  });

  it('belongs to the current visitor of a reassigned badge', async () => {
    const folder = ownFolder();
    const first = atStand({ folder });
    const before = capturedOf(await first.tap(V1));
    await first.stop();
    const visitors = [guest('v1', '04AA00000000B1'), guest('v2', V1)];
    const second = atStand({ folder, prepare: (mirror) => fill(mirror, { ...smallFair(), visitors }) });
    const { factId, leadId } = capturedOf(await second.tap(V1));
    expect(leadId).not.toBe(before.leadId);
    await second.screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    const database = openReadOnly(join(folder, 'journal.db'));
    const consent = database?.prepare(
      "SELECT lead FROM lead_fact JOIN fact USING (seq) WHERE kind = 'consent'",
    );
    expect(consent?.all()).toEqual([{ lead: leadId }]);
    database?.close();
  });

  it("shows a visitor's company only if the settings allow it", async () => {
    const shy = atStand();
    expect(capturedOf(await shy.tap(V1)).visitor).toMatchObject({ name: 'First v1 L.', company: null });
    const open = atStand({ stand: { showCompany: true } });
    expect(capturedOf(await open.tap(V1)).visitor).toMatchObject({ company: 'Company v1' });
  });
});
