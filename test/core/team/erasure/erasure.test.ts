/**
 * Erases one person, and everybody at the end of the fair: on a complete device, with its backups and every file of
 * its folder.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp, onDisk } from '../../data-on-disk.ts';
import { ownFolder, until } from '../../fixture.ts';
import { chainAt } from '../../real-parts.ts';
import { staffScreen } from '../../screen.ts';
import {
  askingStand,
  capturedOf,
  fill,
  guest,
  openStandKiosk,
  smallFair,
} from '../../stand/visit/stand-kiosk.ts';

/** Threads start slowly on a busy machine. */
const PATIENCE = 120_000;

const BADGE = '04AAFEEDFACE01';
const OTHER = '04AA00000000A2';
const stand = { ...askingStand, touchpoint: 'lead1' };
const TRACES = [
  'Zacharias',
  'Unmistakable',
  BADGE,
  'zacharias@example.org',
  'Telltale Rival AG',
  'Telltale Holding',
  // The day of a meeting.
  '2026-12-24',
];

const opened = async (folder = ownFolder(), technician = true) => {
  const device = openStandKiosk({
    folder,
    technician,
    stand,
    prepare: (mirror) => {
      const fair = smallFair();
      const zacharias = guest('vz', BADGE, {
        ...{ firstName: 'Zacharias', lastName: 'Unmistakable', email: 'zacharias@example.org' },
      });
      fill(mirror, { ...fair, visitors: [...(fair.visitors ?? []), zacharias] });
    },
  });
  return { ...device, screen: await staffScreen(device.kiosk) };
};

const tracesIn = (text: string): readonly string[] => TRACES.filter((trace) => text.includes(trace));

const leadOf = async (device: Awaited<ReturnType<typeof opened>>, search: string): Promise<string> => {
  let id: string | undefined;
  await until('the lead is found', async () => {
    id = (await device.screen.leads.page({ filter: { search } })).leads[0]?.id;
    return id !== undefined;
  });
  return id ?? '';
};

test(
  'erases only the requested person in the journal, the backups and the sidecar log',
  async () => {
    const device = await opened();
    const { factId } = capturedOf(await device.tap(BADGE));
    await device.screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    await device.tap(OTHER);
    await backUp(device.folder);
    const lead = await leadOf(device, 'Unmistakable');
    await device.screen.leads.edit({
      lead,
      change: {
        note: 'Zacharias wants two',
        form: { rival: 'Telltale Rival AG' },
        companyGroup: 'Telltale Holding',
        ...{ followUpOn: '2026-12-24', followUpTime: '23:47', followUpKind: 'call' },
      },
    });
    await backUp(device.folder);
    expect(tracesIn(onDisk(device.folder))).toEqual(TRACES);
    expect(await device.screen.erasure.preview({ lead })).toMatchObject({
      ...{
        name: 'Zacharias Unmistakable',
        facts: { tap: 1, consent: 1, qualify: 1 },
        copies: 2,
        registered: true,
      },
    });

    const erased = await device.screen.erasure.forget({ lead });
    expect(erased).toMatchObject({
      kind: 'erased',
      protocol: {
        ...{ kind: 'person', people: 1, facts: 3, undelivered: 3, platformAsked: false },
        places: expect.arrayContaining([
          { place: 'journal.db', state: 'erased', why: null },
          { place: 'backup/journal-1.db', state: 'erased', why: null },
          { place: 'backup/journal-2.db', state: 'erased', why: null },
          { place: 'journal.tail', state: 'erased', why: null },
        ]),
      },
    });
    expect(tracesIn(JSON.stringify(erased))).toEqual([]);
    expect(tracesIn(onDisk(device.folder))).toEqual([]);
    expect(onDisk(device.folder)).toContain(OTHER);
    for (const copy of ['journal.db', 'backup/journal-1.db', 'backup/journal-2.db'])
      expect(chainAt(join(device.folder, copy)).brokenAt).toBeNull();
    expect(await device.screen.erasure.preview({ lead })).toBeNull();
    expect(await device.screen.erasure.forget({ lead })).toEqual({ kind: 'unknown' });
    expect(await device.screen.erasure.protocols()).toHaveLength(1);
    await device.stop();
    expect(tracesIn(onDisk(device.folder))).toEqual([]);
    const again = await opened(device.folder);
    await until(
      'the other lead is listed',
      async () => (await again.screen.leads.page({})).counts.people === 1,
    );
  },
  PATIENCE,
);

