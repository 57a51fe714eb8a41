/**
 * The forms of this event's badge codes, learnt from the mirror after each complete pass over the visitors.
 *
 * Invariants:
 * - Learning from a large event takes 50 ms. The thread that prepares a snapshot learns and stores the forms, so that
 *   the first tap after it does not wait. After a later pass, the first call learns them.
 * - Stored forms that cannot be read are learnt again.
 */
import { z } from 'zod';
import { type CodeForms, formsOf, type LearntForms, learnForms } from '../../foundations/badge/code-forms.ts';
import type { Database } from '../../foundations/store/database.ts';
import { createProgressTable } from './progress.ts';

/** Maximum number of badge codes, and of visitor ids, that are read. In practice more would not change the forms. */
const MOST_LEARNT = 20_000;

/** Key of the stored forms in the mirror, followed by the number of the pass after which they were learnt. */
const STORED = 'code forms';

const learntForms: z.ZodType<LearntForms> = z.object({
  places: z.array(z.tuple([z.int(), z.array(z.object({ only: z.string().nullable(), kind: z.int() }))])),
  hexLengths: z.array(z.int()),
  hexBadges: z.boolean(),
  isKnown: z.boolean(),
  pad: z.enum(['digits', 'hex', 'letters']),
});

/** The forms of the codes in `database`. */
export function createCodeForms(database: Database): () => CodeForms {
  const progress = createProgressTable(database);
  const stored = database.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const nothing = formsOf(learnForms([], []));
  let learnt: { readonly passes: number; readonly forms: CodeForms } | null = null;
  return () => {
    const { complete, passes } = progress.of('visitors');
    if (!complete) return nothing;
    if (learnt?.passes !== passes) {
      const known = readStored(stored.get(keyOf(passes)));
      learnt = { passes, forms: formsOf(known ?? learnFrom(database)) };
    }
    return learnt.forms;
  };
}

/** Learns the forms of the codes in `database` and stores them for its latest pass. */
export function storeCodeForms(database: Database): void {
  const { passes } = createProgressTable(database).of('visitors');
  database
    .prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
    .run(keyOf(passes), JSON.stringify(learnFrom(database)));
}

function keyOf(passes: number): string {
  return `${STORED} ${passes}`;
}

function readStored(text: string | undefined): LearntForms | null {
  try {
    return learntForms.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

function learnFrom(database: Database): LearntForms {
  const badges = database
    .prepare<[number], string>('SELECT code FROM badge ORDER BY code LIMIT ?')
    .pluck(true);
  const ids = database
    .prepare<[number], string>(
      `SELECT id FROM record WHERE resource = 'visitors' AND deleted = 0 ORDER BY id LIMIT ?`,
    )
    .pluck(true);
  return learnForms(badges.all(MOST_LEARNT), ids.all(MOST_LEARNT));
}
