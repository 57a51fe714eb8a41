/**
 * The replies of visitors so far, read from the facts: consents and answers that were not undone, and check-ins.
 *
 * Invariant: reads only. The cost of reading one lead does not depend on the length of the journal.
 */
import type { Database } from '../../foundations/store/database.ts';
import type { Answers, Consent, FactPayloads } from './fact.ts';

/** A check-in of a known visitor. `at` in Unix milliseconds. */
export type OwnCheckin = { readonly visitor: string; readonly at: number; readonly undone: boolean };

export type Replies = {
  readonly consentOf: (lead: string) => Consent | null;
  readonly answersOf: (lead: string) => Answers;
  /** Questions that the visitor of the lead skipped. */
  readonly skippedOf: (lead: string) => readonly string[];
  /** Check-ins at an activity, or at a touchpoint without one. */
  readonly checkinsAt: (place: {
    readonly activity: string | null;
    readonly touchpoint: string | null;
  }) => readonly OwnCheckin[];
};

/** The consent in a field of a fact or of a connection. Null if it has another format. */
export function consentIn(value: unknown): Consent | null {
  if (typeof value !== 'object' || value === null || !('notice' in value)) return null;
  const { notice, language, agreed } = value as Partial<Record<keyof Consent, unknown>>;
  if (typeof notice !== 'string' || typeof agreed !== 'object' || agreed === null) return null;
  return { notice, language: String(language ?? ''), agreed: agreed as Consent['agreed'] };
}

/** The answers in a field of a fact or of a connection. */
export function answersIn(value: unknown): Answers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answers) : {};
}

/** Replies in the journal's database. */
export function createReplies(database: Database): Replies {
  const latest = <Kind extends 'consent' | 'qualify'>(
    kind: Kind,
    field: keyof FactPayloads[Kind]['fields'] & string,
    type: 'object' | 'array' = 'object',
  ) => {
    const row = database.prepare<[string], { payload: string }>(
      `SELECT payload FROM lead_fact JOIN fact USING (seq)
       WHERE lead = ? AND kind = '${kind}' AND undone_by IS NULL
         AND json_type(payload, '$.fields.${field}') = '${type}'
       ORDER BY seq DESC LIMIT 1`,
    );
    return (lead: string): Partial<FactPayloads[Kind]['fields']> => {
      const found = row.get(lead);
      return found === undefined ? {} : (JSON.parse(found.payload) as FactPayloads[Kind]).fields;
    };
  };
  const consent = latest('consent', 'consent');
  const answers = latest('qualify', 'answers');
  const skipped = latest('qualify', 'skipped', 'array');
  const checkins = database.prepare<
    [],
    { payload: string; at: number; touchpoint: string | null; undone_by: number | null }
  >(
    `SELECT payload, at, touchpoint, undone_by FROM fact JOIN lead_fact USING (seq)
     WHERE kind = 'checkin' AND payload IS NOT NULL ORDER BY seq`,
  );

  return {
    consentOf: (lead) => consentIn(consent(lead).consent),
    answersOf: (lead) => answersIn(answers(lead).answers),
    skippedOf: (lead) => (skipped(lead).skipped ?? []).map(String),
    checkinsAt: ({ activity, touchpoint }) =>
      checkins.all().flatMap(({ payload, at, undone_by, ...row }) => {
        const said = JSON.parse(payload) as FactPayloads['checkin'];
        const isHere = activity === null ? row.touchpoint === touchpoint : said.activity === activity;
        if (!isHere || said.visitor === undefined) return [];
        return [{ visitor: said.visitor, at, undone: undone_by !== null }];
      }),
  };
}
