/**
 * The shell's questions to the core about an update.
 *
 * Invariants:
 * - at most one question of a kind is open;
 * - a late or malformed answer counts as none.
 */
import { z } from 'zod';
import type { Clock } from '../../core/foundations/ports.ts';
import type { UpdateCore } from './updates.ts';

/** The backup of a large journal takes minutes; it is written in pieces. */
const ANSWERED_WITHIN_MS = 300_000;

const time = z.number();
const momentSchema = z.object({
  fair: z.union([z.object({ start: time, end: time }), z.literal('unknown'), z.null()]),
  lastFactAt: time.nullable(),
  waiting: z.int().nonnegative(),
});

export type UpdateAsk = 'moment' | 'backup';

export type UpdateQuestions = UpdateCore & {
  /** Takes an answer of the core. */
  readonly take: (what: UpdateAsk, answer: unknown) => void;
};

/** Asks by `send`, which returns whether there is a core to ask. */
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
    backUp: async () => (await ask('backup', z.boolean())) ?? false,
    take: (what, answer) => waiting.get(what)?.(answer),
  };
}
