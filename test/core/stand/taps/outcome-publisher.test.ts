/** Taps without a connected page (docs/laws.md#law-13): shown later, with an undo. */
import { getEventMeta } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { TAP_SESSION_MS, UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { ownFolder, until } from '../../fixture.ts';
import { capturedOf, fill, openStandKiosk, smallFair } from '../visit/stand-kiosk.ts';

const [V1, V2] = ['04AA00000000A1', '04AA00000000A2'] as const;
const PHONE = '08A1B2C3';

const kioskWithoutPage = () =>
  openStandKiosk({
    page: 'later',
    stand: { touchpoint: 'lead1' },
    prepare: (mirror) => fill(mirror, smallFair()),
  });

it('shows a tap later if no page could show it, and offers its undo from then on', async () => {
  const { lay, pass, openPage, told, screen, lines } = kioskWithoutPage();
  lay(V1);
  pass(30_000);
  openPage();
  await until('the page has the outcome', () => told.length > 0);
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
  await until('the page has the outcome', () => told.length === 3);
  pass(UNDO_MS + 1);
  openPage();
  await tap('04990000DEAD01');
  expect(told.map(({ kind }) => kind).slice(0, 3)).toEqual(['captured', 'refused', 'captured']);
  expect(told.slice(3).filter(({ kind }) => kind === 'refused')).toEqual([]);
});

/**
 * A page that returns with `lastEventId`, or a new page. `next` receives one outcome. `lost` starts to read and never
 * receives, like the stream of a page that is gone. `leave` ends the stream.
 */
const connect = async (screen: ReturnType<typeof kioskWithoutPage>['screen'], lastEventId?: string) => {
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
      if (!['reading', 'removed'].includes(step.value.kind)) return step.value;
    }
  };
  const lost = async (): Promise<void> => {
    void stream.next().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const leave = async (): Promise<void> => {
    broken.abort();
    await stream.return?.();
  };
  return { next, lost, leave };
};

/** The first outcome of a new page. If the page missed none, that is the tap of this card. */
const firstOfNewPage = async ({ screen, lay }: ReturnType<typeof kioskWithoutPage>, uid: string) => {
  const page = await connect(screen);
  const event = await page.next(() => lay(uid));
  await page.leave();
  return event;
};

it('publishes outcomes that a broken stream lost again to the page that returns', async () => {
  const { lay, pass, screen } = kioskWithoutPage();
  const first = await connect(screen);
  const shown = await first.next(() => lay(V1));
  // Published to the stream, and never read from it.
  lay(V2);
  await first.leave();
  pass(20_000);
  const second = await connect(screen, getEventMeta(shown)?.id);
  const late = capturedOf(await second.next());
  expect(late.visitor?.name).toBe('First v2 L.');
  expect(late.undoUntil - late.at).toBe(UNDO_MS);
  await second.leave();
  // The page received both, so the next outcome is a new one.
  const third = await connect(screen, getEventMeta(late)?.id);
  expect((await third.next(() => lay(PHONE))).kind).toBe('refused');
  await third.leave();
  const recent = await connect(screen, '10000 ms');
  expect((await recent.next()).kind).toBe('refused');
  await recent.leave();
});

it('shows a new page the outcome that is still on display, with its undo, and no older one', async () => {
  const kiosk = kioskWithoutPage();
  const { lay, pass, screen, lines } = kiosk;
  const gone = await connect(screen);
  await gone.lost();
  lay(V1);
  await gone.leave();
  pass(UNDO_MS);
  const fresh = await connect(screen);
  const event = capturedOf(await fresh.next());
  expect(event.visitor?.name).toBe('First v1 L.');
  expect(event.undoUntil - event.at).toBe(UNDO_MS);
  await fresh.leave();
  pass(1);
  expect(await firstOfNewPage(kiosk, PHONE)).toMatchObject({ kind: 'refused' });
  pass(UNDO_MS - 1);
  expect(await screen.taps.undo({ factId: event.factId })).toEqual({ done: true });
  expect(lines().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
});

it('shows a new page no outcome that its visitor undid or has acted on', async () => {
  const kiosk = kioskWithoutPage();
  const { lay, pass, screen } = kiosk;
  const page = await connect(screen);
  const undone = capturedOf(await page.next(() => lay(V1)));
  expect(await screen.taps.undo({ factId: undone.factId })).toEqual({ done: true });
  expect(await firstOfNewPage(kiosk, PHONE)).toMatchObject({ kind: 'undone' });
  await page.leave();
  pass(UNDO_MS + 1);
  const ended = capturedOf(await firstOfNewPage(kiosk, V2));
  expect(await screen.session.end({ factId: ended.factId })).toEqual({ ended: true });
  expect(await firstOfNewPage(kiosk, PHONE)).toMatchObject({ kind: 'refused' });
});

it('does not show a returning page an older outcome that another page showed in the meantime', async () => {
  const { lay, pass, screen } = kioskWithoutPage();
  const first = await connect(screen);
  const shown = await first.next(() => lay(V1));
  const other = await connect(screen);
  await other.next();
  // The first page's stream breaks, and the device does not notice yet.
  lay(V2);
  pass(UNDO_MS + 1);
  lay(PHONE);
  const again = await connect(screen, getEventMeta(shown)?.id);
  expect((await again.next()).kind).toBe('refused');
  await again.leave();
  // Without the other page, the only broken stream is that of the first page.
  await other.leave();
  const alone = await connect(screen, getEventMeta(shown)?.id);
  expect(capturedOf(await alone.next()).visitor?.name).toBe('First v2 L.');
  await alone.leave();
  await first.leave();
});

it('shows an expired outcome on no page, but keeps its tap', async () => {
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

  it('leaves them to the next run, which shows them and can undo them', async () => {
    const folder = ownFolder();
    const first = run(folder);
    first.lay(V1);
    await first.stop();
    const { openPage, told, screen, lines } = run(folder);
    openPage();
    await until('the page has the outcome', () => told.length > 0);
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
    await until('the page has the outcome', () => told.length > 0);
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

  it('shows collected contents, admissions and refusals as they were first published', async () => {
    const told = async (touchpoint: string, uid: string) => {
      const folder = ownFolder();
      const first = run(folder, touchpoint);
      first.lay(uid);
      await first.stop();
      const next = run(folder, touchpoint);
      next.openPage();
      await until('the page has the outcome', () => next.told.length > 0);
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
