/**
 * Where a lead's facts are.
 *
 * Invariant: `leadDelivery` never claims more than every fact of the lead has reached.
 */
import { z } from 'zod';

/**
 * Where a lead's facts are; the least advanced one counts, `parked` above all. `atHub`: at the hub in the hall, which sends them
 * on to the platform.
 */
export const leadDeliverySchema = z.enum(['waiting', 'atHub', 'sent', 'confirmed', 'parked']);

export type LeadDelivery = z.infer<typeof leadDeliverySchema>;
