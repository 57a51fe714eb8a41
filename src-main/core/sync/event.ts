/**
 * The event's own name and time zone: `GET /expos/{expoId}`.
 *
 * Invariant: the last known answer is kept in the mirror, so the screen can name the event without a network.
 */
import type { DeviceState } from '../../contract/device.ts';
import type { ApiClient } from '../api/client.ts';
import { readExpo } from '../api/endpoints.ts';
import { parseJson } from '../api/json.ts';
import type { EventTime } from '../health/clock.ts';
import type { Mirror } from '../mirror/mirror.ts';

const NOTE = 'event';

/** The event as the kiosk keeps it. */
export type KnownEvent = NonNullable<DeviceState['event']> & EventTime;

/** The event as last told, or null. */
export const knownEvent = (mirror: Mirror): KnownEvent | null => {
  const kept = mirror.note(NOTE);
  return kept === null ? null : (JSON.parse(kept) as KnownEvent);
};

/** Asks the platform and keeps the answer. @throws ApiError */
export const refreshEvent = async (
  client: ApiClient,
  expoId: string,
  mirror: Mirror,
  signal: AbortSignal,
): Promise<void> => {
  const told: unknown = parseJson(await readExpo(client, expoId, signal));
  if (typeof told !== 'object' || told === null) return;
  const { name, timezone, start, end } = told as Record<string, unknown>;
  mirror.keepNote(
    NOTE,
    JSON.stringify({
      id: expoId,
      start: timeOf(start),
      end: timeOf(end),
      name: typeof name === 'string' ? name.slice(0, 200) : expoId,
      timezone: typeof timezone === 'string' ? timezone.slice(0, 80) : 'UTC',
    }),
  );
};

const timeOf = (value: unknown): number | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
};
