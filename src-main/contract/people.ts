/**
 * People to whom the stand team assigns badges or whom it enters by hand, and the cards with their contact details.
 */
import { z } from 'zod';
import { byField, PERSON_FIELDS } from './lead-fields.ts';

const id = z.string().max(200);
const name = z.string().max(200);

/**
 * A person to whom a badge can be assigned. `lead`: their existing lead. `visitor` null: a person that the team
 * entered and the event does not have. A badge of such a person is merged with their lead.
 */
export const personSchema = z.object({
  visitor: id.nullable(),
  name: z.string(),
  company: z.string().nullable(),
  jobTitle: z.string().nullable(),
  place: z.string().nullable(),
  lead: z.string().nullable(),
});

/** A person who is entered by hand, or read from a card. */
export const contactSchema = z.object(byField(PERSON_FIELDS, () => name.nullable()));

/** A card: the contact, and its other data (address, title, further numbers) as lines for the note. */
export const contactCardSchema = z.object({ contact: contactSchema, more: z.string() });

export type Person = z.infer<typeof personSchema>;
export type Contact = z.infer<typeof contactSchema>;
export type ContactCard = z.infer<typeof contactCardSchema>;
