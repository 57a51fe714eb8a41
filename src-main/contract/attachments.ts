/**
 * Photos and voice notes of leads.
 *
 * Invariants:
 * - Every call is for staff only, and only for leads of the current partner (docs/laws.md#law-14).
 * - The device re-encodes a photo and keeps only its pixels.
 * - A recording of a visitor's voice requires the visitor's agreement.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { editedSchema } from './leads.ts';

/**
 * Why a file was not kept. `notPicture`: it cannot be drawn, or has too many pixels. `notSound`: not a recording of a
 * browser. `tooLong`: beyond two minutes. `notAgreed`: the visitor did not agree. `noRoom`: the free disk space is
 * reserved for taps. `lost`: the upload is missing.
 */
const refusalSchema = z.enum(['notPicture', 'notSound', 'tooLong', 'notAgreed', 'noRoom', 'lost']);

const mediaUseSchema = z.enum(['camera', 'microphone']);

const id = z.string().max(200);
const upload = z.string().max(64);
const pieceSchema = z.object({ upload: upload.nullable(), bytes: z.string().max(360_000) });

export const attachmentCalls = {
  /** A piece of a file in base64. The first piece has no upload id. Null if the file is too large. */
  put: oc.input(pieceSchema).output(z.object({ upload: upload.nullable() })),
  /** Stores an uploaded picture with a lead. */
  photo: oc
    .input(z.object({ lead: id, upload }))
    .output(z.union([editedSchema, z.object({ kind: z.literal('refused'), reason: refusalSchema })])),
  /**
   * Stores an uploaded recording with a lead. `of`: who speaks. `agreed`: the visitor agreed before the recording.
   * `ms`: its length.
   */
  voice: oc
    .input(
      z.object({
        lead: id,
        upload,
        ms: z.number().int().min(1),
        of: z.enum(['team', 'visitor']),
        agreed: z.boolean(),
      }),
    )
    .output(z.union([editedSchema, z.object({ kind: z.literal('refused'), reason: refusalSchema })])),
  /** The file in base64. Null if it is damaged or not on this device. */
  read: oc
    .input(z.object({ factId: z.string().max(64) }))
    .output(z.object({ type: z.enum(['image/webp', 'audio/webm']), bytes: z.string() }).nullable()),
  /** Number and bytes of the current partner's files. */
  sum: oc.output(z.object({ files: z.number().int(), bytes: z.number().int() })),
  /**
   * The page may use the microphone or camera of this device while it reads this stream, from the first message on.
   */
  use: oc
    .input(z.object({ device: mediaUseSchema }))
    .output(eventIterator(z.object({ allowed: z.literal(true) }))),
};

export type AttachmentRefusal = z.infer<typeof refusalSchema>;
export type MediaUse = z.infer<typeof mediaUseSchema>;
