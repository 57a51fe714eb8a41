/**
 * The pictures of the stand: fetched, scaled, and stored for use without a network.
 *
 * Invariants:
 * - At most two are fetched at the same time.
 * - A broken picture is not fetched again until its record has a new revision. The same applies to a picture that
 *   crashed the drawing process twice.
 * - An unreachable picture is fetched again later, and delays no other picture.
 * - The old picture is shown until the picture of a later revision is available or proves to be broken.
 * - The total size of all pictures has a limit.
 */
import { readFile } from 'node:fs/promises';
import type { Picture } from '../../../contract/stand.ts';
import type { PictureBytes, PictureSource } from '../../foundations/api/picture-source.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { PICTURE_REST_MS } from '../../foundations/time/windows.ts';
import { openPictureFiles, pictureName, type ScaledPicture } from './picture-files.ts';

const AT_ONCE = 2;
const MOST_BYTES = 300 * 1024 * 1024;

/** A wanted picture: at an `https:`, `http:` or `data:` address, or in a file of this machine. */
export type WantedPicture = {
  readonly address: string;
  /** Another revision of the record may have another picture at the same address. */
  readonly revision: string;
  readonly isFile: boolean;
};

export type Pictures = {
  /**
   * The name of the picture at this address, or null while it cannot be shown. A picture of another revision has
   * another name, so a page that caches pictures by name shows the new one.
   */
  readonly nameOf: (address: string | null) => string | null;
  readonly read: (name: string, size: 'small' | 'large') => Promise<Picture | null>;
  /**
   * Fetches pictures of `wanted` that are missing in their revision, for about `patienceMs`. `left` is true when more
   * remain.
   * @throws the signal's reason when the caller aborted during a download
   */
  readonly fetch: (
    wanted: readonly WantedPicture[],
    patienceMs: number,
    signal: AbortSignal,
  ) => Promise<{ readonly fetched: number; readonly left: boolean }>;
};

/**
 * Renders a picture in both sizes. `broken`: it is not a picture. `crashed`: the drawing process ended. `unavailable`:
 * there is no drawing process. `smallSide`: the longest side of the small picture, if it differs from the size for a
 * screen. Never rejects.
 */
export type DrawPicture = (
  source: Uint8Array,
  smallSide?: number,
) => Promise<ScaledPicture | 'broken' | 'crashed' | 'unavailable'>;

type PicturesPorts = {
  /** Folder of the pictures. */
  readonly folder: string;
  readonly source: PictureSource;
  readonly draw: DrawPicture;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum bytes of all pictures together. */
  readonly limit?: number;
};

/** The pictures of one kiosk. */
export function createPictures({
  folder,
  source,
  draw,
  clock,
  log,
  limit = MOST_BYTES,
}: PicturesPorts): Pictures {
  const files = openPictureFiles(folder);
  /** Names that are not fetched before this monotonic time. */
  const resting = new Map<string, number>();
  /** Names of pictures that were being drawn when the drawing process ended. It may have ended for another reason. */
  const crashed = new Set<string>();

  const isDue = ({ address, revision }: WantedPicture): boolean => {
    const name = pictureName(address);
    return files.note(name)?.revision !== revision && (resting.get(name) ?? 0) <= clock.monotonic();
  };

  const rest = (name: string): void => void resting.set(name, clock.monotonic() + PICTURE_REST_MS);

  const fetchOne = async (wanted: WantedPicture, signal: AbortSignal): Promise<void> => {
    const name = pictureName(wanted.address);
    const found = await (wanted.isFile ? readOwn(wanted.address) : source.read(wanted.address, signal));
    if (found.kind === 'unreachable') return rest(name);
    const drawn = found.kind === 'bytes' ? await drawUnless(signal, draw(found.bytes)) : 'broken';
    if (drawn === null) return;
    if (drawn === 'unavailable' || (drawn === 'crashed' && !crashed.has(name))) {
      if (drawn === 'crashed') crashed.add(name);
      return rest(name);
    }
    const scaled = typeof drawn === 'string' ? null : drawn;
    if (typeof drawn === 'string') {
      const why = found.kind === 'bytes' ? drawn : found.kind;
      log.info('a picture cannot be shown', { picture: name.slice(0, 12), why });
    }
    try {
      files.keep(name, wanted.revision, clock.now(), scaled);
    } catch (error) {
      log.warn('a picture cannot be stored', { error: codeOf(error) });
      rest(name);
    }
  };

  return {
    nameOf: (address) => {
      if (address === null || address === '') return null;
      const name = pictureName(address);
      const note = files.note(name);
      return note?.sizes == null ? null : `${name}-${pictureName(note.revision).slice(0, 8)}`;
    },
    read: (name, size) => files.read(name.replace(/-[0-9a-f]{8}$/, ''), size),
    fetch: async (wanted, patienceMs, signal) => {
      const until = clock.monotonic() + patienceMs;
      const due = wanted.filter(isDue);
      let fetched = 0;
      const work = async (): Promise<void> => {
        while (!signal.aborted && clock.monotonic() < until) {
          const next = due.shift();
          if (next === undefined) return;
          await fetchOne(next, signal);
          fetched += 1;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      if (fetched > 0) {
        const names = new Set(wanted.map(({ address }) => pictureName(address)));
        files.trim(limit, names);
        // A picture that exceeds the limit must not be fetched repeatedly.
        for (const name of names) {
          if (files.note(name) === null && !resting.has(name)) resting.set(name, Number.POSITIVE_INFINITY);
        }
      }
      return { fetched, left: due.length > 0 };
    },
  };
}

/** Waits for a drawing. Null as soon as `signal` aborts: a shutdown does not wait for pictures. */
function drawUnless<Drawn>(signal: AbortSignal, drawing: Promise<Drawn>): Promise<Drawn | null> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    drawing.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function readOwn(path: string): Promise<PictureBytes> {
  try {
    return { kind: 'bytes', bytes: await readFile(path) };
  } catch {
    // Missing or unreadable. The user may still add it.
    return { kind: 'unreachable' };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}
