/**
 * The people of the leads, grouped by company. Reads the index.
 *
 * Invariants:
 * - A company is a group in the index. It results from the rule for spellings and from merges by the team.
 * - The name of a company is one for which the filter finds exactly the people of that company.
 */
import type { Company } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import { companyKey } from '../../foundations/text/company-key.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import { lineOfText } from './lead-index.ts';
import { NAMELESS } from './tally.ts';

/** `search`: part of a name. Empty: all. */
export type CompanyRequest = { readonly search: string; readonly offset: number; readonly limit: number };

export type Companies = {
  /** Companies with the most people first, and the total number of companies. */
  readonly page: (request: CompanyRequest) => { readonly companies: Company[]; readonly total: number };
  /** One company by its key in the index. */
  readonly of: (key: string) => Company;
  /** The company of a lead. Null if it has none. */
  readonly ofLead: (lead: string) => Company | null;
  /** Ids of the people of a company, latest first, at most `most`. */
  readonly leads: (name: string, most: number) => string[];
};

/** At most this many leads of a company are read to compare their spellings. */
const MOST_READ = 100;
const MOST_SPELLINGS = 20;

/** Companies of the index on `database`. */
export function createCompanies(database: Database): Companies {
  const figures = database.prepare<[string], { people: number; hot: number; later: number }>(
    `SELECT count(*) AS people, total(cooler = 0) AS hot, coalesce(min(later), 0) AS later
     FROM temp.item WHERE company = ? AND undone = 0`,
  );
  const lines = database.prepare<[string, number], { line: string }>(
    'SELECT line FROM temp.item JOIN temp.line USING (n) WHERE company = ? AND undone = 0 LIMIT ?',
  );
  const leads = database.prepare<[string, number], { lead: string }>(
    'SELECT lead FROM temp.item WHERE company = ? AND undone = 0 ORDER BY later, lead LIMIT ?',
  );
  const among = `FROM temp.item WHERE undone = 0 AND company <> '${NAMELESS}'
    AND company IN (SELECT company FROM temp.item WHERE instr(spelling, @search) > 0 OR instr(company, @search) > 0)`;
  const listed = database.prepare<[object], { company: string }>(
    `SELECT company ${among} GROUP BY company ORDER BY count(*) DESC, company LIMIT @limit OFFSET @offset`,
  );
  const count = database.prepare<[object], { n: number }>(`SELECT count(DISTINCT company) AS n ${among}`);

  const of = (key: string): Company => {
    const { people = 0, hot = 0, later = 0 } = figures.get(key) ?? {};
    const names = new Map<string, number>();
    let filed: string | null = null;
    for (const { line } of lines.all(key, MOST_READ)) {
      const { company, companyGroup } = lineOfText(line);
      if (company !== null) names.set(company, (names.get(company) ?? 0) + 1);
      if (companyGroup !== null && companyKey(companyGroup) === key) filed ??= companyGroup;
    }
    const spellings = [...names]
      .toSorted(([one, most], [other, more]) => more - most || (one < other ? -1 : 1))
      .map(([name]) => name);
    const name = filed ?? spellings.find((one) => companyKey(one) === key) ?? key;
    return { company: name, people, hot, lastAt: -later, spellings: spellings.slice(0, MOST_SPELLINGS) };
  };
  const groupOf = database.prepare<[string], { company: string }>(
    'SELECT company FROM temp.part JOIN temp.item USING (n) WHERE part.lead = ?',
  );
  return {
    of,
    ofLead: (lead) => {
      const key = groupOf.get(lead)?.company ?? NAMELESS;
      return key === NAMELESS ? null : of(key);
    },
    page: ({ search, limit, offset }) => {
      const wanted = { search: foldForSearch(search.toWellFormed()).trim() };
      return {
        companies: listed.all({ ...wanted, limit, offset }).map(({ company }) => of(company)),
        total: count.get(wanted)?.n ?? 0,
      };
    },
    leads: (name, most) => leads.all(companyKey(name), most).map(({ lead }) => lead),
  };
}
