/** From tap to platform and back, with the real platform over HTTP, through outages and kills. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import demoBadges from '../../../../assets/demo/badges.json' with { type: 'json' };
import { readFactLines } from '../../../../src-main/core/journal/facts/fact-lines.ts';
import { handClock, ownFolder, until } from '../../fixture.ts';
import { startKiosk } from '../../kiosk-process.ts';
import { createPlatformHere, type PlatformProcess } from '../../platform-process.ts';
import { chainAt, leadsIn, openJournal, stamperOf } from '../../real-parts.ts';

const KNOWN = demoBadges.filter((badge) => badge.kind === 'visitor').map((badge) => badge.code);
const UNKNOWN = ['04DE0000000001', '04DE0000000002', '04DE0000000003'];

const lines = (folder: string) => [...(readFactLines(join(folder, 'journal.db')) ?? [])];
const allConfirmed = (folder: string, facts: number) => {
  const all = lines(folder);
  return all.length === facts && all.every((line) => line.delivery?.state === 'confirmed');
};

describe('a kiosk', () => {
  it('mirrors the event, names the visitor at the tap and gets the fact confirmed, once', async () => {
    const platform = await createPlatformHere(join(ownFolder(), 'platform'));
    await platform.start();
    const folder = join(ownFolder(), 'kiosk');
    const kiosk = await startKiosk(folder, platform);
    await until('the first sync is complete', () => kiosk.state()?.mirror.complete === true, 100_000);
    expect(kiosk.state()?.mirror.resources).toContainEqual(
      expect.objectContaining({ name: 'visitors', count: 400, complete: true }),
    );
    expect(kiosk.state()).toMatchObject({ deviceName: 'B17 left', partner: { name: 'Northwind Robotics' } });

    const outcome = await kiosk.tap(KNOWN[0] ?? '');
    expect(outcome).toMatchObject({ kind: 'captured', visitor: { name: 'Amélie B.' }, repeat: null });
    const [fact] = lines(folder);
    expect(fact?.payload).toMatchObject({ badge: KNOWN[0] });
    await until('the fact is confirmed', () => allConfirmed(folder, 1));
    const mine = (await platform.actions()).filter((action) => action.clientID === fact?.id);
    expect(mine).toMatchObject([{ badge: KNOWN[0], type: 'scan', visitorID: fact?.payload?.visitor }]);
    expect(kiosk.errors).toEqual([]);
  });

  it('delivers each of 50 offline taps once, even after a kill -9, and names the unknown ones later', async () => {
    const platform = await createPlatformHere(join(ownFolder(), 'platform'));
    await platform.start();
    const folder = join(ownFolder(), 'kiosk');
    const first = await startKiosk(folder, platform);
    await until('the first sync is complete', () => first.state()?.mirror.complete === true, 100_000);
    await platform.stop();

    // Known, unknown and repeated badges. Within three seconds the same badge counts as one that rests on the reader,
    // so the clock moves further between the rounds.
    const lap = [...KNOWN.slice(0, 7), ...UNKNOWN];
    let repeats = 0;
    for (let round = 0; round < 5; round += 1) {
      for (const uid of lap) {
        const outcome = await first.tap(uid);
        expect(outcome.kind).toBe('captured');
        if (outcome.kind === 'captured' && outcome.repeat !== null) repeats += 1;
      }
      first.pass(3_100);
    }
    expect(repeats).toBe(40);
    await until('the kiosk is offline', () => first.state()?.network === 'offline');
    await first.kill();
    expect(lines(folder)).toHaveLength(50);

    const second = await startKiosk(folder, platform);
    expect(second.state()?.delivery.captured).toBe(50);
    await platform.start();
    await until('all 50 taps are confirmed', () => allConfirmed(folder, 50), 100_000);
    const ids = (await platform.actions()).map((action) => action.clientID);
    for (const line of lines(folder)) expect(ids.filter((id) => id === line.id)).toHaveLength(1);

    const created = await platform.call('POST', `/visitors/${platform.expoId}`, {
      contactID: 'contactLate1',
      contactReference: 'late-1',
      registrationState: 'registered',
      firstName: 'Nadia',
      lastName: 'Late',
      badges: [{ type: 'nfc', code: UNKNOWN[0] }],
      labels: [],
    });
    expect(created.status).toBe(200);
    const journal = openJournal(join(folder, 'journal.db'), stamperOf(handClock()));
    const nadias = () => leadsIn(journal, 'AD2026P001').filter(({ name }) => name === 'Nadia Late');
    await until('the lead has its name', () => nadias().length === 1, 100_000);
    expect(nadias()).toMatchObject([{ taps: 5 }]);
    expect(chainAt(join(folder, 'journal.db'))).toEqual({ facts: 50, brokenAt: null });
    expect(second.errors).toEqual([]);
  }, 300_000);

  it.each([
    ['a wrong key', 'keyRefused', (platform: PlatformProcess) => ({ ...platform, key: 'wrong' })],
    ['an unknown event', 'noEvent', (platform: PlatformProcess) => ({ ...platform, expoId: 'NOPE' })],
    [
      'an address without the version',
      'notAPlatform',
      (platform: PlatformProcess) => ({ ...platform, baseUrl: new URL(platform.baseUrl).origin }),
    ],
  ])('reports why it cannot read its event at the first start: %s', async (_what, pause, change) => {
    const platform = await createPlatformHere(join(ownFolder(), 'platform'));
    await platform.start();
    const kiosk = await startKiosk(join(ownFolder(), 'kiosk'), change(platform));
    await until(`the pause is ${pause}`, () => kiosk.state()?.delivery.pause === pause);
    expect(await kiosk.tap(UNKNOWN[0] ?? '')).toMatchObject({ kind: 'captured' });
    expect(kiosk.state()?.delivery.pause).toBe(pause);
  });
});
