/**
 * A person asks one laptop of a stand to be forgotten. The hub and the other laptops also forget the person. A laptop
 * that was off forgets them when it returns, a new laptop never receives them, and no data of another partner
 * changes.
 */
import { expect, it } from 'vitest';
import { openReadOnly } from '../../../src-main/core/foundations/store/database.ts';
import { factFile } from '../../../src-main/core/team/exports/fact-export.ts';
import { onDisk } from '../../core/data-on-disk.ts';
import { ownFolder, until } from '../../core/fixture.ts';
import { chainAt } from '../../core/real-parts.ts';
import { startLine } from '../line.ts';
import { expo, startHub } from '../serving/serving-hub.ts';
import { addLaptop, joinHub, type Laptop, leadPlaces, leadsAt } from './laptop.ts';

/** A visitor of the demo whose name every device has. */
const AMELIE = '04A1B2C3D4E5F6';
const HASSAN = '04D41E77A2B690';
const TRACES = ['Beaumont', AMELIE, 'Unmistakable'];
const PATIENCE_MS = 120_000;

const tracesIn = (text: string): readonly string[] => TRACES.filter((trace) => text.includes(trace));
const tracesOn = ({ folder }: Laptop) => tracesIn(onDisk(folder));
const hers = async (at: Laptop) => (await leadsAt(at)).find(({ name }) => name?.includes('Beaumont'));

const stands = async (hub: Awaited<ReturnType<typeof startHub>>) => {
  const [place, ...others] = await leadPlaces(hub);
  const foreign = others.find(({ partner }) => partner !== place?.partner);
  if (place === undefined || foreign === undefined) throw new Error('Expected stands of two partners');
  return { place, foreign };
};

const forget = async (at: Laptop) => at.screen.erasure.forget({ lead: (await hers(at))?.id ?? '' });

/** The facts of a laptop, exported to a file. */
const fileOf = ({ folder, partner }: Laptop): Buffer => {
  const database = openReadOnly(`${folder}/journal.db`);
  if (database === null) throw new Error('Expected a journal');
  try {
    return Buffer.concat([...factFile(database, { event: expo, partner, leads: null })]);
  } finally {
    database.close();
  }
};

const sumsAddUp = ({ kiosk }: Laptop): boolean => {
  const { captured, due, inFlight, uncertain, sent, confirmed, parked } = kiosk.state().delivery;
  return due + inFlight + uncertain + sent + confirmed + parked === captured;
};

it('one request forgets a person at the hub and on every laptop of the stand', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const { place, foreign } = await stands(hub);
  const line = await startLine(hub.baseUrl);
  const left = await joinHub(hub, folder, 'left', place);
  const right = await joinHub(hub, folder, 'right', place);
  const away = await joinHub(hub, folder, 'away', place, { baseUrl: line.baseUrl });
  const other = await joinHub(hub, folder, 'other', foreign);
  const items = () =>
    hub.store.db
      .selectFrom('relay_fact')
      .select(['id', 'kind', 'item', 'state', 'reason', 'partner_id'])
      .execute();
  const itemsOf = async (partner: string) =>
    (await items()).filter(({ partner_id }) => partner_id === partner);

  left.kiosk.tap(AMELIE);
  left.kiosk.tap(HASSAN);
  other.kiosk.tap(AMELIE);
  await until(
    'the right laptop lists both leads',
    async () => (await leadsAt(right)).length === 2,
    PATIENCE_MS,
  );
  await until(
    'the laptop that goes offline lists both leads',
    async () => (await leadsAt(away)).length === 2,
    PATIENCE_MS,
  );
  line.cut();
  // This tap is captured while the laptop is cut off, so only this laptop has it.
  away.kiosk.tap(AMELIE);
  await until('the tap is captured', () => away.kiosk.state().delivery.captured === 1);
  const lead = (await hers(right))?.id ?? '';
  await right.screen.leads.edit({ lead, change: { note: 'Unmistakable wish' } });
  await until(
    'the left laptop has the note',
    async () => (await left.screen.leads.one({ lead: (await hers(left))?.id ?? '' }))?.note !== null,
    PATIENCE_MS,
  );
  expect(await right.kiosk.update.backUp()).toBe(true);
  const file = fileOf(away);
  expect([left, right, away].map(tracesOn)).toEqual([TRACES, TRACES, TRACES.slice(0, 2)]);
  expect(tracesIn(file.toString())).toEqual(TRACES.slice(0, 2));
  // The platform has the tap, but not the note.
  const [tap] = (await itemsOf(place.partner)).filter(({ item }) => item.includes(AMELIE));
  await hub.store.transaction(async (db) => {
    await db
      .updateTable('relay_fact')
      .set({ state: 'confirmed' })
      .where('id', '=', tap?.id ?? '')
      .execute();
  });

  const asked = await forget(left);
  expect(asked).toMatchObject({ kind: 'erased', protocol: { kind: 'person', people: 1, team: 'told' } });
  expect(tracesIn(JSON.stringify(asked))).toEqual([]);
  await until(
    'the right laptop forgot the person',
    async () => (await leadsAt(right)).length === 1,
    PATIENCE_MS,
  );
  await until(
    'the platform gets the undo of its one fact',
    async () => (await itemsOf(place.partner)).some(({ kind }) => kind === 'undo'),
    PATIENCE_MS,
  );
  const held = await itemsOf(place.partner);
  expect(held.filter(({ item }) => tracesIn(item).length > 0)).toEqual([]);
  expect(held.map(({ kind, state, item }) => [kind, state, item === '']).toSorted()).toEqual([
    ['qualify', 'parked', true],
    ['tap', 'confirmed', true],
    ['tap', 'due', false],
    ['undo', 'due', false],
  ]);
  expect(onDisk(hub.folder)).not.toContain('Unmistakable');
  expect([left, right].map(tracesOn)).toEqual([[], []]);
  expect(await right.screen.erasure.protocols()).toMatchObject([{ people: 1, team: 'heard', by: null }]);
  expect((await hers(other))?.name).toContain('Beaumont');
  expect((await itemsOf(foreign.partner)).filter(({ item }) => item.includes(AMELIE))).toHaveLength(1);

  // When the laptop reconnects, it erases everything about the person, and the hub accepts none of that.
  line.mend();
  await until(
    'the laptop that was offline forgot the person',
    async () => (await hers(away)) === undefined,
    PATIENCE_MS,
  );
  await until(
    'the laptop that was offline parked its fact',
    () => away.kiosk.state().delivery.parked === 1,
    PATIENCE_MS,
  );
  expect(tracesOn(away)).toEqual([]);
  expect((await items()).filter(({ item }) => tracesIn(item).length > 0)).toHaveLength(1);
  expect(await away.screen.erasure.protocols()).toMatchObject([{ people: 1, team: 'heard' }]);

  // A new laptop never gets what was erased, not even from a file of a laptop that was off.
  const fresh = await joinHub(hub, folder, 'new', place);
  await until(
    'the laptop has the leads of the others',
    async () => (await leadsAt(fresh)).length === 1,
    PATIENCE_MS,
  );
  const { id } = await fresh.screen.imports.begin();
  await fresh.screen.imports.piece({ id, bytes: file.toString('base64') });
  let imported: unknown = null;
  for await (const state of await fresh.screen.imports.finish({ id })) imported = state;
  expect(imported).toMatchObject({ kind: 'imported' });
  expect((await leadsAt(fresh)).map(({ name }) => name)).toEqual(
    (await leadsAt(left)).map(({ name }) => name),
  );
  expect(tracesOn(fresh)).toEqual([]);

  // A person who taps again is treated as a new person on all laptops.
  right.kiosk.tap(AMELIE);
  for (const laptop of [left, right, away, fresh])
    await until(
      `${laptop.name} has the lead again`,
      async () => (await hers(laptop))?.taps === 1,
      PATIENCE_MS,
    );
  for (const laptop of [left, right, away, fresh, other]) {
    expect(chainAt(`${laptop.folder}/journal.db`).brokenAt).toBeNull();
    expect(sumsAddUp(laptop)).toBe(true);
    expect(laptop.kiosk.errors()).toEqual([]);
  }
}, 300_000);

