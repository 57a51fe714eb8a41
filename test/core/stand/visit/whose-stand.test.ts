/** The assignment of a device: staff choose it among several, and it must fit the partner in the notice. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReadOnly } from '../../../../src-main/core/foundations/store/database.ts';
import { foreignNameIn } from '../../../../src-main/core/stand/visit/notice-owner.ts';
import { ownFolder } from '../../fixture.ts';
import { askingStand, fill, guest, openStandKiosk, smallFair } from './stand-kiosk.ts';

const V1 = '04AA00000000A1';

/** Enough badges to learn their form, in addition to those of the small fair. */
const manyGuests = Array.from({ length: 30 }, (_, index) =>
  guest(`w${index}`, `04BB000000${index.toString(16).toUpperCase().padStart(4, '0')}`),
);
const twoPartners = {
  ...smallFair(),
  partners: [
    { id: 'p1', name: 'Northwind Robotics' },
    { id: 'p2', name: 'ACME Pumpen AG' },
  ],
  visitors: [...(smallFair().visitors ?? []), ...manyGuests],
};
const open = (more: Partial<Parameters<typeof openStandKiosk>[0]> = {}) =>
  openStandKiosk({ asks: true, prepare: (mirror) => fill(mirror, twoPartners), ...more });
const noticeOf = (who: string) => ({
  ...askingStand,
  notice: { version: 'v1', texts: { en: { who, why: 'To call', howLong: 'A year' } } },
});

describe('a device without a touchpoint', () => {
  it('captures nothing and asks staff to choose one', async () => {
    const { tap, lines, kiosk } = open();
    expect(await tap(V1)).toMatchObject({ kind: 'failed', reason: 'notChosen' });
    expect(lines()).toEqual([]);
    expect(kiosk.state()).toMatchObject({ partner: null, assignmentFault: { kind: 'unchosen' } });
  });

  it('gets the touchpoint that staff chose on it, even after a restart, and does not ask again', async () => {
    const folder = ownFolder();
    const { screen, tap, lines, kiosk, stop } = open({ folder });
    expect(await screen.device.touchpoints()).toContainEqual({
      id: 'lead1',
      name: 'Left',
      purpose: 'lead',
      partner: 'Northwind Robotics',
    });
    expect(await screen.device.choose({ touchpoint: 'nowhere' })).toEqual({ done: false });
    expect(await screen.device.choose({ touchpoint: 'lead1' })).toEqual({ done: true });
    expect(await screen.device.choose({ touchpoint: 'door1' })).toEqual({ done: false });
    expect(await tap(V1)).toMatchObject({ kind: 'captured' });
    expect(lines()).toMatchObject([{ touchpoint: 'lead1', partner: 'p1' }]);
    expect(kiosk.state().assignmentFault).toBeNull();
    await stop();
    const again = openStandKiosk({ folder, asks: true });
    expect(again.kiosk.state()).toMatchObject({ deviceName: 'Left', assignmentFault: null });
  });

  it('gets a touchpoint only with the PIN once the team has one', async () => {
    const { screen, staff, tap, kiosk } = open();
    const signedIn = await staff();
    const touchpoint = 'lead1';
    expect(await screen.device.choose({ touchpoint })).toEqual({ done: false, pin: { kind: 'needed' } });
    expect(await screen.device.choose({ touchpoint, pin: '0000' })).toEqual({
      done: false,
      pin: { kind: 'wrong', waitMs: 0 },
    });
    expect(await tap(V1)).toMatchObject({ kind: 'failed', reason: 'notChosen' });
    expect(await screen.device.choose({ touchpoint, pin: '2580' })).toEqual({ done: true });
    expect(kiosk.state().assignmentFault).toBeNull();
    // The PIN permits this one choice. It does not open the pages of the team.
    await expect(screen.leads.page({})).rejects.toThrow();
    await expect(signedIn.leads.page({})).resolves.toBeDefined();
  });

  it('gets a touchpoint without the PIN on a signed-in page, and counts wrong PINs', async () => {
    const { screen, staff } = open();
    const signedIn = await staff();
    const touchpoint = 'lead1';
    for (const pin of ['1111', '1112', '1113', '1114']) await screen.device.choose({ touchpoint, pin });
    expect(await screen.device.choose({ touchpoint, pin: '2580' })).toMatchObject({ pin: { kind: 'wait' } });
    expect(await signedIn.device.choose({ touchpoint })).toEqual({ done: true });
  });

  it('uses the only touchpoint of the event', async () => {
    const [only] = smallFair().touchpoints ?? [];
    const { tap } = open({
      prepare: (mirror) => fill(mirror, { ...twoPartners, touchpoints: only ? [only] : [] }),
    });
    expect(await tap(V1)).toMatchObject({ kind: 'captured' });
  });
});

