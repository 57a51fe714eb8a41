/**
 * Imports of facts from another Touchpoint: a file is uploaded in pieces, verified as a whole, and then imported.
 *
 * Invariants:
 * - Every call is for staff only.
 * - Nothing is imported before the whole file was verified.
 * - Only facts of this event and of the current partner are imported (docs/laws.md#law-14), and none is sent.
 * - A repeated import changes nothing.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';

/**
 * Why nothing was imported. `notOurs`: not a file of facts. `newer`: made by a newer Touchpoint. `cut`: it ends too
 * early. `altered`: it was changed. `unassigned`: this device has no partner yet. `full`, `readOnly`, `failing`: the
 * disk failed.
 */
const importRefusalSchema = z.enum([
  ...(['unreadable', 'notOurs', 'newer', 'cut', 'altered', 'otherEvent', 'otherPartner'] as const),
  ...(['unassigned', 'full', 'readOnly', 'failing'] as const),
]);

/** Progress or result. `facts` are in the file, `taken` of them are new here. `line`: the line of a fault, or 0. */
const importStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking'), done: z.number().int(), of: z.number().int() }),
  z.object({ kind: z.literal('taking'), done: z.number().int(), of: z.number().int() }),
  z.object({ kind: z.literal('imported'), facts: z.number().int(), taken: z.number().int() }),
  z.object({ kind: z.literal('refused'), reason: importRefusalSchema, line: z.number().int() }),
]);

const id = z.string().max(100);

export const importCalls = {
  /** Starts an upload. A previous upload is cancelled. */
  begin: oc.output(z.object({ id })),
  /**
   * The next piece in base64, at most 256 KiB of the file. `kept` false: the disk failed, or there is no such upload.
   */
  piece: oc.input(z.object({ id, bytes: z.string().max(360_000) })).output(z.object({ kept: z.boolean() })),
  /** The file is complete. It is verified, and then imported while the page reads this stream. */
  finish: oc.input(z.object({ id })).output(eventIterator(importStateSchema)),
};

export type ImportRefusal = z.infer<typeof importRefusalSchema>;
export type ImportState = z.infer<typeof importStateSchema>;
