/**
 * The state of the device for a page: its assignment, its parts, its delivery.
 *
 * Invariant: contains no key, no address with credentials and no personal data of visitors.
 */
import { z } from 'zod';

/**
 * The purposes of a touchpoint (docs/interface/undocumented.md#touchpoint). For a new purpose the compiler reports
 * each table that needs a row.
 */
export const purposeSchema = z.enum(['lead', 'content', 'checkin']);

/** The partner of this device. */
const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  stand: z.string().nullable(),
  /** The partner's colour as `#rrggbb`. Screens darken or lighten it until it is readable. */
  colour: z.string().max(9).nullish(),
});

/** Whether the disk with the leads is encrypted; `unknown` if the system does not report it. */
export const diskEncryptionSchema = z.enum(['encrypted', 'open', 'unknown']);

/**
 * An attached reader. `interval`: its polling interval when it was attached, and now. Absent if the reader does not
 * report it.
 */
export const readerSchema = z.object({
  name: z.string(),
  interval: z.object({ foundMs: z.number(), everyMs: z.number() }).optional(),
});

/**
 * State of the machine's card service. `off`: this start uses no reader. `silent`: it exists but does not answer.
 * `failing`: it cannot be used at all, or not by this app.
 */
export const cardServiceSchema = z.enum(['off', 'starting', 'up', 'absent', 'silent', 'failing']);

/** Progress of the mirror. `count` in records. */
const mirrorStateSchema = z.object({
  complete: z.boolean(),
  resources: z.array(
    z.object({
      name: z.string(),
      count: z.number().int(),
      complete: z.boolean(),
      /** The key has no right to read it. */
      refused: z.boolean().optional(),
    }),
  ),
  /** Completed share in [0, 1] and seconds left (null while unknown) of a long first sync. Null otherwise. */
  remaining: z.object({ share: z.number(), secondsLeft: z.number().nullable() }).nullable(),
  /** The hub first sends the complete event to other devices. */
  waitsForTurn: z.boolean().optional(),
  /**
   * Resources for which the last comparison would remove many records, so it waits for an approval. With their
   * number.
   */
  asks: z.array(z.object({ name: z.string(), wouldRemove: z.number().int() })),
  /** End of the last complete pass in Unix milliseconds, or null. */
  lastPassAt: z.number().nullable(),
});

/** Why nothing is sent at present. Null while delivery runs. */
export const pauseSchema = z.enum([
  'noEvent',
  'keyRefused',
  /** The key is in a keychain that is locked or lost. */
  'keyMissing',
  'forbidden',
  'noWritePermission',
  'addressNotAllowed',
  'wrongClock',
  'takesNoScans',
  'refusesAll',
  'tls',
  /** The server at the hub's address has another key than the hub that set up this device. */
  'wrongHub',
  'addressUnknown',
  'offline',
  'notAPlatform',
]);

/** docs/laws.md#law-2: captured = due + inFlight + uncertain + sent + confirmed + parked. Counts of facts. */
const deliveryStateSchema = z.object({
  captured: z.number().int(),
  due: z.number().int(),
  inFlight: z.number().int(),
  uncertain: z.number().int(),
  sent: z.number().int(),
  /** The part of `sent` that is at the hub and not at the platform yet. */
  atHub: z.number().int().optional(),
  confirmed: z.number().int(),
  parked: z.number().int(),
  /** How many facts may be on the platform twice, because the platform ignores ids and they were sent again. */
  possiblyTwice: z.number().int().optional(),
  pause: pauseSchema.nullable(),
});

/** Whether taps can be stored at present. */
export const storageSchema = z.enum(['ok', 'full', 'readOnly', 'failing']);

/**
 * Difference between our clock and the platform's. `suspect`: our clock is far from the platform's, or more than a day
 * outside the event. `platformDoubted`: the platform's time is implausible and is ignored.
 */
