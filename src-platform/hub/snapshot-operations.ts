/**
 * The first mirror of the event for a new device, as one file (docs/hub.md): its signed manifest, and its bytes.
 *
 * Invariants
 * - The file holds no list that is narrowed to a device, so all devices with the usual view get the same file.
 * - A file is named by its hash and never changes.
 * - When a device is revoked, its running download is cut off.
 * - A limited number of devices download at the same time. A device keeps its slot until it requests the last byte. An
 *   unused slot expires.
 */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ApiError, notFound } from '../http/errors.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { askedRange, pieceOf } from '../http/piece.ts';

/** A text that the hub signed. */
export type SignedManifest = {
  readonly text: string;
  readonly publicKey: string;
  readonly signature: string;
};

export type SnapshotSource = {
  /** The current manifest. `soon`: a build is running; `none`: there is no snapshot, and devices read page by page. */
  readonly manifest: () => Promise<SignedManifest | 'soon' | 'none'>;
  /** The file with this hash, or null. */
  readonly file: (sha256: string) => {
    readonly length: number;
    readonly open: (first: number, last: number) => Readable;
  } | null;
};

/** Maximum number of concurrent downloads. More would only slow down each of them. */
const MOST_AT_ONCE = 50;
/** A slot expires after this long without a request, in milliseconds. */
const IDLE_MS = 30_000;
/** `Retry-After` in seconds for devices that got no slot. */
const LATER = '5';

/** Number of bytes between two checks of the device's access. */
const CHECK_EVERY = 1_000_000;

/** Yields `bytes` while `isAllowed` returns true. When it returns false, the answer is aborted. */
async function* whileAllowed(bytes: Readable, isAllowed: () => Promise<boolean>): AsyncGenerator<Buffer> {
  let sinceCheck = 0;
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    sinceCheck += piece.length;
    if (sinceCheck > CHECK_EVERY) {
      sinceCheck = 0;
      if (!(await isAllowed())) throw new Error('The device was revoked while it took the snapshot');
    }
    yield piece;
  }
}

function wait(title: string): ApiError {
  return new ApiError(429, title, undefined, { 'retry-after': LATER });
}

type Slots = {
  /** Takes a slot, or keeps the one that the device has. False if all slots are taken. */
  readonly enter: (key: string) => boolean;
  readonly leave: (key: string) => void;
};

/** `most` slots, each for `idleMs` after its last use; `now` in milliseconds. */
export function createSlots(most: number, idleMs: number, now: () => number): Slots {
  const used = new Map<string, number>();
  return {
    enter: (key) => {
      const at = now();
      for (const [one, last] of used) if (at - last > idleMs) used.delete(one);
      if (!used.has(key) && used.size >= most) return false;
      used.set(key, at);
      return true;
    },
    leave: (key) => void used.delete(key),
  };
}

/** The two operations. `isRevoked`: whether a device lost its right. */
export function snapshotOperations(
  source: SnapshotSource,
  now: () => Date,
  isRevoked: (device: string) => Promise<boolean>,
): readonly Operation[] {
  const slots = createSlots(MOST_AT_ONCE, IDLE_MS, () => now().getTime());
  const enter = ({ caller }: ExpoCall): void => {
    if (!slots.enter(caller.keyId)) throw wait(`${MOST_AT_ONCE} devices take the snapshot at this moment`);
  };
  return [
    {
      method: 'GET',
      tag: 'hub',
      documented: false,
      right: 'read',
      onExpo: true,
      path: '/hub/snapshot/{expoId}',
      summary: 'What the snapshot of the event is, signed by the hub',
      answer: z.object({ text: z.string(), publicKey: z.string(), signature: z.string() }),
      mayMiss: true,
      handle: async (call: ExpoCall) => {
        // The file shows visitors in the usual view. A device with another view reads the lists.
        if (call.caller.device?.seesAllDetails === true)
          throw notFound('There is no snapshot for this device');
        const manifest = await source.manifest();
        if (manifest === 'none') throw notFound('There is no snapshot');
        if (manifest === 'soon') throw wait('The snapshot is being made');
        enter(call);
        return manifest;
      },
    },
    {
      method: 'GET',
      tag: 'hub',
      documented: false,
      right: 'read',
      onExpo: true,
      path: '/hub/snapshot/{expoId}/{sha256}',
      summary: 'The bytes of a snapshot, whole or a range of them',
      answer: null,
      mayMiss: true,
      handle: async (call: ExpoCall) => {
        const { sha256 = '' } = call.params;
        const file = source.file(sha256);
        if (file === null) throw notFound('There is no such snapshot, or no longer');
        enter(call);
        const etag = `"${sha256}"`;
        const asked = askedRange(call, etag, file.length);
        if (asked.last === file.length - 1) slots.leave(call.caller.keyId);
        const { device } = call.caller;
        const isAllowed = async () => device === undefined || !(await isRevoked(device.id));
        return pieceOf(asked, etag, file.length, (first, last) =>
          Readable.from(whileAllowed(file.open(first, last), isAllowed), { objectMode: false }),
        );
      },
    },
  ];
}
