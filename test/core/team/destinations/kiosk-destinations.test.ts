/**
 * The destinations of a laptop over its journal: names that arrive later, leads that become one, two laptops of one
 * stand.
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import { createJournal, type FactDraft } from '../../../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { openKioskDestinations } from '../../../../src-main/core/team/destinations/kiosk-destinations.ts';
import { handClock, ownFolder, rememberingLog, tapOf, until, visitorOf } from '../../fixture.ts';
import { realRandom, stamperOf } from '../../real-parts.ts';
import type { Double } from './double.ts';
import { startHubspot } from './hubspot-double.ts';
import { NO_HUB, quickClock } from './stand.ts';

const TOKEN = 'private-token-0123456789';

const crm = async (): Promise<Double> => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  return double;
};

const HOURS_AGO = 8 * 3_600_000;

/** A laptop whose facts are hours old and so not held back, until the test moves `factClock` to the present. */
const laptop = async (double: Double, undoMs = UNDO_MS) => {
  const folder = ownFolder();
  const database = openDatabase(join(folder, 'journal.db'), {
    durability: 'full',
    migrations: JOURNAL_MIGRATIONS,
  });
  const factClock = handClock(Date.now() - HOURS_AGO);
  const journal = createJournal(database, stamperOf(factClock));
  const destinations = openKioskDestinations({
    ...{
      path: join(folder, 'destinations.db'),
      clock: quickClock(),
      random: realRandom,
      log: rememberingLog(),
    },
    secrets: {
      keep: () => Promise.resolve(true),
      read: () => Promise.resolve(JSON.stringify({ kind: 'token', token: TOKEN })),
      forget: () => Promise.resolve(),
      hide: () => undefined,
      keepOnly: () => 0,
    },
    hub: NO_HUB,
    newId: () => 'd1',
    undoMs,
    ...{ partner: () => 'p1', expoId: 'E1', database: () => database, heldFrom: () => null },
    leads: {
      ask: () => Promise.reject(new Error('this test asks for no list')),
      words: () => ({ labels: [], contents: [], touchpoints: [], questions: [], form: [], consents: [] }),
      hotRule: () => ({ rule: plainSettings().hot, changed: false }),
    },
    ...{ event: () => ({ name: 'Fair', timezone: 'UTC' }), nameOf: () => 'Stand' },
    addressOf: (member) => (member === 'Mira' ? 'mira@example.org' : null),
  });
  onTestFinished(async () => {
    await destinations.stop();
    journal.close();
  });
  destinations.start();
  const { address } = double;
  const done = await destinations.connect({ kind: 'hubspot', name: 'H', address, token: TOKEN });
  if (done.kind !== 'connected') throw new Error(JSON.stringify(done));
  const when = { kind: 'all' } as const;
  destinations.save(done.id, { when, needsConsent: false, notBefore: null, mapping: {} });
  /** Records a tap and, with a name, what the team typed. Returns the lead. */
  const tap = (
    badge: string,
    visitor: ReturnType<typeof visitorOf> | null,
    lastName?: string,
    staff: string | null = null,
  ): string => {
    const { id } = journal.record({ ...tapOf(badge), staff }, visitor).fact;
    if (lastName !== undefined) {
      const payload = { badge, fields: { lastName } };
      journal.record({ ...tapOf(badge), kind: 'correct', payload } as FactDraft, visitor);
    }
    destinations.wake();
    return id;
  };
  const settled = (lead: string, state: string) =>
    until(`${lead} is ${state}`, () => destinations.ofLead(lead)[0]?.state === state);
  return { journal, destinations, tap, settled, factClock };
};

const named = (id: string, lastName: string) => ({
  ...visitorOf(id, lastName),
  record: JSON.stringify({ id, firstName: 'Ada', lastName }),
});
const namesIn = (double: Double) => [...double.records.values()].map(({ values }) => values.lastname);

it('sends a lead again when the mirror receives its name, and nothing without a change', async () => {
  const double = await crm();
  const { journal, destinations, tap, settled } = await laptop(double);
  const lead = tap('A1', null);
  await settled(lead, 'parked');
  // Nobody has to act before the name arrives.
  expect(destinations.list()[0]).toMatchObject({ refused: 0, counts: { parked: 1 } });
  journal.leads.nameBadges(['A1'], named('v1', 'Muster'));
  destinations.wake();
  await settled(lead, 'confirmed');
  expect(namesIn(double)).toEqual(['Muster']);
  journal.leads.nameBadges(['A1'], named('v1', 'Married'));
  destinations.wake();
  await until('the destination has the new name', () => namesIn(double)[0] === 'Married');
  await settled(lead, 'confirmed');

  // A change that affects no field there causes no request.
  const asked = double.requests.length;
  journal.leads.nameBadges(['A1'], { ...named('v1', 'Married'), place: 'Hall 3' });
  const other = tap('B1', named('v2', 'Other'));
  await settled(other, 'confirmed');
  const ids = double.requests.slice(asked).map(({ text }) => text);
  expect(ids.some((text) => text.includes('Married'))).toBe(false);
});

