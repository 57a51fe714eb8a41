/** Taps while no page listens (docs/laws.md#law-13): shown, and to be taken back, when one comes. */
import { expect, it } from 'vitest';
import { TAP_SESSION_MS, UNDO_MS } from '../../../src-main/core/time/windows.ts';
import { until } from '../fixture.ts';
import { capturedOf, fill, openStandKiosk, smallFair } from '../stand/stand-kiosk.ts';

const [V1, V2] = ['04AA00000000A1', '04AA00000000A2'] as const;
const PHONE = '08A1B2C3';

const kioskWithoutPage = () =>
  openStandKiosk({
    page: 'later',
    stand: { touchpoint: 'lead1' },
    prepare: (mirror) => fill(mirror, smallFair()),
  });

it('a tap that no page could show is shown when one comes, and can be taken back from then on', async () => {
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

it('what waits is told oldest first, each once, and not to the next page', async () => {
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

it('an outcome whose visitor has long gone is shown to nobody else; its tap is kept', async () => {
  const { lay, pass, openPage, told, tap, lines } = kioskWithoutPage();
  lay(V1);
  pass(TAP_SESSION_MS + 1);
  openPage();
  await tap(V2);
  expect(told.filter(({ kind }) => kind === 'captured')).toHaveLength(1);
  expect(lines()).toHaveLength(2);
});
