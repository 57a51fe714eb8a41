/** Taps without a connected page (docs/laws.md#law-13): shown later, with an undo. */
import { getEventMeta } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { TAP_SESSION_MS, UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { ownFolder, until } from '../../fixture.ts';
import { capturedOf, fill, openStandKiosk, smallFair } from '../visit/stand-kiosk.ts';

const [V1, V2] = ['04AA00000000A1', '04AA00000000A2'] as const;
const PHONE = '08A1B2C3';
const UNKNOWN = '04AA00000000FF';

const kioskWithoutPage = () =>
  openStandKiosk({
    page: 'later',
    stand: { touchpoint: 'lead1' },
    prepare: (mirror) => fill(mirror, smallFair()),
  });

it('shows a tap later that no page could show, and offers its undo after that', async () => {
  const { lay, pass, openPage, told, screen, lines } = kioskWithoutPage();
  lay(V1);
  pass(30_000);
  openPage();
  await until('the page is told', () => told.length > 0);
  const event = capturedOf(told[0] ?? { kind: 'removed', at: 0 });
  expect(event.visitor?.name).toBe('First v1 L.');
  expect(event.undoUntil - event.at).toBe(UNDO_MS);
  pass(UNDO_MS);
  expect(await screen.taps.undo({ factId: event.factId })).toEqual({ done: true });
  expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
});

it('publishes waiting outcomes oldest first, each once, and not to the next page', async () => {
  const { lay, pass, openPage, told, tap } = kioskWithoutPage();
  lay(V1);
  pass(1_000);
  lay(V1);
  lay(PHONE);
  lay(V2);
  openPage();
  await until('the page is told', () => told.length === 3);
  openPage();
  await tap('04990000DEAD01');
  expect(told.map(({ kind }) => kind).slice(0, 3)).toEqual(['captured', 'refused', 'captured']);
  expect(told.slice(3).filter(({ kind }) => kind === 'refused')).toEqual([]);
});

it('publishes outcomes that a broken stream lost again, to the page that returns and to no new one', async () => {
  const { lay, pass, screen } = kioskWithoutPage();
  /** A page that returns with `lastEventId`; `next` receives one event, `leave` breaks the stream. */
  const openAgain = async (lastEventId?: string) => {
    const broken = new AbortController();
    const events = await screen.taps.watch(undefined, { signal: broken.signal, lastEventId });
    const stream = events[Symbol.asyncIterator]();
    const next = async (act: () => void = () => undefined) => {
      const coming = stream.next();
      // The stream starts with its first read.
      await new Promise((resolve) => setImmediate(resolve));
      act();
      for (let step = await coming; ; step = await stream.next()) {
        if (step.done === true) throw new Error('Expected an event');
        if (step.value.kind === 'captured' || step.value.kind === 'refused') return step.value;
      }
    };
    return { next, leave: () => broken.abort() };
  };
  const first = await openAgain();
  const shown = await first.next(() => lay(V1));
  // Published to the stream, and never read from it.
  lay(V2);
  first.leave();
  pass(20_000);
  const second = await openAgain(getEventMeta(shown)?.id);
  const late = capturedOf(await second.next());
  expect(late.visitor?.name).toBe('First v2 L.');
  expect(late.undoUntil - late.at).toBe(UNDO_MS);
  second.leave();
  // It received both, so the next outcome is new.
  const third = await openAgain(getEventMeta(late)?.id);
  expect((await third.next(() => lay(PHONE))).kind).toBe('refused');
  third.leave();
  const recent = await openAgain('10000 ms');
  expect((await recent.next()).kind).toBe('refused');
  recent.leave();
  const fresh = await openAgain();
  expect(capturedOf(await fresh.next(() => lay(UNKNOWN))).visitor).toBeNull();
  fresh.leave();
});

it('shows an expired outcome on no page, and keeps its tap', async () => {
  const { lay, pass, openPage, told, tap, lines } = kioskWithoutPage();
  lay(V1);
  pass(TAP_SESSION_MS + 1);
  openPage();
  await tap(V2);
  expect(told.filter(({ kind }) => kind === 'captured')).toHaveLength(1);
  expect(lines()).toHaveLength(2);
});

describe('a run that ended before a page could show its taps', () => {
  /** A run in `folder`, without a page unless requested. */
  const run = (folder: string, touchpoint = 'lead1') =>
    openStandKiosk({
      folder,
      page: 'later',
      stand: { touchpoint },
      prepare: (mirror) => {
        if (mirror.count('visitors') === 0) fill(mirror, smallFair());
      },
    });

  it('leaves them to the next run, which shows and undoes them', async () => {
    const folder = ownFolder();
    const first = run(folder);
    first.lay(V1);
    await first.stop();
    const { openPage, told, screen, lines } = run(folder);
    openPage();
    await until('the page is told', () => told.length > 0);
    const event = capturedOf(told[0] ?? { kind: 'removed', at: 0 });
    expect(event.visitor?.name).toBe('First v1 L.');
    expect(event.undoUntil - event.at).toBe(UNDO_MS);
    expect(await screen.taps.undo({ factId: event.factId })).toEqual({ done: true });
    expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
  });

  it('leaves them to a third run when the second had no page, but not those that a page has shown', async () => {
    const folder = ownFolder();
    const first = run(folder);
    first.openPage();
    await first.tap(V1);
    await first.untilMarked();
    await first.stop();
    const second = run(folder);
    second.lay(V2);
    await second.stop();
    await run(folder).stop();
    const { openPage, told } = run(folder);
    openPage();
    await until('the page is told', () => told.length > 0);
    expect(told.map((event) => capturedOf(event).visitor?.name)).toEqual(['First v2 L.']);
  });

  it('leaves no expired and no undone taps', async () => {
    const folder = ownFolder();
    const first = run(folder);
    first.lay(V1);
    first.pass(TAP_SESSION_MS + 1);
    first.lay(V2);
    const [, tap] = first.lines();
    expect(await first.screen.taps.undo({ factId: tap?.id ?? '' })).toEqual({ done: true });
    await first.stop();
    const { pass, openPage, tap: tapNow, told } = run(folder);
    pass(TAP_SESSION_MS + 1);
    openPage();
    await tapNow('04AA00000000A3');
    expect(told.filter(({ kind }) => kind === 'captured')).toHaveLength(1);
  });

  it("leaves no tap of the device's previous partner", async () => {
    const folder = ownFolder();
    const fair = smallFair();
    const touchpoints = [
      ...(fair.touchpoints ?? []),
      { id: 'lead2', name: 'B', purpose: 'lead', partnerID: 'p2' },
    ];
    const at = (touchpoint: string) =>
      openStandKiosk({
        folder,
        page: 'later',
        stand: { touchpoint },
        prepare: (mirror) => {
          if (mirror.count('visitors') === 0) fill(mirror, { ...fair, touchpoints });
        },
      });
    const ofA = at('lead1');
    ofA.lay(V1);
    await ofA.stop();
    const ofB = at('lead2');
    ofB.openPage();
    await ofB.tap(V2);
    const shown = ofB.told.filter(({ kind }) => kind === 'captured');
    expect(shown.map((event) => capturedOf(event).visitor?.name)).toEqual(['First v2 L.']);
  });

  it('leaves collected contents, admissions and refusals as they were published', async () => {
    const told = async (touchpoint: string, uid: string) => {
      const folder = ownFolder();
      const first = run(folder, touchpoint);
      first.lay(uid);
      await first.stop();
      const next = run(folder, touchpoint);
      next.openPage();
      await until('the page is told', () => next.told.length > 0);
      return { event: next.told[0], screen: next.screen };
    };
    const content = await told('content1', V1);
    expect(content.event).toMatchObject({ kind: 'captured', collected: { id: 'c2' } });
    const { factId } = capturedOf(content.event ?? { kind: 'removed', at: 0 });
    expect(await content.screen.session.collect({ factId, content: 'c2', take: false })).toEqual({
      kept: true,
    });
    expect((await told('door1', V1)).event).toMatchObject({
      kind: 'captured',
      checkin: { result: 'welcome', count: 1 },
    });
    expect((await told('door1', '04AA00000000A4')).event).toMatchObject({ kind: 'notAdmitted' });
  });
});
