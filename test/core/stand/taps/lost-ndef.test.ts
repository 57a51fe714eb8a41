/** A badge whose memory could not be read in time: captured by its UID, and the loss is reported. */
import { expect, it } from 'vitest';
import { until } from '../../fixture.ts';
import { fill, openStandKiosk, smallFair } from '../visit/stand-kiosk.ts';

const V1 = '04AA00000000A1';

it('a tap whose badge memory was not read in time records that in its fact and counts it for staff', async () => {
  const { lay, told, lines, kiosk } = openStandKiosk({
    stand: { touchpoint: 'lead1' },
    prepare: (mirror) => fill(mirror, smallFair()),
  });
  await new Promise((resolve) => setImmediate(resolve));
  lay(V1, { ndef: { state: 'timeout' } });
  lay('04AA00000000A2');
  await until(
    'both outcomes are published',
    () => told.filter(({ kind }) => kind === 'captured').length === 2,
  );
  expect(lines().map(({ payload }) => payload)).toEqual([
    { badge: V1, visitor: 'v1', lostNdef: 'timeout' },
    { badge: '04AA00000000A2', visitor: 'v2' },
  ]);
  expect(kiosk.state().lostNdef).toBe(1);
});
