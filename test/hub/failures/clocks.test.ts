/**
 * Wrong clocks: devices that are wrong by a year, a device whose clock is set back during the fair, and a hub that is
 * wrong by two days. Each fact arrives once, in order, and with its time by the platform. Commands are valid for a
 * day.
 */
import { expect, it, test } from 'vitest';
import { createCommander } from '../../../src-hub/fleet/commander.ts';
import { makeSigningKey } from '../../../src-main/provision/provision-file.ts';
import { readCommand } from '../../../src-main/provision/signed-command.ts';
import { keepReport } from '../../../src-platform/keys/devices.ts';
import { ownFolder, until } from '../../core/fixture.ts';
import { chainAt, realClock } from '../../core/real-parts.ts';
import { hurriedClock } from '../hub-kiosk.ts';
import { startHub } from '../serving/serving-hub.ts';
import { joinHub, type Laptop, leadPlaces, leadsAt } from '../team/laptop.ts';

const PATIENCE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** A clock that is wrong by this much until it is set. */
const wrongClock = (byMs: number) => {
  let by = byMs;
  return {
    clock: { ...hurriedClock, now: () => Date.now() + by },
    set: (ms: number) => {
      by = ms;
    },
  };
};

it('facts of devices with wrong clocks arrive once, with the platform’s time, and the latest change wins', async () => {
  const folder = ownFolder();
  // The hub's clock is two days behind the platform's.
  const platformTime = () => Date.now() + 2 * DAY_MS;
  const hub = await startHub({ platformTime });
  const [place] = await leadPlaces(hub);
  if (place === undefined) throw new Error('Expected a stand');
  const ahead = wrongClock(YEAR_MS);
  const behind = wrongClock(-YEAR_MS);
  const early = await joinHub(hub, folder, 'early', place, { clock: ahead.clock });
  const late = await joinHub(hub, folder, 'late', place, { clock: behind.clock });
  const began = platformTime() - 5_000;
  const one = async (at: Laptop) => (await leadsAt(at)).find(({ badgeTail }) => badgeTail === '0001');
  const noteAt = async (at: Laptop) =>
    (await at.screen.leads.one({ lead: (await one(at))?.id ?? '' }))?.note ?? null;
  const say = async (at: Laptop, note: string, justBefore = () => {}) => {
    // The `Date` header has whole seconds, so simultaneous changes may change places.
    await realClock.sleep(2_500);
    justBefore();
    return at.screen.leads.edit({ lead: (await one(at))?.id ?? '', change: { note } });
  };

  early.kiosk.tap('04DD0000000001');
  await until('the other device has the lead', async () => (await one(late)) !== undefined, PATIENCE_MS);
  await say(early, 'First');
  await until('the other device has the note', async () => (await noteAt(late)) === 'First', PATIENCE_MS);
  await say(late, 'Second');
  await until('the later change wins', async () => (await noteAt(early)) === 'Second', PATIENCE_MS);
  // The clock is set back by three hours during the fair, and then a tap and a note follow.
  await say(early, 'Third', () => {
    ahead.set(YEAR_MS - 3 * HOUR_MS);
    early.kiosk.tap('04DD0000000002');
  });
  await until('the latest change wins again', async () => (await noteAt(late)) === 'Third', PATIENCE_MS);
  await say(late, 'Fourth', () => behind.set(-YEAR_MS - 3 * HOUR_MS));
  await until(
    'the change wins on the other device',
    async () => (await noteAt(early)) === 'Fourth',
    PATIENCE_MS,
  );
  expect(await noteAt(late)).toBe('Fourth');
  await until('the tap arrived', async () => (await leadsAt(late)).length === 2, PATIENCE_MS);

  const rows = await hub.store.db
    .selectFrom('relay_fact')
    .select(['id', 'item', 'device_id', 'seq'])
    .orderBy('seq')
    .execute();
  expect(rows).toHaveLength(6);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(6);
  const items = rows.map(({ item }) => JSON.parse(item) as { readonly at: string; readonly seq: number });
  for (const { at } of items) {
    expect(Date.parse(at)).toBeGreaterThan(began);
    expect(Date.parse(at)).toBeLessThan(platformTime() + 5_000);
  }
  const ofEarly = items.filter((_item, index) => rows[index]?.device_id === early.id);
  expect(ofEarly.map(({ seq }) => seq)).toEqual(ofEarly.map(({ seq }) => seq).toSorted((a, b) => a - b));
  for (const laptop of [early, late]) {
    expect(chainAt(`${laptop.folder}/journal.db`).brokenAt).toBeNull();
    expect(laptop.kiosk.state().delivery).toMatchObject({ due: 0, uncertain: 0, parked: 0 });
    expect(laptop.kiosk.errors()).toEqual([]);
  }
}, 240_000);

const commanded = async () => {
  const hub = await startHub();
  const key = makeSigningKey();
  const known = { fingerprint: key.fingerprint, device: hub.device.id };
  const times = { own: 1_795_000_000_000, ahead: 0 };
  const commander = createCommander({
    ...{ store: hub.store, privateKey: key.privateKey },
    now: () => times.own,
    platformTime: () => times.own + times.ahead,
  });
  /** The commands that the device runs. It judges them by the platform's time. */
  const followed = async (last = 0) => {
    const texts = await commander.waitingFor(hub.device.id, last);
    return texts.flatMap((text) => readCommand(text, times.own + times.ahead, known) ?? []);
  };
  const message = (text: string) => commander.send([hub.device.id], { kind: 'message', text });
  return { ...hub, times, commander, followed, message, known };
};

test('a command is valid for a day, even if the hub corrects its clock in the meantime', async () => {
  const { times, followed, message } = await commanded();
  await message('Hall closes');
  expect(await followed()).toHaveLength(1);
  // The first answer of the platform shows that the hub was two days behind.
  times.ahead = 2 * DAY_MS;
  expect(await followed()).toMatchObject([{ command: { text: 'Hall closes' } }]);
  times.ahead = -2 * DAY_MS;
  expect(await followed()).toHaveLength(1);
  times.own += DAY_MS;
  expect(await followed()).toEqual([]);
});

test('a command that was already fetched also expires after a day', async () => {
  const { times, commander, device, message, known } = await commanded();
  times.ahead = 2 * DAY_MS;
  await message('Hall closes');
  const [text = ''] = await commander.waitingFor(device.id, 0);
  const there = times.own + times.ahead;
  expect(readCommand(text, there + DAY_MS - 1_000, known)).not.toBeNull();
  expect(readCommand(text, there + DAY_MS + 1_000, known)).toBeNull();
});

test('devices execute commands after the hub’s clock was set back, but none for longer than a day', async () => {
  const { times, followed, message, store, device } = await commanded();
  await message('Before');
  const [before] = await followed();
  const last = before?.number ?? 0;
  await keepReport(store, device.id, JSON.stringify(reportWith(last)), new Date(times.own));
  expect(await followed(last)).toEqual([]);
  times.own -= 2 * DAY_MS;
  await message('After');
  expect(await followed(last)).toMatchObject([{ command: { text: 'After' } }]);

  times.own += 2 * DAY_MS;
  await message('Again');
  times.own -= 2 * DAY_MS;
  expect(await followed(last)).toHaveLength(1);
  times.own += DAY_MS + 1_000;
  expect(await followed(last)).toEqual([]);
});

/** The report of a device that has run all commands up to this number. */
const reportWith = (command: number) => ({
  at: 0,
  command,
  delivery: { captured: 0, due: 0, inFlight: 0, uncertain: 0, atHub: 0, sent: 0, confirmed: 0, parked: 0 },
});
