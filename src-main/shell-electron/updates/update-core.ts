/**
 * What the shell asks the core for an update, and the answers.
 *
 * Invariants: one question of a kind at a time; an answer that does not come in time, or has not its shape, is none.
 */
import { z } from 'zod';
import type { Clock } from '../../core/ports.ts';
import type { UpdateCore } from './updates.ts';

/** A backup of a large journal takes its time; it is made in pieces. */
const ANSWERED_WITHIN_MS = 300_000;

const time = z.number();
const momentSchema = z.object({
  fair: z.union([z.object({ start: time, end: time }), z.literal('unknown'), z.null()]),
  lastFactAt: time.nullable(),
  waiting: z.int().nonnegative(),
});
const backupSchema = z.object({ schema: z.int().nullable() });

export type UpdateAsk = 'moment' | 'backup';

export type UpdateQuestions = UpdateCore & {
  readonly take: (what: UpdateAsk, answer: unknown) => void;
};

/** Asks by `send`, which gives whether there is a core to ask. */
export function createUpdateQuestions(
  send: (what: UpdateAsk) => boolean,
  { sleep }: Pick<Clock, 'sleep'>,
): UpdateQuestions {
  const waiting = new Map<UpdateAsk, (answer: unknown) => void>();
  const ask = async <Answer>(what: UpdateAsk, schema: z.ZodType<Answer>): Promise<Answer | null> => {
    const given = new AbortController();
    const answered = new Promise<unknown>((resolve) => waiting.set(what, resolve));
    if (!send(what)) return null;
    const answer = await Promise.race([answered, sleep(ANSWERED_WITHIN_MS, given.signal).then(() => null)]);
    given.abort();
    waiting.delete(what);
    const read = schema.safeParse(answer);
    return read.success ? read.data : null;
  };
  return {
    moment: () => ask('moment', momentSchema),
    backUp: () => ask('backup', backupSchema),
    take: (what, answer) => waiting.get(what)?.(answer),
  };
}
