/**
 * The data of visitors on a device. The test searches all files of a device for the e-mail addresses and phone numbers
 * of everybody at the event, and finds only those of the people who tapped there. A device receives them with the
 * receipt of the tap, even if the hub was unreachable.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { giveDetails } from '../../src-platform/keys/devices.ts';
import { visitors } from '../../src-platform/registration/visitors.ts';
import { shapeOf } from '../../src-platform/resources/resource.ts';
import { findRecord, putRecord } from '../../src-platform/store/records.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { startHubKiosk } from './hub-kiosk.ts';
import { startLine } from './line.ts';
import { expo, startHub } from './serving/serving-hub.ts';
import { joinHub, leadPlaces, leadsAt } from './team/laptop.ts';

type Person = {
  readonly id: string;
  readonly code: string;
  readonly details: readonly string[];
};

/** Everybody at the event who has contact details and a badge. */
const readPeople = async ({ store }: Awaited<ReturnType<typeof startHub>>): Promise<readonly Person[]> => {
  const rows = await store.db
    .selectFrom('record')
    .select(['id', 'basic'])
    .where('kind', '=', 'visitor')
    .where('deleted', '=', 0)
    .execute();
  return rows.flatMap(({ id, basic }) => {
    const { badges, email, phone } = JSON.parse(basic);
    const details = [email, phone].filter((one) => typeof one === 'string' && one.length > 5);
    const code = badges?.find((one: { type: string }) => one.type === 'nfc')?.code;
    return details.length === 0 || code === undefined ? [] : [{ id, code, details }];
  });
};

/** The ids of the people whose details are in any file of a folder. */
const heldIn = (folder: string, people: readonly Person[]): readonly string[] => {
  const disk = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
  return people.filter(({ details }) => details.some((one) => disk.includes(one))).map(({ id }) => id);
};

test('a device holds only the contact details of visitors who tapped there, unless it was given all', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const people = await readPeople(hub);
  expect(people.length).toBeGreaterThan(100);
  const [place, ...others] = await leadPlaces(hub);
  const foreign = others.find(({ partner }) => partner !== place?.partner);
  const [first, second] = people;
  if (place === undefined || foreign === undefined || first === undefined || second === undefined)
    throw new Error('Expected two stands and two people');
  const line = await startLine(hub.baseUrl);
  const laptop = await joinHub(hub, folder, 'laptop', place, { baseUrl: line.baseUrl });
  const other = await joinHub(hub, folder, 'other', foreign);

  // The device has every name. To check the search: a planted address is found, also inside a database.
  expect(laptop.kiosk.state().mirror.complete).toBe(true);
  expect(heldIn(laptop.folder, people)).toEqual([]);
  const planted = join(laptop.folder, 'planted');
  writeFileSync(planted, `x${first.details[0]}y`);
  expect(heldIn(laptop.folder, people)).toEqual([first.id]);
  writeFileSync(planted, '');

  const hasDetails = (at: typeof laptop, person: Person, count: number) => async (): Promise<boolean> => {
    const leads = await leadsAt(at);
    const details = await Promise.all(leads.map(({ id }) => at.screen.leads.one({ lead: id })));
    const emails = details.map((one) => one?.person.email.original ?? null);
    return leads.length === count && emails.includes(person.details[0] ?? '');
  };
  laptop.kiosk.tap(first.code);
  await until('the lead has its contact details', hasDetails(laptop, first, 1), 60_000);
  expect(heldIn(laptop.folder, people)).toEqual([first.id]);

  // The hub is away: the name is shown at once, and the details come when the hub is back.
  line.cut();
  laptop.kiosk.tap(second.code);
  await until('the lead arrived', async () => (await leadsAt(laptop)).length === 2, 60_000);
  const named = (await leadsAt(laptop)).every(({ name }) => name !== null);
  expect(named).toBe(true);
  expect(heldIn(laptop.folder, people)).toEqual([first.id]);
  line.mend();
  await until('the second lead has its details', hasDetails(laptop, second, 2), 60_000);
  expect(new Set(heldIn(laptop.folder, people))).toEqual(new Set([first.id, second.id]));

  // A changed address also arrives. The other stand has none of these details.
  const record = await findRecord(hub.store.db, 'visitor', expo, first.id);
  const moved = { ...record?.doc, email: 'moved.address@example.org' };
  await hub.store.write((write) => putRecord(write, shapeOf(visitors), expo, moved));
  await until(
    'the lead has the new address',
    hasDetails(laptop, { ...first, details: ['moved.address@example.org'] }, 2),
    60_000,
  );
  expect(heldIn(other.folder, people)).toEqual([]);

  // The organiser gives one device all details.
  await giveDetails(hub.store, other.id, true);
  await until(
    'the device has the details of all visitors',
    () => heldIn(other.folder, people).length >= people.length - 1,
    60_000,
  );
  await giveDetails(hub.store, other.id, false);
  await until(
    'the device discarded nearly all details',
    () => heldIn(other.folder, people).length < 10,
    60_000,
  );
  await other.kiosk.stop();
  // The next start rewrites the file.
  const again = startHubKiosk(other.folder, other, { baseUrl: hub.baseUrl, key: other.key, expoId: expo });
  expect(heldIn(other.folder, people)).toEqual([]);
  expect(again.state().mirror.complete).toBe(true);
}, 240_000);
