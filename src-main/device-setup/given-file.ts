/**
 * A file that was opened with the app from outside its pages, until a page accepts it.
 *
 * Invariants:
 * - opening it changes nothing on the device: pages offer it, and a user who may set the device up accepts it;
 * - only the latest file is offered.
 */
import { EventPublisher } from '@orpc/server';
import type { Uploads } from '../core/foundations/store/uploads.ts';

export type GivenFile = {
  readonly give: (bytes: Uint8Array) => void;
  /** The waiting upload, now and after every change. */
  readonly follow: (signal: AbortSignal | undefined) => AsyncIterable<string | null>;
  /** Removes the file, after it was accepted or discarded. */
  readonly clear: () => void;
};

/** At first there is no file. */
export function createGivenFile(uploads: Pick<Uploads, 'put'>): GivenFile {
  const publisher = new EventPublisher<{ change: null }>();
  let waiting: string | null = null;
  const become = (upload: string | null): void => {
    if (waiting === upload) return;
    waiting = upload;
    publisher.publish('change', null);
  };
  return {
    give: (bytes) => become(uploads.put(null, bytes)),
    follow: async function* (signal) {
      const changes = publisher.subscribe('change', signal === undefined ? {} : { signal });
      yield waiting;
      for await (const _ of changes) yield waiting;
    },
    clear: () => become(null),
  };
}
