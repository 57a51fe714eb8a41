/** The delivery page in real Chromium: a sum that adds up, and the age of mirror and backup. */
import { describe, expect, it } from 'vitest';
import { healthyDevice } from '../device/healthy-device.ts';
import { noDestinations, someDestinations } from '../device/scripted-destinations.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, goTo } = staffPages(12);

const open = () => goTo('#/staff/delivery', '.sum');

describe('the delivery page', () => {
  it('shows states that add up to the captured facts, and omits empty ones', async () => {
    device().setState({
      delivery: {
        ...{ captured: 40, due: 5, inFlight: 2, uncertain: 1, sent: 0, confirmed: 31, parked: 1 },
        pause: 'offline',
      },
    });
    await open();
    const counts = async () => (await page().locator('.sum-count').allTextContents()).map(Number);
    // The page may have loaded before the new state arrived.
    await expect.poll(async () => (await counts())[0]).toBe(40);
    const [captured, ...parts] = await counts();
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(captured);
    expect(await page().innerText('.sum')).not.toContain('sent');
    await page().getByText('Delivery is paused: no network.').waitFor();
  });

  it('shows facts that only the hub has as a separate state, and whether the hub makes progress', async () => {
    device().setState({
      hub: { name: 'Hall 7', upstream: 'away', since: Date.parse('2026-10-07T12:05:00Z') },
      delivery: {
        ...{ captured: 40, due: 1, inFlight: 0, uncertain: 0, sent: 9, atHub: 6, confirmed: 30, parked: 0 },
        pause: null,
      },
    });
    await open();
    const part = (state: string) => page().locator(`.sum-count[data-state="${state}"]`).innerText();
    expect([await part('atHub'), await part('sent'), await part('confirmed')]).toEqual(['6', '3', '30']);
    await page().getByText('The hub Hall 7 has not reached the platform since').waitFor();
  });

  it('shows no time if the hub never reached the platform since its start', async () => {
    device().setState({ hub: { name: 'Hall 7', upstream: 'away', since: null } });
    await open();
    await page().getByText('The hub Hall 7 does not reach the platform. It keeps').waitFor();
  });

  it("names the device that runs on a copy of this one's data, and says what to do", async () => {
    const alsoSentBy = [{ device: 'Hall left', facts: 3 }];
    device().setState({ hub: { name: 'Hall 7', upstream: 'online', since: null, alsoSentBy } });
    await open();
    await page()
      .getByText('3 interactions of this device came to the hub from the device Hall left')
      .waitFor();
    await page().getByText('Use only one of them').waitFor();
  });

  it('says for a device that the hub refuses that everything stays here, and who helps', async () => {
    const { delivery } = healthyDevice;
    device().setState({
      hub: { name: 'Hall 7', upstream: 'online', since: null },
      delivery: { ...delivery, pause: 'keyRefused' },
    });
    await open();
    await page().getByText('the hub no longer accepts this device').waitFor();
    expect(await page().getByText('Ask the organiser').count()).toBe(0);
  });

  it.each([{ name: 'Hall 7', upstream: 'online', since: null } as const, null])(
    'says that another server answers instead of its hub, whether it reached the hub before (%j) or not',
    async (hub) => {
      device().setState({ hub, delivery: { ...healthyDevice.delivery, pause: 'wrongHub' } });
      await open();
      await page()
        .getByText(
          'what answers at this address is not the hub that set this device up. Nothing was sent to it',
        )
        .waitFor();
    },
  );

  it('explains its counts, and how they differ from the list and the newest backup', async () => {
    const { leads } = device();
    const facts = leads.all.reduce((sum, { taps }) => sum + taps * 2, 0);
    const captured = facts + 200;
    device().setState({ delivery: { ...healthyDevice.delivery, captured, confirmed: captured } });
    await open();
    await page()
      .getByText(
        `${facts} of ${captured} facts (taps, answers, notes, undos) belong to your leads; 200 to other`,
      )
      .waitFor();
    await page()
      .getByText(/came since and will be in the next/u)
      .waitFor();
  });

  it('says that all is on its way only while no CRM needs staff, and counts these tasks in the sidebar', async () => {
    const all = page().getByText('Everything captured here has arrived or is on its way.');
    const badge = page().locator('.rail-item', { hasText: 'CRM' }).locator('.rail-count');
    const script = someDestinations();
    const [crm] = script.list;
    if (crm === undefined) throw new Error('Expected a destination');
    const quiet = { ...crm, refused: 0, conflicts: 0 };
    device().destinationScript = { ...script, list: [{ ...quiet, pause: 'slow' }] };
    await open();
    await all.waitFor();
    expect(await badge.count()).toBe(0);
    for (const [change, count] of [
      [{ refused: 3 }, '3'],
      [{ conflicts: 2 }, '2'],
      [{ pause: 'keyRefused', isBroken: true }, '1'],
    ] as const) {
      device().destinationScript = { ...script, list: [{ ...quiet, ...change }] };
      await page().getByText('A CRM needs you').waitFor();
      await expect.poll(() => badge.innerText()).toBe(count);
      expect(await all.count()).toBe(0);
    }
    const reason = page().locator('.crm-line [data-tone="stop"]');
    expect(await reason.innerText()).toBe(
      'The destination refuses the access. Replace the token; no lead is lost.',
    );
    expect(await page().innerText('.crm-line')).toContain(' · The destination refuses');
    await page().getByRole('link', { name: 'Open CRM' }).click();
    await page().locator('.crm-card').waitFor();
  });

  it('says that a list cannot be read while the destinations fail, and continues once they are read', async () => {
    const all = page().getByText('Everything captured here has arrived or is on its way.');
    const script = noDestinations();
    device().destinationScript = {
      ...script,
      get list(): never {
        throw new Error('planted');
      },
    };
    await open();
    await page().getByText('The list cannot be read right now.').waitFor();
    expect(await all.count()).toBe(0);
    device().destinationScript = script;
    await all.waitFor();
  });

  it('shows the age of the mirror', async () => {
    await open();
    await page().getByText('The copy of the event is from').waitFor();
    device().setState({ mirror: { ...healthyDevice.mirror, lastPassAt: null } });
    await page().getByText('The copy of the event is not complete yet.').waitFor();
  });
});
