/**
 * A badge with a known UID is captured before its message is read (docs/decisions/uid-first.md). The tests cover the
 * possible messages, from the reader's events to the recorded facts.
 */
import { expect, it } from 'vitest';
import { UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { until } from '../../fixture.ts';
import { ndefMessage, uriRecord } from '../../foundations/badge/ndef-bytes.ts';
import { screenOf } from '../../screen.ts';
import { fill, guest, openStandKiosk, smallFair } from '../visit/stand-kiosk.ts';

const V1 = '04AA00000000A1';
const UNKNOWN = '04990000DEAD01';

const saying = (id: string) => ({
  ndef: { state: 'read' as const, bytes: ndefMessage(uriRecord(4, `badge.example/b/${id}`)) },
});
const LOST = { ndef: { state: 'failed' as const, reason: 'pulled' } };

/** A stand where v1 and v2 have their badges by UID, and v5's badge shows `GUEST-5`. */
const openStand = async (stand: object = { touchpoint: 'lead1' }) => {
  const fair = smallFair();
  const visitors = [...(fair.visitors ?? []), guest('v5', 'GUEST-5')];
  const opened = openStandKiosk({ stand, prepare: (mirror) => fill(mirror, { ...fair, visitors }) });
  await new Promise((resolve) => setImmediate(resolve));
  const outcomes = () => opened.told.filter(({ kind }) => !['reading', 'removed'].includes(kind));
  return {
    ...opened,
    outcomes,
    /** Waits until the screen got this many outcomes. */
    toldOutcomes: (count: number) => until('the screen has the outcome', () => outcomes().length >= count),
    captured: () => opened.told.filter((event) => event.kind === 'captured'),
  };
};

it('publishes a tap as soon as its UID is read, and does not publish it again after the memory is read', async () => {
  for (const rest of [{}, LOST, saying('nobody-knows'), saying('v1')]) {
    const { begin, complete, toldOutcomes, outcomes, lines, lights, kiosk } = await openStand();
    begin(V1);
    await toldOutcomes(1);
    expect(outcomes()).toMatchObject([{ kind: 'captured', visitor: { name: 'First v1 L.' } }]);
    expect(lines().map(({ payload }) => payload)).toEqual([{ badge: V1, visitor: 'v1' }]);
    complete(rest);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes()).toHaveLength(1);
    expect(lines()).toHaveLength(1);
    expect(lights).toEqual(['captured']);
    expect(kiosk.state().lostNdef).toBe(0);
  }
});

it('does not delay a tap because the memory holds a content page, like that of a sticker', async () => {
  const { begin, complete, toldOutcomes, outcomes, lines } = await openStand();
  begin(V1);
  complete({ ndef: { state: 'read', bytes: ndefMessage(uriRecord(4, 'expo.example/c/42')) } });
  await toldOutcomes(1);
  expect(outcomes()).toMatchObject([{ kind: 'captured' }]);
  expect(lines()).toHaveLength(1);
});

it('waits for the message if the UID names no visitor, because the message may', async () => {
  const { begin, complete, toldOutcomes, outcomes, lines } = await openStand();
  begin(UNKNOWN);
  await new Promise((resolve) => setImmediate(resolve));
  expect(outcomes()).toEqual([]);
  expect(lines()).toEqual([]);
  complete(saying('GUEST-5'));
  await toldOutcomes(1);
  expect(outcomes()).toMatchObject([{ kind: 'captured', visitor: { name: 'First v5 L.' } }]);
  expect(lines().map(({ payload }) => payload)).toEqual([
    { badge: 'GUEST-5', otherCodes: [UNKNOWN], visitor: 'v5' },
  ]);
});

it('captures an unknown badge by its UID when its message was lost, and counts the loss', async () => {
  const { begin, complete, toldOutcomes, lines, kiosk } = await openStand();
  begin(UNKNOWN);
  complete(LOST);
  await toldOutcomes(1);
  expect(lines().map(({ payload }) => payload)).toEqual([{ badge: UNKNOWN, lostNdef: 'failed' }]);
  expect(kiosk.state().lostNdef).toBe(1);
});

