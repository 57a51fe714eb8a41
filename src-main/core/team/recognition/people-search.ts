/**
 * Compares the lines of a picture with everybody in the mirror, in the reading thread.
 *
 * Invariant: reads only, over its own connection.
 */
import type { Candidate } from '../../../contract/recognition.ts';
import type { MirrorRecord } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { openReadOnly } from '../../foundations/store/database.ts';
import { betterMatch, createNameMatcher, type NameMatch } from './match-people.ts';
import type { ReadLine } from './read-line.ts';

/** Scripts that need their own language data. */
type Script = 'arabic' | 'kana' | 'han';

/** The best candidates, and the scripts of the event's names. */
export type PeopleMatch = {
  readonly candidates: readonly Candidate[];
  readonly scripts: readonly Script[];
};

export type PeopleSearch = (lines: readonly ReadLine[]) => PeopleMatch;

const MOST = 3;
const SCRIPTS: Readonly<Record<Script, RegExp>> = {
  arabic: /\p{sc=Arabic}/u,
  kana: /\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Han}/u,
  han: /\p{sc=Han}/u,
};

/** Comparison with the mirror at `path`. The file may be replaced between two pictures. */
export function createPeopleSearch(path: string): PeopleSearch {
  return (lines) => {
    const database = openReadOnly(path);
    if (database === null) return { candidates: [], scripts: [] };
    try {
      const match = createNameMatcher(lines);
      const scripts = new Set<Script>();
      const found: (NameMatch & { readonly candidate: Candidate })[] = [];
      const rows = database.prepare<[], { id: string; body: string }>(
        `SELECT id, body FROM record WHERE resource = 'visitors' AND deleted = 0`,
      );
      for (const { id, body: text } of rows.iterate()) {
        const body = parseOrUndefined(text);
        if (typeof body !== 'object' || body === null) continue;
        const record = { id, revision: 0n, text, body: body as MirrorRecord['body'] };
        const { name, company, jobTitle } = snapshotOf(record);
        for (const script of Object.keys(SCRIPTS) as Script[])
          if (!scripts.has(script) && SCRIPTS[script].test(name)) scripts.add(script);
        const matched = match({ name, company });
        if (matched === null) continue;
        const { score, company: matchedCompany } = matched;
        found.push({
          ...matched,
          candidate: { visitor: id, name, company, jobTitle, score, matchedCompany },
        });
      }
      const candidates = found.toSorted(betterMatch).slice(0, MOST);
      return { candidates: candidates.map(({ candidate }) => candidate), scripts: [...scripts] };
    } finally {
      database.close();
    }
  };
}
