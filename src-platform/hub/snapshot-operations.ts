/**
 * The first copy of the event for a fresh device, as one file (docs/hub.md): what it is, signed, and its bytes.
 *
 * Invariants: the lists that show a device only what is its own are not in it, so every device of the hub gets the same; a
 * file is named by its hash and never changes; who loses the right to the hub loses what is still to come of it.
 */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ApiError, notFound } from '../http/errors.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { askedRange, pieceOf } from '../http/piece.ts';
import { createTurns } from './turns.ts';

/** A text of the hub with its signature. */
export type SignedManifest = {
  readonly text: string;
  readonly publicKey: string;
  readonly signature: string;
};

export type SnapshotSource = {
  /** What there is now. `soon`: it is being made; `none`: there is none to be had, and paging is the way. */
  readonly manifest: () => Promise<SignedManifest | 'soon' | 'none'>;
  /** The file with this hash, or null. */
  readonly file: (sha256: string) => {
    readonly length: number;
    readonly open: (first: number, last: number) => Readable;
  } | null;
};

/** So many devices take it at once; more would only make each of them slower. */
const MOST_AT_ONCE = 50;
/** A device that was cut off comes back within this, or another has its turn. */
const IDLE_MS = 30_000;
/** Seconds, said to who waits. */
const LATER = '5';

/** So many bytes go between two looks whether the device may still have them. */
const LOOK_EVERY = 1_000_000;

/** What `bytes` tells for as long as `isAllowed`; then the answer breaks off. */
async function* whileAllowed(bytes: Readable, isAllowed: () => Promise<boolean>): AsyncGenerator<Buffer> {
  let sinceLook = 0;
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    sinceLook += piece.length;
    if (sinceLook > LOOK_EVERY) {
      sinceLook = 0;
      if (!(await isAllowed())) throw new Error('The device was revoked while it took the snapshot');
    }
    yield piece;
  }
}

function wait(title: string): ApiError {
  return new ApiError(429, title, undefined, { 'retry-after': LATER });
}

/** The two operations. `isRevoked`: whether a device may have nothing any more. */
export function snapshotOperations(
  source: SnapshotSource,
  now: () => Date,
  isRevoked: (device: string) => Promise<boolean>,
): readonly Operation[] {
  const turns = createTurns(MOST_AT_ONCE, IDLE_MS, () => now().getTime());
  const enter = ({ caller }: ExpoCall): void => {
    if (!turns.enter(caller.keyId)) throw wait(`${MOST_AT_ONCE} devices take the snapshot at this moment`);
  };
  const common = { method: 'GET', tag: 'hub', documented: false, right: 'read', onExpo: true } as const;
  return [
    {
      ...common,
      path: '/hub/snapshot/{expoId}',
      summary: 'What the snapshot of the event is, signed by the hub',
      answer: z.object({ text: z.string(), publicKey: z.string(), signature: z.string() }),
      mayMiss: true,
      handle: async (call: ExpoCall) => {
        const manifest = await source.manifest();
        if (manifest === 'none') throw notFound('There is no snapshot');
        if (manifest === 'soon') throw wait('The snapshot is being made');
        enter(call);
        return manifest;
      },
    },
    {
      ...common,
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
        if (asked.last === file.length - 1) turns.leave(call.caller.keyId);
        const { device } = call.caller;
        const isAllowed = async () => device === undefined || !(await isRevoked(device.id));
        return pieceOf(asked, etag, file.length, (first, last) =>
          Readable.from(whileAllowed(file.open(first, last), isAllowed), { objectMode: false }),
        );
      },
    },
  ];
}
