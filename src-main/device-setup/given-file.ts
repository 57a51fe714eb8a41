/**
 * A file that was given to the app from outside its pages, until a page has taken it.
 *
 * Invariants: giving changes nothing of the device; the pages are told, and whoever may set this device up takes it as any file;
 * the latest counts.
 */
import { EventPublisher } from '@orpc/server';
import type { Uploads } from './uploads.ts';

export type GivenFile = {
  readonly give: (bytes: Uint8Array) => void;
  /** The upload that waits to be taken, now and after every change. */
  readonly follow: (signal: AbortSignal | undefined) => AsyncIterable<string | null>;
  /** It was taken, or is not wanted any more. */
  readonly clear: () => void;
};

/** No file was given yet. */
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
