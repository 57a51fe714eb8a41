/**
 * Compares the lines of a picture with every visitor in the mirror, in the reading process.
 *
 * Invariants:
 * - It reads the mirror once and then closes its read-only connection, because the file may be replaced later.
 * - A search uses the visitors of the moment when it was created. After a change of the mirror, the next picture needs
 *   a new search.
 */
import type { MirrorRecord } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { openReadOnly } from '../../foundations/store/database.ts';
import { betterMatch, createNameIndex, createNameMatcher } from './match-people.ts';
import type { PeopleMatch, ReadLine } from './read-line.ts';

export type PeopleSearch = (lines: readonly ReadLine[]) => PeopleMatch;

const MOST = 3;
/** If a smaller share of the visitors has a name, the right person may be missing. Usually only a few have none. */
const NEARLY_ALL = 0.9;
type Script = PeopleMatch['scripts'][number];
const SCRIPTS: Readonly<Record<Script, RegExp>> = {
  arabic: /\p{sc=Arabic}/u,
  kana: /\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Han}/u,
  han: /\p{sc=Han}/u,
};

/** Comparison with the visitors that the mirror at `path` has now. */
export function createPeopleSearch(path: string): PeopleSearch {
  const index = createNameIndex();
  const people: Omit<PeopleMatch['candidates'][number], 'score' | 'matchedCompany'>[] = [];
  const scripts = new Set<Script>();
  let visitors = 0;
  for (const record of visitorsIn(path)) {
    visitors += 1;
    if (!hasName(record.body)) continue;
    const { id: visitor, name, company, jobTitle } = snapshotOf(record);
    for (const script of Object.keys(SCRIPTS) as Script[])
      if (!scripts.has(script) && SCRIPTS[script].test(name)) scripts.add(script);
    people.push({ visitor, name, company, jobTitle });
    index.add(name);
  }
  const named = people.length === 0 ? 'none' : people.length < NEARLY_ALL * visitors ? 'some' : 'all';
  return (lines) => {
    const match = createNameMatcher(lines);
    const found = index.likely(lines).flatMap((at) => {
      const person = people[at];
      const matched = person === undefined ? null : match(person);
      return person === undefined || matched === null ? [] : [{ person, matched }];
    });
    found.sort((one, other) => betterMatch(one.matched, other.matched));
    const candidates = found.slice(0, MOST).map(({ person, matched: { score, company: matchedCompany } }) => {
      const { visitor, name, company, jobTitle } = person;
      return { visitor, name, company, jobTitle, score, matchedCompany };
    });
    return { candidates, scripts: [...scripts], named };
  };
}

function* visitorsIn(path: string): Generator<MirrorRecord> {
  const database = openReadOnly(path);
  if (database === null) return;
  try {
    const rows = database.prepare<[], { id: string; body: string }>(
      `SELECT id, body FROM record WHERE resource = 'visitors' AND deleted = 0`,
    );
    for (const { id, body: text } of rows.iterate()) {
      const body = parseOrUndefined(text);
      if (typeof body !== 'object' || body === null) continue;
      yield { id, revision: 0n, text, body: body as MirrorRecord['body'] };
    }
  } finally {
    database.close();
  }
}

function hasName({ firstName, lastName }: MirrorRecord['body']): boolean {
  return [firstName, lastName].some((part) => typeof part === 'string' && part.trim() !== '');
}
