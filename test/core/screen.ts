/**
 * A kiosk asked as a page asks it: one connection each, and the staff pages behind their PIN.
 *
 * Invariant: a screen is signed in for real, with a PIN of the kiosk's own folder.
 */
import { createRouterClient } from '@orpc/server';
import type { LeadListPage } from '../../src-main/contract/leads.ts';
import type { Kiosk } from '../../src-main/core/kiosk.ts';
import { until } from './fixture.ts';

const PIN = '2580';

/** A kiosk of tests that knows these signs a technician in. */
export const TECHNICIAN = { pin: PIN, technicianPin: '8520', name: 'Jo' };

/** A page that nobody is signed in on. */
export function screenOf({ router }: Pick<Kiosk, 'router'>) {
  return createRouterClient(router, { context: { page: {} } });
}

/** A page with somebody of the stand team at it. */
export async function staffScreen(kiosk: Pick<Kiosk, 'router'>): Promise<ReturnType<typeof screenOf>> {
  const screen = screenOf(kiosk);
  const { chosen } = await screen.staff.choosePin({ pin: PIN, name: 'Jo' });
  if (chosen) return screen;
  const { kind } = await screen.staff.signIn({ pin: TECHNICIAN.technicianPin });
  if (kind !== 'in') await screen.staff.signIn({ pin: PIN });
  return screen;
}

/** A page with the technician of a demo at it, whose PIN is compared and not stretched: for thousands of kiosks. */
export async function technicianScreen(kiosk: Pick<Kiosk, 'router'>): Promise<ReturnType<typeof screenOf>> {
  const screen = screenOf(kiosk);
  await screen.staff.signIn({ pin: TECHNICIAN.technicianPin });
  return screen;
}

type Screen = ReturnType<typeof screenOf>;

/** What the list shows once the device has read all its leads. */
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
