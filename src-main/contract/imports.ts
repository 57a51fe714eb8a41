/**
 * Facts of another Touchpoint taken in: a file goes to the device piece by piece, is checked as a whole, and then taken in.
 *
 * Invariants: every call is for staff only; nothing is taken in before the whole file was found sound; only facts of this
 * event and of the present partner (docs/laws.md#law-14); nothing of it is sent; twice changes nothing.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';

/**
 * Why nothing was taken in. `notOurs`: no file of facts. `newer`: of a newer Touchpoint. `cut`: it ends too early. `altered`: not as it
 * was written. `unassigned`: nobody knows yet whose device this is. `full`, `readOnly`, `failing`: the disk does not take it.
 */
export const importRefusalSchema = z.enum([
  ...(['unreadable', 'notOurs', 'newer', 'cut', 'altered', 'otherEvent', 'otherPartner'] as const),
  ...(['unassigned', 'full', 'readOnly', 'failing'] as const),
]);

/** How far it is, or how it ended. `facts` stand in the file, `taken` were not here before; `line` is of the file, 0: none. */
export const importStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('checking'), done: z.number().int(), of: z.number().int() }),
  z.object({ kind: z.literal('taking'), done: z.number().int(), of: z.number().int() }),
  z.object({ kind: z.literal('imported'), facts: z.number().int(), taken: z.number().int() }),
  z.object({ kind: z.literal('refused'), reason: importRefusalSchema, line: z.number().int() }),
]);

const id = z.string().max(100);

export const importCalls = {
  /** A file is about to come; one that was on its way before is given up. */
  begin: oc.output(z.object({ id })),
  /** The next piece, in base64, at most 256 KiB of the file. `kept` false: the disk does not take it, or no such file is awaited. */
  piece: oc.input(z.object({ id, bytes: z.string().max(360_000) })).output(z.object({ kept: z.boolean() })),
  /** The file is whole: it is checked and taken in while somebody watches. */
  finish: oc.input(z.object({ id })).output(eventIterator(importStateSchema)),
};

export type ImportRefusal = z.infer<typeof importRefusalSchema>;
export type ImportState = z.infer<typeof importStateSchema>;
