/**
 * Codes that were refused at the stand. They are stored for the stand team to review and never delivered.
 *
 * Invariants:
 * - A partner sees only its own codes (docs/laws.md#law-14).
 * - Their number is bounded. The oldest are removed first.
 * - The text is truncated, so that a faulty scanner cannot fill the disk.
 */
import type { RefusedEntry } from '../../../contract/leads.ts';
import type { TapSource } from '../../../contract/tap.ts';
import type { Database } from '../../foundations/store/database.ts';

/** A refused code before it is stored. */
type RefusedCode = Pick<RefusedEntry, 'id' | 'at' | 'text' | 'reason'> & {
  readonly source: TapSource;
  readonly touchpoint: string | null;
  /** Partner id as `journal.leads` uses it. */
  readonly partner: string;
};

export type RefusedCodes = {
  readonly keep: (code: RefusedCode) => void;
  /** Codes that staff have not settled, latest first. */
  readonly open: (partner: string, most: number) => readonly RefusedEntry[];
  /** Number of codes that staff have not settled. */
  readonly count: (partner: string) => number;
  /** Deletes all codes of a partner. */
  readonly forget: (partner: string) => void;
  /** Returns false when this partner has no such code. */
  readonly settle: (partner: string, id: string, settled: boolean) => boolean;
};

const MOST_KEPT = 5_000;
const LONGEST = 300;

type Row = Omit<RefusedEntry, 'settled'> & { readonly settled: number };

/** Refused codes in the journal's database. */
export function createRefusedCodes(database: Database): RefusedCodes {
  const insert = database.prepare(
    `INSERT INTO refused_code (id, at, touchpoint, partner, source, text, reason)
     VALUES (@id, @at, @touchpoint, @partner, @source, @text, @reason)`,
  );
  const trim = database.prepare(
    `DELETE FROM refused_code WHERE id IN (SELECT id FROM refused_code ORDER BY at DESC LIMIT -1 OFFSET ${MOST_KEPT})`,
  );
  const open = database.prepare<[string, number], Row>(
    `SELECT id, at, source, text, reason, settled FROM refused_code WHERE partner = ? AND settled = 0
     ORDER BY at DESC, id LIMIT ?`,
  );
  const count = database.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM refused_code WHERE partner = ? AND settled = 0',
  );
  const forget = database.prepare('DELETE FROM refused_code WHERE partner = ?');
  const settle = database.prepare('UPDATE refused_code SET settled = ? WHERE id = ? AND partner = ?');
  const keep = database.transaction((code: RefusedCode): void => {
    insert.run({ ...code, text: code.text.slice(0, LONGEST).toWellFormed() });
    trim.run();
  });
  return {
    keep: (code) => keep.immediate(code),
    open: (partner, most) => open.all(partner, most).map((row) => ({ ...row, settled: row.settled === 1 })),
    count: (partner) => count.get(partner)?.n ?? 0,
    forget: (partner) => void forget.run(partner),
    settle: (partner, id, settled) => settle.run(settled ? 1 : 0, id, partner).changes > 0,
  };
}
