/**
 * What a screen may know of the device: where it stands, what works, what is delivered.
 *
 * Invariants: no key, no address of the platform with credentials, no personal data of visitors in here.
 */
import { z } from 'zod';

/**
 * The purposes of a touchpoint (docs/interface/undocumented.md#touchpoint). The compiler names each table that needs a row
 * for a new one.
 */
export const purposeSchema = z.enum(['lead', 'content', 'checkin']);

/** Who stands behind this device. */
export const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  stand: z.string().nullable(),
  /** The partner's colour as `#rrggbb`; screens darken or lighten it until it can be read. */
  colour: z.string().max(9).nullish(),
});

/** A connected reader and how its latest insertion went. */
/**
 * A reader that is attached. `interval`: how often it looks for a card, as found when it came and as it is now; absent where it
 * does not say.
 */
export const readerSchema = z.object({
  name: z.string(),
  interval: z.object({ foundMs: z.number(), everyMs: z.number() }).optional(),
});

/**
 * State of the machine's card service. `off`: this start was told to use no reader. `silent`: it is there and hangs.
 * `failing`: it cannot be used, or not from here.
 */
export const cardServiceSchema = z.enum(['off', 'starting', 'up', 'absent', 'silent', 'failing']);

/** How far the local copy of the event is. `count` in records. */
export const mirrorStateSchema = z.object({
  complete: z.boolean(),
  resources: z.array(
    z.object({
      name: z.string(),
      count: z.number().int(),
      complete: z.boolean(),
      /** The key has no right to it. */
      refused: z.boolean().optional(),
    }),
  ),
  /** Share done in [0, 1] and seconds left (null while unknown) of a long first sync; null otherwise. */
  remaining: z.object({ share: z.number(), secondsLeft: z.number().nullable() }).nullable(),
  /** The hub in the hall gives other devices their first copy before this one. */
  waitsForTurn: z.boolean().optional(),
  /** Resources whose last comparison would remove many records and waits for a yes, with how many. */
  asks: z.array(z.object({ name: z.string(), wouldRemove: z.number().int() })),
  /** Epoch milliseconds of the last pass that reached the end, or null. */
  lastPassAt: z.number().nullable(),
});

/** Why nothing is being sent at the moment; null when delivery runs. */
export const pauseSchema = z.enum([
  'noEvent',
  'keyRefused',
  /** It is kept in a keychain that is locked or lost. */
  'keyMissing',
  'forbidden',
  'noWritePermission',
  'addressNotAllowed',
  'wrongClock',
  'takesNoScans',
  'refusesAll',
  'tls',
  /** What answers at the address of the hub holds another key than the hub that set this device up. */
  'wrongHub',
  'addressUnknown',
  'offline',
  'notAPlatform',
]);

/** docs/laws.md#law-2: captured = due + inFlight + uncertain + sent + confirmed + parked. Counts of facts. */
export const deliveryStateSchema = z.object({
  captured: z.number().int(),
  due: z.number().int(),
  inFlight: z.number().int(),
  uncertain: z.number().int(),
  sent: z.number().int(),
  /** Of what is sent, how much is at the hub in the hall and not with the platform yet. */
  atHub: z.number().int().optional(),
  confirmed: z.number().int(),
  parked: z.number().int(),
  /** Of these, how many may be on the platform twice: it does not honour ids, and they were sent again. */
  possiblyTwice: z.number().int().optional(),
  pause: pauseSchema.nullable(),
});

/** Whether taps can be made safe right now. */
export const storageSchema = z.enum(['ok', 'full', 'readOnly', 'failing']);

/** How far our clock is off the platform's; `suspect` when facts carry a time that cannot be right. */
export const clockStateSchema = z.object({ offsetMs: z.number().nullable(), suspect: z.boolean() });

/** A touchpoint this device could be. `partner`: name of whose it is, null for nobody's. */
export const touchpointChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  purpose: purposeSchema,
  partner: z.string().nullable(),
});

/** How codes of this event's badges are typed: digits alone, hex digits, or any letters. */
export const codePadSchema = z.enum(['digits', 'hex', 'letters']);

/** Why the device cannot be the touchpoint it is set to be: not in the event, or of a purpose we do not know. */
export const assignmentFaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing'), touchpoint: z.string() }),
  /** Nobody said whose stand this is; nothing is captured. */
  z.object({ kind: z.literal('unchosen') }),
  /** The notice is of another partner (`named`) than the touchpoint (`partner`); nothing is captured. */
  z.object({ kind: z.literal('otherPartner'), partner: z.string(), named: z.string() }),
  z.object({ kind: z.literal('unknownPurpose'), touchpoint: z.string(), purpose: z.string() }),
]);

/** One consistent picture of the device, sent anew whenever something in it changed. */
export const deviceStateSchema = z.object({
  version: z.string(),
  demo: z.boolean(),
  /** Short name staff can read out, e.g. `B17 left`. */
  deviceName: z.string(),
  event: z.object({ id: z.string(), name: z.string(), timezone: z.string() }).nullable(),
  partner: partnerSchema.nullable(),
  purpose: purposeSchema,
  /** A person must mend it; taps are kept meanwhile, and nothing is delivered. */
  assignmentFault: assignmentFaultSchema.nullish(),
  codePad: codePadSchema.optional(),
  cardService: cardServiceSchema,
  readers: z.array(readerSchema),
  /** Badges since the start whose NDEF message could not be read in time; they were captured by their UID. */
  lostNdef: z.number().int().optional(),
  mirror: mirrorStateSchema,
  delivery: deliveryStateSchema,
  /**
   * The hub in the hall that this device speaks to. `upstream`: whether it reaches the platform, and `since` when (epoch
   * milliseconds); null where there is none.
   */
  hub: z
    .object({
      name: z.string(),
      upstream: z.enum(['unknown', 'online', 'away']),
      since: z.number().nullable(),
      /** Other devices that sent facts of this one, too, and how many: one of the two works on a copy of the other's data. */
      alsoSentBy: z.array(z.object({ device: z.string(), facts: z.number().int() })).optional(),
    })
    .nullish(),
  /** The hub has put this device out of order: visitors are sent to the team; a badge that is tapped all the same is captured. */
  outOfOrder: z.boolean().optional(),
  /** What the hub has to say to the team (epoch milliseconds), until somebody puts it away. */
  staffMessage: z.object({ text: z.string(), at: z.number() }).nullish(),
  network: z.enum(['unknown', 'online', 'offline']),
  storage: storageSchema,
  clock: clockStateSchema,
  /** Share of requests of the last while that the platform answered with "too many" (429). */
  busyShare: z.number(),
  leads: z.number().int(),
  /**
   * Leads of other partners on this device (docs/laws.md#law-14): hand them over, or keep them sealed. `partner` is null
   * for leads that are nobody's; `asks` while nobody said which of the two.
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

export type DeviceState = z.infer<typeof deviceStateSchema>;
export type TouchpointChoice = z.infer<typeof touchpointChoiceSchema>;
export type CodePad = z.infer<typeof codePadSchema>;
export type Purpose = z.infer<typeof purposeSchema>;
export type Pause = z.infer<typeof pauseSchema>;
export type Storage = z.infer<typeof storageSchema>;
