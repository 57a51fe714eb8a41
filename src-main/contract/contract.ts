/**
 * The one list of what a screen may ask and what it is told. Both shells carry exactly this.
 *
 * Invariants: every input and output is validated; streams are event iterators; nothing here gives a key,
 * a path or another visitor's data.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { deviceStateSchema } from './device.ts';
import { leadPageSchema, parkedSchema } from './lead.ts';
import { demoBadgeSchema, tapEventSchema } from './tap.ts';

export const contract = {
  device: {
    /** The device's state now and after every change (at most ten a second). */
    watch: oc.output(eventIterator(deviceStateSchema)),
  },
  taps: {
    /** Taps from now on; a new watcher hears nothing of taps before it. */
    watch: oc.output(eventIterator(tapEventSchema)),
    /**
     * Text from a keyboard scanner, a typed code or a camera. The outcome comes over `watch` like any tap's.
     * Text is cut at 4,096 characters by the caller; longer input is refused.
     */
    enter: oc
      .input(z.object({ text: z.string().max(4096), source: z.enum(['wedge', 'manual', 'qr']) }))
      .output(z.object({ taken: z.boolean() })),
    /** Takes back what the fact recorded. `done` is false when the time is over or the fact is unknown. */
    undo: oc.input(z.object({ factId: z.string().max(64) })).output(z.object({ done: z.boolean() })),
  },
  leads: {
    /** Leads, latest tap first; `search` matches name, company and badge tail. */
    list: oc
      .input(
        z.object({
          search: z.string().max(200).default(''),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(200).default(100),
        }),
      )
      .output(leadPageSchema),
  },
  delivery: {
    /** Facts the platform refused, latest first; at most 200. */
    parked: oc.output(z.array(parkedSchema)),
    /**
     * Sends refused facts again, all of them or one. `post` stands in for the touchpoint and partner they were
     * refused with. `retried` counts them.
     */
    retry: oc
      .input(
        z.object({
          factId: z.string().max(64).optional(),
          post: z
            .object({ touchpoint: z.string().max(200).nullable(), partner: z.string().max(200).nullable() })
            .optional(),
        }),
      )
      .output(z.object({ retried: z.number().int() })),
  },
  mirror: {
    /** Compares the whole mirror with the platform now. */
    reconcile: oc.output(z.object({ begun: z.boolean() })),
    /** Allows the removal that `asks` tells of, for one resource. */
    approveRemoval: oc
      .input(z.object({ resource: z.string().max(40) }))
      .output(z.object({ approved: z.boolean() })),
  },
  demo: {
    /** The demo tray; empty outside the demo event. */
    badges: oc.output(z.array(demoBadgeSchema)),
    /** Taps a demo badge as if it lay on a reader. `taken` is false outside the demo event. */
    tap: oc.input(z.object({ code: z.string().max(64) })).output(z.object({ taken: z.boolean() })),
  },
};
