/**
 * Change marks of a hub (`GET /hub/news`): a text per list that differs after each change of the list. With them a
 * device with an up-to-date mirror sends one request per round instead of one per list.
 *
 *     round: request the marks ► skip each list whose mark did not change
 *     while an event stream keeps the lists up to date: request the marks only in every 31st round
 *
 * Invariants:
 * - A mark is used only if this run requested it before it read the list.
 * - Between these requests the last marks stay valid. A list that the stream reports without its records is read in
 *   the next round.
 * - If it is not known yet whether the server is a hub, the device asks before its first round.
 * - Without a hub, or with one that reports no marks, no list is skipped.
 * - A mark is the hub's store id, a dot and a number.
 */
import { z } from 'zod';
import type { ApiClient } from '../../foundations/api/client.ts';
import { isRefusal } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';

/** Names of the marks that belong to no list: the event itself, and facts submitted by a team's laptops. */
export const EVENT_NEWS = 'event';
export const TEAM_NEWS = 'facts';
/** The entry that holds the view instead of a mark. */
const VIEW = 'view';

export type News = {
  /** Called at the start of a round. Requests the marks, unless a stream makes that unnecessary. @throws ApiError */
  readonly ask: (signal: AbortSignal) => Promise<void>;
  /**
   * Whether a list has not changed since it was last read to its end for `whom` (a partner, if the list is filtered
   * by partner).
   */
  readonly isUnchanged: (list: string, whom: string) => boolean;
  /** Discards the mark of a list, so that the list is read again. */
  readonly readAnew: (list: string) => void;
  /** The hub's view for this device: which parts of records it shows. Null when the hub reports none. */
  readonly view: () => string | null;
  /** Records that the list was read to its end for `whom`. */
  readonly noteRead: (list: string, whom: string) => void;
  /** The store id of the hub that reported the marks. Null without marks. */
  readonly store: () => string | null;
  /** Records that the stream named a changed list. The next round reads it. */
  readonly noteChanged: (list: string) => void;
};

/** While a stream keeps the lists up to date, this many rounds run without a request. */
const ROUNDS_UNASKED = 30;

const newsSchema = z.object({ news: z.record(z.string(), z.string().max(200)) });

/** The device's hub. `ask` asks the server whether it is a hub. */
type NewsHub = {
  readonly isThere: () => boolean;
  readonly wasAsked: () => boolean;
  readonly ask: (signal: AbortSignal) => Promise<void>;
};

/** The change marks for one device. `isInStep`: whether an event stream keeps every list up to date. */
export function createNews(
  client: ApiClient,
  expoId: string,
  hub: NewsHub,
  isInStep: () => boolean = () => false,
): News {
  let marks: ReadonlyMap<string, string> = new Map();
  let unasked = 0;
  /** This run has not read any list yet. */
  let isFirst = true;
  const changed = new Set<string>();
  const read = new Map<string, string>();
  const keyOf = (list: string, whom: string): string | null => {
    const mark = marks.get(list);
    return mark === undefined ? null : JSON.stringify([mark, whom]);
  };
  return {
    ask: async (signal) => {
      const told = [...changed];
      changed.clear();
      if (isInStep() && unasked < ROUNDS_UNASKED) {
        unasked += 1;
        for (const list of told) read.delete(list);
        return;
      }
      unasked = 0;
      marks = new Map();
      // Without marks in its first round, a new device would read every list a second time.
      if (isFirst && !hub.isThere() && !hub.wasAsked()) await hub.ask(signal);
      if (!hub.isThere()) return;
      try {
        const text = await client.get(pathOf`/hub/news/${expoId}`, {}, signal);
        const parsed = newsSchema.safeParse(parseOrUndefined(text));
        marks = new Map(Object.entries(parsed.data?.news ?? {}));
      } catch (error) {
        // A hub of an older version, without change marks.
        if (!isRefusal(error)) throw error;
      }
    },
    isUnchanged: (list, whom) => {
      const key = keyOf(list, whom);
      return key !== null && read.get(list) === key;
    },
    view: () => marks.get(VIEW) ?? null,
    readAnew: (list) => void read.delete(list),
    noteChanged: (list) => void changed.add(list),
    noteRead: (list, whom) => {
      isFirst = false;
      const key = keyOf(list, whom);
      if (key !== null) read.set(list, key);
    },
    store: () => {
      const mark = marks.get(EVENT_NEWS);
      return mark === undefined ? null : mark.slice(0, mark.lastIndexOf('.'));
    },
  };
}