test(
  'refuses the end of the fair while facts are undelivered, unless the technician forces it',
  async () => {
    const device = await opened();
    await device.tap(BADGE);
    await device.tap(OTHER);
    // Two badges of one person count as one.
    const [lead, into] = (await device.screen.leads.page({})).leads.map(({ id }) => id);
    await device.screen.leads.merge({ lead: lead ?? '', into: into ?? '' });
    expect(await device.screen.erasure.check()).toMatchObject({
      ...{
        people: 1,
        facts: 3,
        undelivered: 3,
        parked: 0,
        exportedAll: null,
        eraseBy: null,
        endsSharing: false,
      },
    });
    expect(await device.screen.erasure.wipe({})).toEqual({ kind: 'pending', undelivered: 3 });
    const started = await device.screen.exports.start({ kind: 'jsonl', place: null, language: 'en' });
    const id = started.kind === 'started' ? started.job.id : '';
    for await (const { result } of await device.screen.exports.watch({ id })) if (result !== null) break;
    expect(await device.screen.erasure.check()).toMatchObject({
      exportedAll: { file: expect.stringMatching(/jsonl$/u) },
    });
    const wiping = device.screen.erasure.wipe({ force: true });
    await until('the device is wiped', async () => {
      device.pass(10);
      return (await device.screen.erasure.check()).people === 0;
    });
    device.pass(10);
    expect(await wiping).toMatchObject({
      kind: 'erased',
      protocol: { kind: 'fair', people: 1, facts: 3, undelivered: 3, platformAsked: false },
    });
    expect(tracesIn(onDisk(device.folder))).toEqual([]);
    expect(onDisk(device.folder)).not.toContain(OTHER);
    expect(chainAt(join(device.folder, 'journal.db'))).toEqual({ facts: 3, brokenAt: null });
    expect(device.kiosk.state().delivery).toMatchObject({ captured: 3, parked: 3 });
  },
  PATIENCE,
);

test(
  'lets only the technician erase undelivered facts',
  async () => {
    const device = await opened(ownFolder(), false);
    await device.tap(BADGE);
    expect(await device.screen.erasure.wipe({ force: true })).toEqual({ kind: 'pending', undelivered: 1 });
    expect(await device.screen.erasure.check()).toMatchObject({ people: 1, undelivered: 1 });
    expect(tracesIn(onDisk(device.folder))).toContain(BADGE);
  },
  PATIENCE,
);

test(
  'shows, changes and exports no meeting of another partner (docs/laws.md#law-14)',
  async () => {
    const folder = ownFolder();
    const ofA = await opened(folder);
    await ofA.tap(BADGE);
    const lead = await leadOf(ofA, 'Unmistakable');
    const meeting = { followUpTime: '10:00', followUpKind: 'meeting' } as const;
    await ofA.screen.leads.edit({ lead, change: { ...meeting, followUpOn: '2026-12-24' } });
    await ofA.stop();
    const ofB = openStandKiosk({
      folder,
      stand: { ...stand, touchpoint: 'other' },
      prepare: (mirror) => {
        const fair = smallFair();
        const other = { id: 'other', name: 'B', purpose: 'lead', partnerID: 'p2' };
        fill(mirror, { ...fair, touchpoints: [...(fair.touchpoints ?? []), other] });
      },
    });
    const screen = await staffScreen(ofB.kiosk);
    const { leadId: own } = capturedOf(await ofB.tap(OTHER));
    await screen.leads.edit({ lead: own, change: { ...meeting, followUpOn: '2026-12-23' } });
    expect(await screen.leads.one({ lead })).toBeNull();
    expect(await screen.leads.edit({ lead, change: { followUpOn: null } })).toMatchObject({
      kind: 'unknown',
    });
    const started = await screen.exports.start({ kind: 'ics', place: null, language: 'en' });
    const id = started.kind === 'started' ? started.job.id : '';
    for await (const { result } of await screen.exports.watch({ id })) if (result !== null) break;
    let calendar = '';
    for await (const { bytes } of await screen.exports.download({ id }))
      calendar += Buffer.from(bytes, 'base64');
    expect(calendar).toContain('20261223');
    expect(calendar).not.toContain('20261224');
  },
  PATIENCE,
);

test(
  'erases no lead of another partner, neither one person nor everybody',
  async () => {
    const folder = ownFolder();
    const ofA = await opened(folder);
    await ofA.tap(BADGE);
    const lead = await leadOf(ofA, 'Unmistakable');
    await ofA.stop();
    const ofB = openStandKiosk({
      folder,
      stand: { ...stand, touchpoint: 'other' },
      prepare: (mirror) =>
        fill(mirror, { touchpoints: [{ id: 'other', name: 'B', purpose: 'lead', partnerID: 'p2' }] }),
    });
    const ofBs = await staffScreen(ofB.kiosk);
    expect(await ofBs.erasure.preview({ lead })).toBeNull();
    expect(await ofBs.erasure.forget({ lead })).toEqual({ kind: 'unknown' });
    expect(await ofBs.erasure.wipe({ force: true })).toEqual({ kind: 'unknown' });
    expect(tracesIn(onDisk(folder))).not.toEqual([]);
  },
  PATIENCE,
);
