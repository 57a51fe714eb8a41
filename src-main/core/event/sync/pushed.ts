/**
 * Changed records that a hub pushes over its event stream: written like a page that was read, without a request.
 *
 *     pushed ► queue ─► (no list is being read, and the queue is released) ─► mirror.applyPage
 *
 * Invariants:
 * - A record and the cursor after it commit together (docs/laws.md#law-4). The cursor moves only if the mirror holds
 *   everything before it, so the caller holds the queue until it has read every list once.
 * - Nothing is written while a list is being read. Otherwise its page could hold an older version than the mirror.
 * - The queue is bounded. If it overflows, it is emptied, and every list is read by revision instead.
 */
import { readPage, type WireRecord } from '../../foundations/api/page.ts';
import type { PulledMirror } from '../mirror/mirror.ts';
import { RESOURCES, type Resource, type ResourceName } from '../mirror/resources.ts';
import { rowsOf } from '../mirror/rows.ts';

/** Changed records of one list, as the JSON text of a list answer. */
export type PushedList = { readonly list: string; readonly text: string };

export type Pushed = {
  /** Runs a read of a list. Pushed records are written after it. */
  readonly whileReading: <Answer>(read: () => Promise<Answer>) => Promise<Answer>;
  /** Queues changes in order. */
  readonly take: (lists: readonly PushedList[]) => void;
  /** Holds the queue: nothing is written until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Discards the queue. */
  readonly clear: () => void;
};

type PushedPorts = {
  readonly mirror: PulledMirror;
  readonly partner: () => string | null;
  /** Called after each list was written, with the new and changed records. */
  readonly onPage: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Called when a list changed that is unknown here or can only be read as a whole. */
  readonly onOther: (list: string) => void;
  /** Called after a failed write or an overflow. Every list must be read before the next `release`. */
  readonly onBehind: () => void;
};

/** Maximum length of the queue in characters. */
const MOST_WAITING = 4_000_000;

/** The pushed records of one device. The queue is held at first. */
export function createPushed(ports: PushedPorts): Pushed {
  const { mirror, partner, onPage, onOther, onBehind } = ports;
  let queue: (readonly PushedList[])[] = [];
  let waiting = 0;
  let isHeld = true;
  let reads = 0;

  const clear = (): void => {
    queue = [];
    waiting = 0;
  };
  const fallBehind = (): void => {
    isHeld = true;
    onBehind();
  };

  /** Returns false if the list must be read instead. */
  const write = (resource: Resource, text: string): boolean => {
    const { name } = resource;
    const whom = partner();
    // As in a read, a list that this device does not mirror is skipped.
    if (mirror.isRefused(name) || (resource.ofOwnPartner && whom === null)) return true;
    const { complete, pass, revision } = mirror.progress(name);
    if (!complete || pass !== null) return false;
    const page = readPage(text, resource.idField);
    if (page.kind === 'malformed' || page.skipped > 0) return false;
    const isShown = page.records.map(({ body }) => !resource.ofOwnPartner || body.partnerID === whom);
    const records = page.records.filter((_record, place) => isShown[place]);
    const places = page.places.filter((_place, place) => isShown[place]);
    const rows = rowsOf(name, Buffer.from(text), { records, places });
    const cursor = records.reduce((top, record) => (record.revision > top ? record.revision : top), revision);
    const { changed } = mirror.applyPage(name, rows, cursor);
    onPage(name, changed);
    return true;
  };

  const writeAll = (lists: readonly PushedList[]): void => {
    for (const { list, text } of lists) {
      waiting -= text.length;
      const resource = RESOURCES.find(({ path }) => path === list);
      if (resource === undefined || !resource.byRevision) onOther(list);
      else if (!write(resource, text)) fallBehind();
    }
  };
  const flush = (): void => {
    while (!isHeld && reads === 0) {
      const [lists, ...rest] = queue;
      if (lists === undefined) return;
      queue = rest;
      try {
        writeAll(lists);
      } catch (error) {
        clear();
        fallBehind();
        throw error;
      }
    }
  };

  return {
    whileReading: async (read) => {
      reads += 1;
      try {
        return await read();
      } finally {
        reads -= 1;
        flush();
      }
    },
    take: (lists) => {
      waiting += lists.reduce((sum, { text }) => sum + text.length, 0);
      if (waiting > MOST_WAITING) {
        clear();
        fallBehind();
        return;
      }
      queue.push(lists);
      flush();
    },
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      flush();
    },
    clear,
  };
}