it('shows a clash instead if the message names another visitor, and undoes the tap and all additions', async () => {
  const stand = await openStand({
    touchpoint: 'content1',
    notice: { version: 'v1', texts: { en: { who: 'We', why: 'To call', howLong: 'A year' } } },
    consents: [{ id: 'news', text: { en: 'News' } }],
  });
  const { begin, complete, toldOutcomes, captured, outcomes, lines, lights, screen } = stand;
  begin(V1);
  await toldOutcomes(1);
  const factId = captured()[0]?.factId ?? '';
  const agreed = { news: true };
  await screen.session.consent({ factId, language: 'en', agreed });
  complete(saying('GUEST-5'));
  await toldOutcomes(2);
  expect(outcomes()).toMatchObject([{ kind: 'captured' }, { kind: 'refused', reason: 'clash', factId }]);
  const [tap, collect, consent] = lines();
  expect(
    lines().map(({ kind, payload }) => [kind, payload?.undoes ?? payload?.badge, payload?.clash]),
  ).toEqual([
    ['tap', V1, undefined],
    ['collect', V1, undefined],
    ['consent', V1, undefined],
    ['undo', collect?.id, undefined],
    ['undo', consent?.id, undefined],
    ['undo', tap?.id, undefined],
    ['tap', V1, true],
  ]);
  expect(lines().at(-1)?.payload).toEqual({ badge: V1, otherCodes: ['GUEST-5'], clash: true });
  expect(lights).toEqual(['refused']);
  expect(await screen.session.consent({ factId, language: 'en', agreed })).toMatchObject({ kept: false });
});

it('waits for the message of a badge that was a clash before, so that its next taps show only the clash', async () => {
  const { begin, complete, toldOutcomes, outcomes, pass } = await openStand();
  begin(V1);
  complete(saying('GUEST-5'));
  await toldOutcomes(2);
  for (const wait of [1_000, 10_000]) {
    pass(wait);
    begin(V1);
    await new Promise((resolve) => setImmediate(resolve));
    const before = outcomes().length;
    complete(saying('GUEST-5'));
    await toldOutcomes(before + 1);
    expect(outcomes().at(-1)).toMatchObject({ kind: 'refused', reason: 'clash' });
  }
  expect(outcomes().filter(({ kind }) => kind === 'captured')).toHaveLength(1);
});

it('keeps a tap undone if its visitor undid it before the message was read', async () => {
  const { begin, complete, toldOutcomes, captured, outcomes, screen, lines } = await openStand();
  begin(V1);
  await toldOutcomes(1);
  await screen.taps.undo({ factId: captured()[0]?.factId ?? '' });
  complete(saying('GUEST-5'));
  await toldOutcomes(2);
  expect(outcomes().map(({ kind }) => kind)).toEqual(['captured', 'undone']);
  expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
});

it('records one tap for a resting badge, and undoes it if the second read shows a clash', async () => {
  const { begin, complete, toldOutcomes, outcomes, lines } = await openStand();
  begin(V1);
  complete(LOST);
  begin(V1);
  await toldOutcomes(2);
  expect(lines()).toHaveLength(1);
  complete(saying('GUEST-5'));
  await toldOutcomes(3);
  expect(outcomes().map(({ kind }) => kind)).toEqual(['captured', 'captured', 'refused']);
  expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo', 'tap']);
});

it('lets the visitor undo the tap as long as the undo is offered', async () => {
  const { begin, complete, toldOutcomes, captured, screen, pass } = await openStand();
  begin(V1);
  complete({});
  await toldOutcomes(1);
  pass(UNDO_MS - 100);
  expect(await screen.taps.undo({ factId: captured()[0]?.factId ?? '' })).toEqual({ done: true });
});

it('waits for the complete card of a staff badge, and undoes the tap when only the message names the member', async () => {
  const { kiosk, begin, complete, toldOutcomes, outcomes, lines } = await openStand();
  const page = screenOf(kiosk);
  await page.staff.choosePin({ pin: '4711', name: 'Jonas W.' });
  const member = (await page.staff.team()).members[0]?.id ?? '';
  for (const code of ['04AA00000000A2', 'CREW-1']) {
    await page.staff.awaitBadge({ member });
    await page.taps.enter({ text: code, source: 'manual' });
  }
  await toldOutcomes(2);
  begin('04AA00000000A2');
  await new Promise((resolve) => setImmediate(resolve));
  expect(outcomes()).toHaveLength(2);
  complete();
  await toldOutcomes(3);
  expect(lines()).toEqual([]);
  begin(V1);
  complete(saying('CREW-1'));
  await toldOutcomes(6);
  expect(outcomes().map(({ kind }) => kind)).toEqual([
    ...['staff', 'staff', 'staff'],
    ...['captured', 'undone', 'staff'],
  ]);
  expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
});
