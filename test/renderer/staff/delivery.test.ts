/** Where everything captured is, in real Chromium: a sum that adds up, the copies, and what only the technician may do. */
import { describe, expect, it } from 'vitest';
import { healthyDevice } from '../device/healthy-device.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(12);

const open = () => goTo('#/staff/delivery', '.sum');
const asks = { ...healthyDevice.mirror, asks: [{ name: 'visitors' as const, wouldRemove: 312 }] };

describe('the delivery page', () => {
  it('adds up to what was captured, and leaves out what there is none of', async () => {
    device().setState({
      delivery: {
        ...{ captured: 40, due: 5, inFlight: 2, uncertain: 1, sent: 0, confirmed: 31, parked: 1 },
        pause: 'offline',
      },
    });
    await open();
    const [captured, ...parts] = (await page().locator('.sum-count').allTextContents()).map(Number);
    expect(captured).toBe(40);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(captured);
    expect(await page().innerText('.sum')).not.toContain('sent');
    await page().getByText('Delivery rests: no network.').waitFor();
  });

  it('says how old the copy of the event is', async () => {
    await open();
    await page().getByText('The copy of the event is of').waitFor();
    device().setState({ mirror: { ...healthyDevice.mirror, lastPassAt: null } });
    await page().getByText('The copy of the event is not complete yet.').waitFor();
  });

  it('lets nobody but the technician remove what the platform has no longer, and says what is lost', async () => {
    device().setState({ mirror: asks });
    await open();
    await page().getByText('Only the technician can let them be removed.').waitFor();
    expect(await button('Remove them here too').count()).toBe(0);
    device().entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } });
    await page().getByText('they can no longer be found by name').waitFor();
    await button('Remove them here too').click();
    await expect.poll(() => inputs('mirror.approveRemoval')).toEqual([{ resource: 'visitors' }]);
  });
});