export const clockStateSchema = z.object({
  offsetMs: z.number().nullable(),
  suspect: z.boolean(),
  platformDoubted: z.boolean(),
});

/** A touchpoint that staff can choose for this device. `partner`: name of its partner, or null if it has none. */
export const touchpointChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  purpose: purposeSchema,
  partner: z.string().nullable(),
});

/** Characters of this event's typed badge codes: digits, hex digits, or any letters. */
const codePadSchema = z.enum(['digits', 'hex', 'letters']);

/** Why the device cannot work as its assigned touchpoint: it is not in the event, or has an unknown purpose. */
const assignmentFaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing'), touchpoint: z.string() }),
  /** No touchpoint is assigned. Nothing is captured. */
  z.object({ kind: z.literal('unchosen') }),
  /** The notice names a partner (`named`) other than the touchpoint's (`partner`). Nothing is captured. */
  z.object({ kind: z.literal('otherPartner'), partner: z.string(), named: z.string() }),
  z.object({ kind: z.literal('unknownPurpose'), touchpoint: z.string(), purpose: z.string() }),
]);

/** A consistent snapshot of the device, sent after every change. */
export const deviceStateSchema = z.object({
  version: z.string(),
  demo: z.boolean(),
  /** Short name that staff can read aloud, e.g. `B17 left`. */
  deviceName: z.string(),
  event: z.object({ id: z.string(), name: z.string(), timezone: z.string() }).nullable(),
  partner: partnerSchema.nullable(),
  purpose: purposeSchema,
  /** A fault that staff must correct. Until then nothing is delivered, and some faults also prevent a capture. */
  assignmentFault: assignmentFaultSchema.nullish(),
  codePad: codePadSchema.optional(),
  cardService: cardServiceSchema,
  readers: z.array(readerSchema),
  /**
   * Number of badges since the start whose NDEF message could not be read, or not in time. They were captured by their
   * UID.
   */
  lostNdef: z.number().int().optional(),
  mirror: mirrorStateSchema,
  delivery: deliveryStateSchema,
  /**
   * The hub of this device. `upstream`: whether it reaches the platform, and `since` when (Unix milliseconds). Null
   * without a hub.
   */
  hub: z
    .object({
      name: z.string(),
      upstream: z.enum(['unknown', 'online', 'away']),
      since: z.number().nullable(),
      /**
       * Ids of other devices that also sent facts of this device, and how many facts. Then one device works on a copy
       * of the other's data folder.
       */
      alsoSentBy: z.array(z.object({ device: z.string(), facts: z.number().int() })).optional(),
    })
    .nullish(),
  /** The hub set this device out of order: visitors are sent to the team. A tapped badge is still captured. */
  outOfOrder: z.boolean().optional(),
  /** The hub's message to the team, with its time in Unix milliseconds, until staff dismiss it. */
  staffMessage: z.object({ text: z.string(), at: z.number() }).nullish(),
  network: z.enum(['unknown', 'online', 'offline']),
  storage: storageSchema,
  clock: clockStateSchema,
  /** Share of recent requests that the platform answered with 429. */
  busyShare: z.number(),
  leads: z.number().int(),
  /**
   * Leads of other partners on this device (docs/laws.md#law-14), to export or to keep sealed. `partner` is null for
   * leads without a partner. `asks` while staff have not decided.
   */
  sealed: z
    .array(
      z.object({
        partner: z.string().nullable(),
        name: z.string().nullable(),
        leads: z.number().int(),
        asks: z.boolean(),
      }),
    )
    .optional(),
});

export type DiskEncryption = z.infer<typeof diskEncryptionSchema>;
export type DeviceState = z.infer<typeof deviceStateSchema>;
export type TouchpointChoice = z.infer<typeof touchpointChoiceSchema>;
export type CodePad = z.infer<typeof codePadSchema>;
export type Purpose = z.infer<typeof purposeSchema>;
export type Pause = z.infer<typeof pauseSchema>;
export type Storage = z.infer<typeof storageSchema>;
