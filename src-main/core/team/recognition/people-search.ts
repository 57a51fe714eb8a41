/**
 * Compares the lines of a picture with every visitor in the mirror, in the reading thread.
 *
 * Invariant: reads only, over its own connection.
 */
import type { Candidate } from '../../../contract/recognition.ts';
import type { MirrorRecord } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { openReadOnly } from '../../foundations/store/database.ts';
import { betterMatch, createNameMatcher, type NameMatch } from './match-people.ts';
import type { ReadLine, TextScript } from './read-line.ts';

/** Scripts that are read after the Latin one. */
type Script = Exclude<TextScript, 'latin'>;

/** The best candidates, the scripts of the event's names, and how many visitors of the mirror have a name. */
export type PeopleMatch = {
  readonly candidates: readonly Candidate[];
  readonly scripts: readonly Script[];
  readonly named: 'all' | 'some' | 'none';
};

export type PeopleSearch = (lines: readonly ReadLine[]) => PeopleMatch;

const MOST = 3;
/** Below this share of visitors with a name, the right one may be missing. It is usual that a few have none. */
const NEARLY_ALL = 0.9;
const SCRIPTS: Readonly<Record<Script, RegExp>> = {
  arabic: /\p{sc=Arabic}/u,
  kana: /\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Han}/u,
  han: /\p{sc=Han}/u,
};

/** Comparison with the mirror at `path`. The file may be replaced between two pictures. */
export function createPeopleSearch(path: string): PeopleSearch {
  return (lines) => {
    const database = openReadOnly(path);
    if (database === null) return { candidates: [], scripts: [], named: 'none' };
    try {
      const match = createNameMatcher(lines);
      const scripts = new Set<Script>();
      let people = 0;
      let withName = 0;
      const found: (NameMatch & { readonly candidate: Candidate })[] = [];
      const rows = database.prepare<[], { id: string; body: string }>(
        `SELECT id, body FROM record WHERE resource = 'visitors' AND deleted = 0`,
      );
      for (const { id, body: text } of rows.iterate()) {
        const body = parseOrUndefined(text);
        if (typeof body !== 'object' || body === null) continue;
        const record = { id, revision: 0n, text, body: body as MirrorRecord['body'] };
        const { name, company, jobTitle } = snapshotOf(record);
        people += 1;
        if (!hasName(record.body)) continue;
        withName += 1;
        for (const script of Object.keys(SCRIPTS) as Script[])
          if (!scripts.has(script) && SCRIPTS[script].test(name)) scripts.add(script);
        const matched = match({ name, company, jobTitle });
        if (matched === null) continue;
        const { score, company: matchedCompany } = matched;
        found.push({
          ...matched,
          candidate: { visitor: id, name, company, jobTitle, score, matchedCompany },
        });
      }
      const candidates = found.toSorted(betterMatch).slice(0, MOST);
      const named = withName === 0 ? 'none' : withName < NEARLY_ALL * people ? 'some' : 'all';
      return { candidates: candidates.map(({ candidate }) => candidate), scripts: [...scripts], named };
    } finally {
      database.close();
    }
  };
}

function hasName({ firstName, lastName }: MirrorRecord['body']): boolean {
  return [firstName, lastName].some((part) => typeof part === 'string' && part.trim() !== '');
}
