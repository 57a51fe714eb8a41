/**
 * Searches the mirror for a person of the event.
 *
 * Invariants:
 * - Reads only, over its own connection.
 * - Every word must occur in name, company, position, place or e-mail.
 * - The person with the shortest text comes first: that text has the fewest letters besides the searched words.
 */

import type { MirrorRecord } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { openReadOnly } from '../../foundations/store/database.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import { wordsOfSearch } from './search-text.ts';

/** A person of the event. */
type FoundPerson = {
  readonly visitor: string;
  readonly name: string;
  readonly company: string | null;
  readonly jobTitle: string | null;
  readonly place: string | null;
};

export type PersonSearch = (search: string) => readonly FoundPerson[];

const MOST_FOUND = 20;

/** Search in the mirror at `path`. The file may be replaced between two searches. */
export function createPersonSearch(path: string): PersonSearch {
  return (search) => {
    const words = wordsOfSearch(search);
    const database = words.length === 0 ? null : openReadOnly(path);
    if (database === null) return [];
    try {
      const rows = database.prepare<[], { id: string; body: string }>(
        `SELECT id, body FROM record WHERE resource = 'visitors' AND deleted = 0`,
      );
      const found: { readonly person: FoundPerson; readonly length: number }[] = [];
      for (const { id, body: text } of rows.iterate()) {
        const body = parseOrUndefined(text);
        if (typeof body !== 'object' || body === null) continue;
        const record = { id, revision: 0n, text, body: body as MirrorRecord['body'] };
        const { record: _told, id: visitor, ...person } = snapshotOf(record);
        const email = typeof record.body.email === 'string' ? record.body.email : '';
        const said = foldForSearch(Object.values(person).concat(email).join('\n'));
        if (words.every((word) => said.includes(word))) {
          found.push({ person: { visitor, ...person }, length: said.length });
        }
      }
      found.sort((one, other) => one.length - other.length);
      return found.slice(0, MOST_FOUND).map(({ person }) => person);
    } finally {
      database.close();
    }
  };
}
