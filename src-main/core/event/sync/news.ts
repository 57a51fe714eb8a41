/**
 * What a hub reports as new (`GET /hub/news`): a device with an up-to-date mirror sends one request a round, not one for
 * each list.
 *
 *     round: what is new? ► a list whose mark did not change is skipped
 *
 * Invariants:
 * - A mark counts only if it was asked for before the list was read, in this run.
 * - Without a hub, or with one that reports no news, no list is skipped.
 */
import { z } from 'zod';
import type { ApiClient } from '../../foundations/api/client.ts';
import { isRefusal } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';

/** What is marked beside the lists: the event itself, and what a team's laptops handed over. */
export const EVENT_NEWS = 'event';
export const TEAM_NEWS = 'facts';

export type News = {
  /** Asks, at the start of a round. @throws ApiError */
  readonly ask: (signal: AbortSignal) => Promise<void>;
  /** Whether a list is as it was when it was last read to its end for `whom` (a partner, where it is narrowed to one). */
  readonly isUnchanged: (list: string, whom: string) => boolean;
  /** Forgets the mark of a list: it is read again. */
  readonly readAnew: (list: string) => void;
  /** The list was read to its end for `whom`. */
  readonly noteRead: (list: string, whom: string) => void;
};

const newsSchema = z.object({ news: z.record(z.string(), z.string().max(200)) });

/** The news of one device. */
export function createNews(
  client: ApiClient,
  expoId: string,
  hub: { readonly isThere: () => boolean },
): News {
  let marks: ReadonlyMap<string, string> = new Map();
  const read = new Map<string, string>();
  const keyOf = (list: string, whom: string): string | null => {
    const mark = marks.get(list);
    return mark === undefined ? null : JSON.stringify([mark, whom]);
  };
  return {
    ask: async (signal) => {
      marks = new Map();
      if (!hub.isThere()) return;
      try {
        const text = await client.get(pathOf`/hub/news/${expoId}`, {}, signal);
        const parsed = newsSchema.safeParse(parseOrUndefined(text));
        marks = new Map(Object.entries(parsed.data?.news ?? {}));
      } catch (error) {
        // A hub from before there were news.
        if (!isRefusal(error)) throw error;
      }
    },
    isUnchanged: (list, whom) => {
      const key = keyOf(list, whom);
      return key !== null && read.get(list) === key;
    },
    readAnew: (list) => void read.delete(list),
    noteRead: (list, whom) => {
      const key = keyOf(list, whom);
      if (key !== null) read.set(list, key);
    },
  };
}