it('counts a tap and a correction as waiting while they may be undone', async () => {
  const double = await crm();
  const { destinations, tap, settled, factClock } = await laptop(double);
  const old = tap('A1', named('v1', 'Muster'));
  await settled(old, 'confirmed');
  factClock.pass(HOURS_AGO);
  tap('A1', named('v1', 'Muster'), 'Corrected');
  const fresh = tap('B1', named('v2', 'Other'));
  const states = [old, fresh].map((lead) => destinations.ofLead(lead)[0]?.state);
  expect([states, destinations.list()[0]?.counts]).toMatchObject([['due', 'due'], { due: 2, confirmed: 0 }]);
  expect(namesIn(double)).toEqual(['Muster']);
});

it.each([
  [5_000, ['Muster', 'Other']],
  [60_000, ['Muster']],
])('of two taps, one 20 s old, a stand whose undo ends after %i ms sends %j', async (undoMs, sent) => {
  const double = await crm();
  const { tap, settled, factClock } = await laptop(double, undoMs);
  const old = tap('A1', named('v1', 'Muster'));
  factClock.pass(HOURS_AGO - 20_000);
  tap('B1', named('v2', 'Other'));
  await settled(old, 'confirmed');
  expect(namesIn(double).toSorted()).toEqual(sent);
});

it('keeps one record when a sent lead is merged into the lead of a known visitor, and erases it with that lead', async () => {
  const double = await crm();
  const { journal, destinations, tap, settled } = await laptop(double);
  const typed = tap('A1', null, 'Typed');
  await settled(typed, 'confirmed');
  // The visitor's own badge was tapped first here without a name, so this lead was not sent.
  const own = tap('A2', null);
  await settled(own, 'parked');
  journal.leads.nameBadges(['A2'], named('v1', 'Muster'));
  journal.leads.nameBadges(['A1'], named('v1', 'Muster'));
  destinations.wake();
  await settled(own, 'confirmed');
  expect(namesIn(double)).toEqual(['Typed']);
  expect(destinations.list()[0]?.counts).toMatchObject({ confirmed: 1, parked: 0 });
  journal.eraseLeads([own]);
  destinations.erased({ id: 'e1', kind: 'person' });
  await until(
    'the destination has erased the record',
    () => destinations.erasuresOf('e1')[0]?.state === 'gone',
  );
  expect(double.records.size).toBe(0);
});

it('gives a lead the same id on two laptops of the stand', async () => {
  const double = await crm();
  const [one, other] = [await laptop(double), await laptop(double)];
  const [first, second] = [one.tap('A1', named('v1', 'Muster')), other.tap('A9', named('v1', 'Muster'))];
  await one.settled(first, 'confirmed');
  await other.settled(second, 'confirmed');
  const [typed, same] = [one.tap('B1', null, 'Typed'), other.tap('B1', null, 'Typed')];
  await one.settled(typed, 'confirmed');
  await other.settled(same, 'confirmed');
  expect(new Set([first, second, typed, same]).size).toBe(4);
  expect(namesIn(double).toSorted()).toEqual(['Muster', 'Typed']);
});

it('makes the member who follows up on a lead its owner, otherwise the one who met the person first', async () => {
  const double = await crm();
  double.users = [{ id: 'u1', email: 'mira@example.org', isActive: true }];
  const { journal, destinations, tap, settled } = await laptop(double);
  const owners = () => [...double.records.values()].map(({ values }) => values.hubspot_owner_id ?? '');
  const first = tap('A1', named('v1', 'Muster'), undefined, 'Mira');
  tap('A1', named('v1', 'Muster'), undefined, 'Ola');
  await settled(first, 'confirmed');
  expect(owners()).toEqual(['u1']);
  const second = tap('B1', named('v2', 'Other'), undefined, 'Ola');
  await settled(second, 'confirmed');
  expect(owners()).toEqual(['u1', '']);
  journal.record(
    {
      ...tapOf('B1'),
      kind: 'qualify',
      payload: { badge: 'B1', fields: { followUpBy: 'Mira' } },
    } as FactDraft,
    named('v2', 'Other'),
  );
  destinations.wake();
  await until('the record has its owner', () => owners()[1] === 'u1');
});
