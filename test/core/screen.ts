/**
 * Calls a device as its pages do: each page has one connection, and staff pages sign in with a PIN.
 *
 * Invariant: nothing bypasses the sign-in. The device checks the PIN as it checks that of a real page.
 */
import { createRouterClient } from '@orpc/server';
import type { LeadListPage } from '../../src-main/contract/leads.ts';
import type { Kiosk } from '../../src-main/core/kiosk.ts';
import { until } from './fixture.ts';

const PIN = '2580';

/** The PINs of a test device, and the name of its technician. */
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
 * A page with a technician's session, on a device that has only the PINs of `TECHNICIAN`. Such a sign-in runs no
 * scrypt, so tests with thousands of devices can use it.
 */
export async function technicianScreen(kiosk: Pick<Kiosk, 'router'>): Promise<ReturnType<typeof screenOf>> {
  const screen = screenOf(kiosk);
  await screen.staff.signIn({ pin: TECHNICIAN.technicianPin });
  return screen;
}

type Screen = ReturnType<typeof screenOf>;

/** The list of leads, after the device has read all of them. */
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
