/**
 * Reading a badge or a business card from a picture.
 *
 * Invariants:
 * - Every call is for staff only.
 * - The result is only a suggestion: staff choose the person, or check the form.
 * - Text recognition runs on this device.
 */
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { contactCardSchema } from './people.ts';

/** A person of the event whose name was read. `matchedCompany`: whether the company was also read. */
export const candidateSchema = z.object({
  visitor: z.string(),
  name: z.string(),
  company: z.string().nullable(),
  jobTitle: z.string().nullable(),
  /** 0 to 1: how much of the name was read. */
  score: z.number(),
  matchedCompany: z.boolean(),
});

const recognisedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    /** At most three, the best first. */
    candidates: z.array(candidateSchema),
    /** The picture's text as a business card. Doubtful fields are empty. Null if the picture is not a business card. */
    card: contactCardSchema.nullable(),
    /** Whether this device holds the names of the event's visitors. `some`: the right person may be missing. */
    names: z.enum(['all', 'some', 'none']),
  }),
  /** `notPicture`: it cannot be drawn. `unavailable`: no text recognition here. `lost`: the upload is missing. */
  z.object({ kind: z.literal('refused'), reason: z.enum(['notPicture', 'unavailable', 'lost']) }),
]);

export const recognitionCalls = {
  /** Reads an uploaded picture (`attachments.put`). The upload is kept for the lead. */
  read: oc.input(z.object({ upload: z.string().max(64) })).output(recognisedSchema),
};

export type Candidate = z.infer<typeof candidateSchema>;
export type Recognised = z.infer<typeof recognisedSchema>;
