/**
 * The event's name and time zone: `GET /expos/{expoId}`.
 *
 * Invariant: the last answer is stored in the mirror, so the screen can show the event's name without a network.
 */
import type { DeviceState } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { readExpo } from '../../foundations/api/endpoints.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { EventTime } from '../../foundations/time/clock-trust.ts';
import type { Mirror } from '../mirror/mirror.ts';

const NOTE = 'event';

/** The event as the device stores it. */
export type KnownEvent = NonNullable<DeviceState['event']> &
  EventTime & {
    /** Base URL of contents on a phone: `{discoverUrl}/c/{contentId}`. Null if the event has none. */
    readonly discoverUrl: string | null;
    /**
     * Base URL of the pages with the contents taken with a tap: `{bagUrl}/{id of the tap}`. Null if the platform has
     * none.
     */
    readonly bagUrl: string | null;
  };

/** The stored event, or null. */
export function knownEvent(mirror: Pick<Mirror, 'metadata'>): KnownEvent | null {
  const kept = mirror.metadata(NOTE);
  const event = kept === null ? undefined : parseOrUndefined(kept);
  if (typeof event !== 'object' || event === null) return null;
  // Earlier versions did not store `discoverUrl` and `bagUrl`.
  return { discoverUrl: null, bagUrl: null, ...(event as Omit<KnownEvent, 'discoverUrl' | 'bagUrl'>) };
}

/** Queries the platform and stores the answer. @throws ApiError */
export async function refreshEvent(
  client: ApiClient,
  expoId: string,
  mirror: Pick<Mirror, 'setMetadata'>,
  signal: AbortSignal,
): Promise<void> {
  const { name, timezone, start, end, discoverUrl, bagUrl } = await readExpo(client, expoId, signal);
  mirror.setMetadata(
    NOTE,
    JSON.stringify({
      id: expoId,
      start: timeOf(start),
      end: timeOf(end),
      discoverUrl: webAddressOf(discoverUrl),
      bagUrl: webAddressOf(bagUrl),
      name: typeof name === 'string' ? name.slice(0, 200) : expoId,
      timezone: typeof timezone === 'string' ? timezone.slice(0, 80) : 'UTC',
    }),
  );
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

function webAddressOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 1_000 && /^https?:/i.test(value) && URL.canParse(value)
    ? value
    : null;
}
