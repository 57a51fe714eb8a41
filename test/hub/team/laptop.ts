/**
 * A laptop of a stand at a hub: a device of the hub, a real kiosk, and a page of it on which staff are signed in.
 *
 * Invariant: when a test gets it, its mirror of the event is complete.
 */
import { join } from 'node:path';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { findRecords } from '../../../src-platform/store/records.ts';
import { until } from '../../core/fixture.ts';
import { leadsOn, staffScreen } from '../../core/screen.ts';
import { startHubKiosk } from '../hub-kiosk.ts';
import { expo, type startHub } from '../serving/serving-hub.ts';

export type Laptop = Awaited<ReturnType<typeof joinHub>>;
type StartedHub = Awaited<ReturnType<typeof startHub>>;

/** The demo's first lead touchpoints, with their partners. */
export const leadPlaces = async (
  hub: Pick<StartedHub, 'store'>,
): Promise<readonly { readonly id: string; readonly partner: string }[]> => {
  const ids = Array.from({ length: 20 }, (_none, index) => `AD2026T${String(index + 1).padStart(2, '0')}`);
  const places = await findRecords(hub.store.db, 'touchpoint', expo, ids);
  const leads = places.filter(({ doc }) => doc.purpose === 'lead' && doc.partnerID !== undefined);
  return leads.map(({ id, doc }) => ({ id, partner: String(doc.partnerID) }));
};

/** Adds and enrols a device at the hub. Its key repeats the first letter of its name. */
export const addLaptop = async (
  hub: StartedHub,
  name: string,
  place: { readonly id: string; readonly partner: string },
) => {
  const about = { ...hub.about, name, touchpointId: place.id, partnerId: place.partner };
  const device = await addDevice(hub.store, about, new Date(), hub.until);
  const key = name.slice(0, 1).repeat(43);
  await hub.enrol(device, key);
  return { id: device.id, key, touchpoint: place.id, partner: place.partner };
};

/** A laptop in `folder` that joins the hub. `baseUrl`: to use another address. */
export const joinHub = async (
  hub: StartedHub,
  folder: string,
  name: string,
  place: { readonly id: string; readonly partner: string },
  more: { readonly baseUrl?: string } & Parameters<typeof startHubKiosk>[3] = {},
) => {
  const { baseUrl = hub.baseUrl, ...ports } = more;
  const file = await addLaptop(hub, name, place);
  const data = join(folder, name);
  const kiosk = startHubKiosk(data, file, { baseUrl, key: file.key, expoId: expo }, ports);
  await until('the laptop has mirrored the event', () => kiosk.state().mirror.complete, 120_000);
  const screen = await staffScreen(kiosk);
  return { ...file, name, folder: data, kiosk, screen };
};

/** The leads that a laptop shows to the team. */
export const leadsAt = async ({ screen }: Pick<Laptop, 'screen'>) => (await leadsOn(screen)).leads;
