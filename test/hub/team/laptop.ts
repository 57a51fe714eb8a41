/**
 * A laptop of a stand at a box: a device of the box, a real kiosk, and a page of it with somebody of the team.
 *
 * Invariant: it has its copy of the event when it is handed over.
 */
import { join } from 'node:path';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { findRecords } from '../../../src-platform/store/records.ts';
import { until } from '../../core/fixture.ts';
import { leadsOn, staffScreen } from '../../core/screen.ts';
import { startBoxKiosk } from '../box-kiosk.ts';
import { expo, type startBox } from '../relay/relay-box.ts';

export type Laptop = Awaited<ReturnType<typeof joinBox>>;
type StartedBox = Awaited<ReturnType<typeof startBox>>;

/** The demo's first touchpoints with their partners, those of leads. */
export const leadPlaces = async (
  box: Pick<StartedBox, 'store'>,
): Promise<readonly { readonly id: string; readonly partner: string }[]> => {
  const ids = Array.from({ length: 20 }, (_none, index) => `AD2026T${String(index + 1).padStart(2, '0')}`);
  const places = await findRecords(box.store.db, 'touchpoint', expo, ids);
  const leads = places.filter(({ doc }) => doc.purpose === 'lead' && doc.partnerID !== undefined);
  return leads.map(({ id, doc }) => ({ id, partner: String(doc.partnerID) }));
};

/** A device of the box that works with a key made of its name's first letter. */
export const addLaptop = async (
  box: StartedBox,
  name: string,
  place: { readonly id: string; readonly partner: string },
) => {
  const about = { ...box.about, name, touchpointId: place.id, partnerId: place.partner };
  const device = await addDevice(box.store, about, new Date(), box.until);
  const key = name.slice(0, 1).repeat(43);
  await box.enrol(device, key);
  return { id: device.id, key, touchpoint: place.id, partner: place.partner };
};

/** A laptop in `folder` that joins the box; `baseUrl`: by another way than straight. */
export const joinBox = async (
  box: StartedBox,
  folder: string,
  name: string,
  place: { readonly id: string; readonly partner: string },
  more: { readonly baseUrl?: string } & Parameters<typeof startBoxKiosk>[3] = {},
) => {
  const { baseUrl = box.baseUrl, ...ports } = more;
  const file = await addLaptop(box, name, place);
  const data = join(folder, name);
  const kiosk = startBoxKiosk(data, file, { baseUrl, key: file.key, expoId: expo }, ports);
  await until('it has its copy of the event', () => kiosk.state().mirror.complete, 60_000);
  const screen = await staffScreen(kiosk);
  return { ...file, name, folder: data, kiosk, screen };
};

/** The leads that the team sees on a laptop. */
export const leadsAt = async ({ screen }: Pick<Laptop, 'screen'>) => (await leadsOn(screen)).leads;
