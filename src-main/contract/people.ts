/**
 * People the stand team attaches a badge to or writes down, and the cards they are read from.
 */
import { z } from 'zod';
import { byField, PERSON_FIELDS } from './lead-fields.ts';

const id = z.string().max(200);
const name = z.string().max(200);

/**
 * Somebody to attach a badge to. `lead`: they are a lead of ours already. `visitor` null: nobody the event knows, the team
 * wrote them down; a badge is merged with their lead.
 */
export const personSchema = z.object({
  visitor: id.nullable(),
  name: z.string(),
  company: z.string().nullable(),
  jobTitle: z.string().nullable(),
  place: z.string().nullable(),
  lead: z.string().nullable(),
});

/** Somebody who is written down by hand, or read from a card of theirs. */
export const contactSchema = z.object(byField(PERSON_FIELDS, () => name.nullable()));

/** A card, read: the contact, and what else it says (address, title, further numbers), a line each, for the note. */
export const contactCardSchema = z.object({ contact: contactSchema, more: z.string() });

export type Person = z.infer<typeof personSchema>;
export type Contact = z.infer<typeof contactSchema>;
export type ContactCard = z.infer<typeof contactCardSchema>;
