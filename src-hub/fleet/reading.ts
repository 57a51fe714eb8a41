/**
 * The hub's current data about its devices: their identity, their last reports, and the hub's counts of their facts.
 *
 * Invariants
 * - Times are by the hub's clock, not by the devices' clocks.
 * - An unreadable report counts as missing.
 */
import { z } from 'zod';
import { listDevices } from '../../src-platform/keys/devices.ts';
import type { Store } from '../../src-platform/store/store.ts';

const count = z.number().int().nonnegative().catch(0);
/** Epoch milliseconds within the range of `Date`. */
const time = z.number().min(0).max(8.64e15).nullable().catch(null);
/** Short text from a device, without control and formatting characters: U+202E reverses the rest of a line. */
const word = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ''));

const reportSchema = z.object({
  device: word(80).catch(''),
  version: word(40).catch(''),
  at: time,
  /** When this run of the device started. */
  since: time,
  purpose: word(20).catch(''),
  lastTapAt: time,
  readers: count,
  cardService: word(20).catch('up'),
  storage: word(20).catch('ok'),
  fault: word(40).nullable().catch(null),
  pause: word(40).nullable().catch(null),
  delivery: z.object({
    captured: count,
    due: count,
    inFlight: count,
    uncertain: count,
    atHub: count,
    sent: count,
    confirmed: count,
    parked: count,
  }),
  mirrorAt: time,
  battery: z.number().min(0).max(1).nullable().catch(null),
  plugged: z.boolean().nullable().catch(null),
  encryption: z.enum(['encrypted', 'open', 'unknown']).catch('unknown'),
  outOfOrder: z.boolean().catch(false),
  /** The number of the last command that the device executed. It is near the command's time (`commander.ts`). */
  command: z.number().int().min(0).max(8.64e15).catch(0),
});

/** The last report of a device, its times by the hub's clock. */
type FleetReport = z.infer<typeof reportSchema>;

/** Facts of a device that the hub accepted. `atHub`: not sent to the platform yet. */
type HubCounts = {
  readonly taken: number;
  readonly atHub: number;
  readonly sent: number;
  readonly confirmed: number;
  readonly parked: number;
};

/** A device as the fleet page shows it. Times are epoch milliseconds. */
export type FleetDevice = {
  readonly id: string;
  readonly name: string;
  readonly touchpoint: string;
  readonly partner: string | null;
  readonly enrolled: boolean;
  readonly revoked: boolean;
  /** Time of its last report; null if it never reported. */
  readonly reportedAt: number | null;
  readonly report: FleetReport | null;
  readonly counts: HubCounts;
  /** Kinds of commands that it has not executed yet. */
  readonly waiting: readonly string[];
};

const NOTHING: HubCounts = { taken: 0, atHub: 0, sent: 0, confirmed: 0, parked: 0 };

/** A report that arrived at `reportedAt`; null if it is unreadable. */
export function readReport(text: string | null, reportedAt: number): FleetReport | null {
  if (text === null) return null;
  const parsed = reportSchema.safeParse(JSON.parse(text));
  if (!parsed.success) return null;
  const { at, since, lastTapAt, mirrorAt } = parsed.data;
  const shift = at === null ? 0 : reportedAt - at;
  const here = (time: number | null) =>
    time === null ? null : Math.max(0, Math.min(reportedAt, time + shift));
  return {
    ...parsed.data,
    at: reportedAt,
    since: here(since),
    lastTapAt: here(lastTapAt),
    mirrorAt: here(mirrorAt),
  };
}

/** All devices of an event, by name. */
export async function readFleet(store: Store, expo: string, now: number): Promise<readonly FleetDevice[]> {
  const [devices, counts, waiting, names] = await Promise.all([
    listDevices(store.db, expo),
    readCounts(store, expo),
    readWaiting(store, now),
    readPartners(store, expo),
  ]);
  return devices
    .map((device): FleetDevice => {
      const reportedAt = device.reported === null ? null : Date.parse(device.reported);
      return {
        id: device.id,
        name: device.name,
        touchpoint: device.touchpoint_id,
        partner: device.partner_id === null ? null : (names.get(device.partner_id) ?? device.partner_id),
        enrolled: device.enrolled !== null,
        revoked: device.revoked !== null,
        reportedAt,
        report: reportedAt === null ? null : readReport(device.report, reportedAt),
        counts: counts.get(device.id) ?? NOTHING,
        waiting: waiting.get(device.id) ?? [],
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** Counts facts by device and state; a covering index answers the query. */
export function countsOfDevices(db: Store['db'], expo: string) {
  return db
    .selectFrom('relay_fact')
    .select(({ fn }) => ['device_id', 'state', fn.countAll().as('count')])
    .where('expo_id', '=', expo)
    .groupBy(['device_id', 'state']);
}

async function readCounts(store: Store, expo: string): Promise<ReadonlyMap<string, HubCounts>> {
  const rows = await countsOfDevices(store.db, expo).execute();
  const counts = new Map<string, HubCounts>();
  for (const { device_id: device, state, count: number } of rows) {
    const before = counts.get(device ?? '') ?? NOTHING;
    const place = state === 'sent' || state === 'confirmed' || state === 'parked' ? state : 'atHub';
    const added = Number(number);
    counts.set(device ?? '', {
      ...before,
      taken: before.taken + added,
      [place]: before[place] + added,
    });
  }
  return counts;
}

async function readWaiting(store: Store, now: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await store.db
    .selectFrom('device_command')
    .select(['device_id', 'kind'])
    .where('expires', '>', BigInt(now))
    .execute();
  const waiting = new Map<string, readonly string[]>();
  for (const { device_id: device, kind } of rows) waiting.set(device, [...(waiting.get(device) ?? []), kind]);
  return waiting;
}

async function readPartners(store: Store, expo: string): Promise<ReadonlyMap<string, string>> {
  const rows = await store.db
    .selectFrom('record')
    .select(['id', 'basic'])
    .where('expo_id', '=', expo)
    .where('kind', '=', 'partner')
    .where('deleted', '=', 0)
    .execute();
  return new Map(
    rows.flatMap(({ id, basic }) => {
      const { name } = JSON.parse(basic) as { readonly name?: unknown };
      return typeof name === 'string' ? [[id, name] as const] : [];
    }),
  );
}