it('a laptop settles a tap that the hub accepted before the laptop received the request to forget', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const { place } = await stands(hub);
  const line = await startLine(hub.baseUrl);
  const left = await joinHub(hub, folder, 'left', place);
  const away = await joinHub(hub, folder, 'away', place, { baseUrl: line.baseUrl });
  left.kiosk.tap(AMELIE);
  away.kiosk.tap(AMELIE);
  await until('the hub has the tap', () => away.kiosk.state().delivery.atHub === 1, PATIENCE_MS);
  await until('both laptops list both taps', async () => (await hers(left))?.taps === 2, PATIENCE_MS);
  line.cut();
  expect(await forget(left)).toMatchObject({ kind: 'erased' });
  await until(
    'the hub forgot the person',
    async () =>
      (await hub.store.db.selectFrom('relay_fact').select('item').execute()).every(({ item }) => item === ''),
    PATIENCE_MS,
  );
  line.mend();
  await until(
    'the laptop that was offline forgot the person',
    async () => (await hers(away)) === undefined,
    PATIENCE_MS,
  );
  for (const { kiosk } of [left, away])
    await until('the tap is parked or undone', () => kiosk.state().delivery.parked === 1, PATIENCE_MS);
  expect(away.kiosk.state().delivery).toMatchObject({ captured: 1, sent: 0, parked: 1 });
}, 300_000);

it('a laptop submits its erasures again to a hub with an empty store, which forwards them to a laptop that was off', async () => {
  const folder = ownFolder();
  const [first, second] = [await startHub(), await startHub({ hubStoreId: 'e2' })];
  const { place } = await stands(first);
  const lines = [await startLine(first.baseUrl), await startLine(first.baseUrl)];
  const [near, far] = lines;
  if (near === undefined || far === undefined) throw new Error('Expected two lines');
  const left = await joinHub(first, folder, 'left', place, { baseUrl: near.baseUrl });
  const away = await joinHub(first, folder, 'away', place, { baseUrl: far.baseUrl });
  left.kiosk.tap(AMELIE);
  await until('both laptops have the lead', async () => (await hers(away)) !== undefined, PATIENCE_MS);
  far.cut();
  expect(await forget(left)).toMatchObject({ kind: 'erased' });
  const known = (hub: typeof first) => hub.store.db.selectFrom('forgetting').select('told').execute();
  await until('the hub has the erasure', async () => (await known(first)).length === 1, PATIENCE_MS);

  for (const name of ['left', 'away']) await addLaptop(second, name, place);
  near.leadTo(second.baseUrl);
  await until(
    'the hub with the empty store has the erasure',
    async () => (await known(second)).length === 1,
    PATIENCE_MS,
  );
  expect(tracesIn(JSON.stringify(await known(second)))).toEqual([]);
  far.leadTo(second.baseUrl);
  far.mend();
  await until(
    'the laptop that was offline forgot the person',
    async () => (await hers(away)) === undefined,
    PATIENCE_MS,
  );
  expect([left, away].map(tracesOn)).toEqual([[], []]);
}, 300_000);
