/**
 * Two laptops of one stand and one of another are real kiosks at one hub. The team sees, finds and qualifies the same
 * leads on both, field by field. The other stand sees none of them. No laptop sends or counts the facts of another.
 */
import { expect, it } from 'vitest';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { readFactLines } from '../../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder, until } from '../../core/fixture.ts';
import { startHub } from '../serving/serving-hub.ts';
import { joinHub, type Laptop, leadPlaces, leadsAt } from './laptop.ts';

it('a hub shares one list of leads among the laptops of a stand, and hides it from other stands', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const [place, ...others] = await leadPlaces(hub);
  const foreign = others.find(({ partner }) => partner !== place?.partner);
  if (place === undefined || foreign === undefined) throw new Error('Expected stands of two partners');
  const left = await joinHub(hub, folder, 'left', place);
  const right = await joinHub(hub, folder, 'right', place);
  const other = await joinHub(hub, folder, 'other', foreign);

  left.kiosk.tap('04EE0000000001');
  left.kiosk.tap('04EE0000000002');
  await until('the right laptop lists both leads', async () => (await leadsAt(right)).length === 2, 60_000);
  expect((await leadsAt(right)).map(({ badgeTail }) => badgeTail).toSorted()).toEqual(['0001', '0002']);
  const tailOf = (tail: string) => async (at: Laptop) =>
    (await leadsAt(at)).find(({ badgeTail }) => badgeTail === tail)?.id ?? '';
  const first = tailOf('0001');

  // Both laptops edit one lead, and the fields merge.
  await right.screen.leads.edit({ lead: await first(right), change: { note: 'Wants a call' } });
  await left.screen.leads.edit({ lead: await first(left), change: { rating: 5 } });
  const merged = (at: Laptop) => async () => {
    const lead = await at.screen.leads.one({ lead: await first(at) });
    return lead?.rating === 5 && lead.note === 'Wants a call';
  };
  await until('the left laptop has both fields', merged(left), 60_000);
  await until('the right laptop has both fields', merged(right), 60_000);
  const states = [...(readFactLines(`${right.folder}/journal.db`) ?? [])].map(
    ({ delivery }) => delivery?.state,
  );
  expect(states.filter((state) => state === 'at_hub')).toHaveLength(3);
  const there = await right.screen.leads.one({ lead: await first(right) });
  expect(there?.timeline.map(({ kind, device }) => [kind, device ?? null])).toEqual(
    expect.arrayContaining([
      ['tap', 'left'],
      ['qualify', 'left'],
      ['qualify', null],
    ]),
  );
  // A statement can be undone only on the laptop where it was made.
  expect(there?.timeline.filter(({ device }) => device != null).some(({ undoable }) => undoable)).toBe(false);

  const edit = there?.timeline.find(({ kind, device }) => kind === 'qualify' && device == null);
  await right.screen.leads.undo({ factId: edit?.factId ?? '' });
  await until(
    'the undone note disappeared on the other laptop',
    async () => (await left.screen.leads.one({ lead: await first(left) }))?.note === null,
    60_000,
  );

  // Each sum covers one device only (docs/laws.md#law-2), and each fact came to the hub once, from one device.
  const sums = [left, right, other].map(({ kiosk }) => kiosk.state().delivery);
  expect(sums.map(({ captured }) => captured)).toEqual([3, 2, 0]);
  for (const { captured, due, inFlight, uncertain, sent, confirmed, parked } of sums)
    expect(due + inFlight + uncertain + sent + confirmed + parked).toBe(captured);
  const rows = await hub.store.db.selectFrom('relay_fact').select(['device_id', 'other_device_id']).execute();
  expect(rows).toHaveLength(5);
  expect(rows.filter(({ other_device_id }) => other_device_id !== null)).toEqual([]);
  expect(await leadsAt(other)).toEqual([]);
  other.kiosk.tap('04EE0000000003');
  await until('the other stand has its own lead', async () => (await leadsAt(other)).length === 1, 60_000);
  expect([left, right, other].flatMap(({ kiosk }) => kiosk.errors())).toEqual([]);
}, 240_000);

it('a laptop reads new facts of its team with one request', async () => {
  const folder = ownFolder();
  const hub = await startHub();
  const [place] = await leadPlaces(hub);
  if (place === undefined) throw new Error('Expected a stand');
  const counts: number[] = [];
  const left = await joinHub(hub, folder, 'left', place);
  const right = await joinHub(hub, folder, 'right', place, {
    connect: (access, clock, limits = {}) => {
      const client = createClient(access, clock, { limits });
      return {
        ...client,
        get: async (path, ...rest) => {
          const answer = await client.get(path, ...rest);
          if (path.startsWith('/hub/facts/'))
            counts.push((JSON.parse(answer) as { facts: unknown[] }).facts.length);
          return answer;
        },
      };
    },
  });
  for (const taps of [1, 2]) {
    left.kiosk.tap(`04EE000000000${taps}`);
    await until(
      'the right laptop lists the lead',
      async () => (await leadsAt(right)).length === taps,
      60_000,
    );
  }
  const [first, second] = counts.flatMap((count, place) => (count > 0 ? [place] : []));
  expect(counts.slice(first, (second ?? 0) + 1)).toEqual([1, 1]);
}, 240_000);
