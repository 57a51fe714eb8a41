/**
 * Names of the event, its contents, labels, touchpoints and partners, read from the mirror beside a running app.
 *
 * Invariant: if the mirror is missing, damaged or incomplete, an export has fewer names but does not fail.
 */

import { type MirrorReading, readMirror } from '../../event/mirror/reading.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { contentQrText } from '../../foundations/api/path.ts';
import { StartRefusal } from '../../foundations/refusal.ts';
import { isDamage, storageFault } from '../../foundations/store/database.ts';
import type { WordSources } from '../formats/words.ts';

/** Names by id. Null if unknown. */
export type EventNames = Pick<WordSources, 'labels' | 'contents' | 'touchpoints'> & {
  readonly partners: Readonly<Record<string, string>>;
  readonly event: string | null;
  readonly timezone: string | null;
};

const NOTHING: EventNames = {
  labels: {},
  contents: {},
  touchpoints: {},
  partners: {},
  event: null,
  timezone: null,
};

/** The names in the mirror at `path`. */
export function readEventNames(path: string): EventNames {
  let mirror: MirrorReading | null = null;
  try {
    mirror = readMirror(path);
    return mirror === null ? NOTHING : namesIn(mirror);
  } catch (error) {
    if (isDamage(error) || error instanceof StartRefusal || storageFault(error) !== null) return NOTHING;
    throw error;
  } finally {
    mirror?.close();
  }
}

function namesIn(mirror: MirrorReading): EventNames {
  const event = bodyOf(mirror.metadata('event') ?? '');
  const { discoverUrl } = event;
  const named = (resource: Parameters<MirrorReading['bodies']>[0]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...mirror.bodies(resource)].map(([id, text]) => [id, textOf(bodyOf(text).name) ?? id]),
    );
  const contents = Object.entries(named('contents')).map(([id, name]) => {
    const link = typeof discoverUrl === 'string' ? contentQrText(discoverUrl, id) : null;
    return [id, { name, link }] as const;
  });
  return {
    labels: named('labels'),
    contents: Object.fromEntries(contents),
    touchpoints: named('touchpoints'),
    partners: named('partners'),
    event: textOf(event.name),
    timezone: textOf(event.timezone),
  };
}

function bodyOf(text: string): Readonly<Record<string, unknown>> {
  const body = parseOrUndefined(text);
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