describe('a notice', () => {
  it('is refused if it names a partner other than the touchpoint’s, and nothing is captured under it', async () => {
    const stand = { ...noticeOf('ACME Pumpen AG, Hall 3, gets your name.'), touchpoint: 'lead1' };
    const { tap, lines, kiosk } = open({ stand });
    expect(await tap(V1)).toMatchObject({ kind: 'failed', reason: 'notChosen' });
    expect(lines()).toEqual([]);
    expect(kiosk.state().assignmentFault).toEqual({
      kind: 'otherPartner',
      partner: 'Northwind Robotics',
      named: 'ACME Pumpen AG',
    });
  });

  it('may name other partners beside its own, and is not refused for a name shorter than five characters', () => {
    const { notice } = noticeOf('Northwind Robotics gets your name; pumps are by ACME Pumpen AG.');
    expect(foreignNameIn({ ...notice, link: null }, 'Northwind Robotics', ['ACME Pumpen AG'])).toBeNull();
    const ours = { version: '1', link: null, texts: { en: { who: 'We', why: 'To call', howLong: '' } } };
    expect(foreignNameIn(ours, 'Northwind Robotics', ['ACME Pumpen AG', 'We'])).toBeNull();
  });
});

describe('a code with a form that no badge of the event has', () => {
  const stand = { touchpoint: 'lead1' };

  it('typed or scanned is refused with a reason, is no lead, and is stored for the stand team', async () => {
    const { folder, screen, told, lines, kiosk } = open({ stand });
    await new Promise((resolve) => setImmediate(resolve));
    await screen.taps.enter({ text: 'hello', source: 'manual' });
    await screen.taps.enter({ text: '04AA00000000A', source: 'wedge' });
    await expect.poll(() => told.length).toBe(2);
    expect(told).toMatchObject([
      { kind: 'refused', reason: 'impossibleCode' },
      { kind: 'refused', reason: 'garbledScan' },
    ]);
    expect(lines()).toEqual([]);
    expect(kiosk.state().leads).toBe(0);
    const journal = openReadOnly(join(folder, 'journal.db'));
    if (journal === null) throw new Error('Expected a journal');
    const kept = journal
      .prepare('SELECT text, source, reason, partner FROM refused_code ORDER BY source')
      .all();
    journal.close();
    expect(kept).toEqual([
      { text: 'hello', source: 'manual', reason: 'impossibleCode', partner: 'p1' },
      { text: '04AA00000000A', source: 'wedge', reason: 'garbledScan', partner: 'p1' },
    ]);
    expect(kiosk.state().codePad).toBe('hex');
  });

  it('is captured if a reader read it from a card, or if its form fits', async () => {
    const { screen, tap, told } = open({ stand });
    expect(await tap('04990000')).toMatchObject({ kind: 'captured', visitor: null });
    await screen.taps.enter({ text: '04990000DEAD01', source: 'manual' });
    await expect.poll(() => told.at(-1)).toMatchObject({ kind: 'captured', visitor: null });
  });
});
