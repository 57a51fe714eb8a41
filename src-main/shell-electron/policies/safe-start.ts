/**
 * When a start leaves out what may have made the ones before fail. Pure.
 *
 * Invariant: after two starts that never came to a page that lives, the next one goes without the graphics card, in a
 * window instead of a kiosk and without a second display, so that somebody can get at the machine; one good start ends
 * that.
 */
import { z } from 'zod';

const MOST_FAILED = 2;

const recordSchema = z.strictObject({ failed: z.int().min(0) });

/** How the starts before went. */
export type StartRecord = z.infer<typeof recordSchema>;

/** Reads a record; whatever is none counts as no failed start. */
export function readStartRecord(text: string | null): StartRecord {
  try {
    return recordSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return { failed: 0 };
  }
}

/** Whether this start leaves out what it can. */
export function isSafeStart({ failed }: StartRecord): boolean {
  return failed >= MOST_FAILED;
}
