/**
 * Leads as the stand team sees them: a projection of facts.
 *
 * Invariant: `delivery` never claims more than every fact of the lead has reached.
 */
import { z } from 'zod';

/** Where a lead's facts are; the least advanced one counts, `parked` above all. */
export const leadDeliverySchema = z.enum(['waiting', 'sent', 'confirmed', 'parked']);

/** One line of the lead list. Times in epoch milliseconds. */
export const leadSchema = z.object({
  id: z.string(),
  /** Null while the badge is unknown. */
  name: z.string().nullable(),
  company: z.string().nullable(),
  jobTitle: z.string().nullable(),
  place: z.string().nullable(),
  /** Last four characters of the badge code, for telling unknown badges apart. */
  badgeTail: z.string(),
  taps: z.number().int(),
  firstAt: z.number(),
  lastAt: z.number(),
  rating: z.number().int().nullable(),
  /** The visitor took it back; kept and shown as such. */
  undone: z.boolean(),
  delivery: leadDeliverySchema,
});

export const leadPageSchema = z.object({
  leads: z.array(leadSchema),
  /** All leads that match, for the list's length. */
  total: z.number().int(),
});

export type Lead = z.infer<typeof leadSchema>;
export type LeadPage = z.infer<typeof leadPageSchema>;
export type LeadDelivery = z.infer<typeof leadDeliverySchema>;
