/**
 * Calls to a device as a page makes them: each page has one connection, and the staff pages need their PIN.
 *
 * Invariant: a screen really signs in, with a PIN of the device's own folder.
 */
import { createRouterClient } from '@orpc/server';
import type { LeadListPage } from '../../src-main/contract/leads.ts';
import type { Kiosk } from '../../src-main/core/kiosk.ts';
import { until } from './fixture.ts';

const PIN = '2580';

/** Signs in a technician on a test device that has these PINs. */
export const TECHNICIAN = { pin: PIN, technicianPin: '8520', name: 'Jo' };

/** A page without a session. */
export function screenOf({ router }: Pick<Kiosk, 'router'>) {
  return createRouterClient(router, { context: { page: {} } });
}

/** A page with a staff session. */
export async function staffScreen(kiosk: Pick<Kiosk, 'router'>): Promise<ReturnType<typeof screenOf>> {
  const screen = screenOf(kiosk);
  const { chosen } = await screen.staff.choosePin({ pin: PIN, name: 'Jo' });
  if (chosen) return screen;
  const { kind } = await screen.staff.signIn({ pin: TECHNICIAN.technicianPin });
  if (kind !== 'in') await screen.staff.signIn({ pin: PIN });
  return screen;
}

/**
 * A page with the technician of the demo, whose PIN is compared without scrypt, for tests with thousands of devices.
 */
export async function technicianScreen(kiosk: Pick<Kiosk, 'router'>): Promise<ReturnType<typeof screenOf>> {
  const screen = screenOf(kiosk);
  await screen.staff.signIn({ pin: TECHNICIAN.technicianPin });
  return screen;
}

type Screen = ReturnType<typeof screenOf>;

/** The list once the device has read all its leads. */
export async function leadsOn(
  screen: Pick<Screen, 'leads'>,
  request: Parameters<Screen['leads']['page']>[0] = {},
): Promise<LeadListPage> {
  let page = await screen.leads.page(request);
  await until('all leads are read', async () => {
    page = await screen.leads.page(request);
    return page.ready;
  });
  return page;
}
