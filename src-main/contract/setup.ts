/**
 * Set-up of the device on its screen: its event, its stand, and the content of `stand.json`.
 *
 * Invariants:
 * - A stored key is never returned, except in a file that was requested with the key. The same applies to PINs.
 * - Nothing is guessed. All choices come from the platform.
 * - Only `save`, `enrol` and the calls of `sharing` change the set-up.
 * - All calls except `watch` are for the technician, unless the device needs its set-up and has no PIN yet.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import {
  cardServiceSchema,
  diskEncryptionSchema,
  pauseSchema,
  purposeSchema,
  readerSchema,
} from './device.ts';
import { hotRuleSchema } from './leads.ts';
import { sharingCalls } from './sharing.ts';
import { pinSchema, staffNameSchema } from './staff.ts';
import {
  consentPurposeSchema,
  formQuestionSchema,
  noticeSchema,
  pictureSchema,
  questionSchema,
  screenSetupSchema,
  textsSchema,
} from './stand.ts';

/**
 * The complete content of `stand.json` (docs/stand-settings.md). `logo` and `attract` name files beside it. The core
 * validates it more strictly.
 */
const standDraftSchema = z.object({
  touchpoint: z.string().max(200).nullable(),
  headline: textsSchema.nullable(),
  notice: noticeSchema.nullable(),
  consents: z.array(consentPurposeSchema).max(5),
  questions: z.array(questionSchema).max(3),
  form: z.array(formQuestionSchema).max(12),
  brand: z.object({ colour: z.string().max(20).nullable(), logo: z.string().max(2_000).nullable() }),
  attract: z.string().max(2_000).nullable(),
  screen: screenSetupSchema,
  letter: z.object({
    subject: textsSchema.nullable(),
    text: z.record(z.string().max(35), z.string().max(5_000)).nullable(),
    signatures: z.array(z.object({ name: z.string().max(200), text: z.string().max(1_000) })).max(50),
  }),
  hot: hotRuleSchema,
  retentionDays: z.number().nullable(),
  undoSeconds: z.number(),
  door: z.object({ asks: z.boolean(), notice: noticeSchema.shape.texts.optional() }),
  showCompany: z.boolean(),
  email: z.boolean(),
});

const expo = z.string().regex(/^[\w-]{1,64}$/);

/** Address of the platform, and the key. Null means the stored key. */
const accessSchema = z.object({
  address: z.string().max(2_000),
  key: z.string().trim().max(500).nullable(),
  privateHttp: z.boolean(),
});

/**
 * Why the platform could not be queried. `busy`, `noAnswer`: try again. `insecure`: not https. `noAddress`: not a web
 * address. `companyOnly`: the key reads one company's contacts and no touchpoint. `notEncrypted`: an https address with
 * a port that answers without encryption.
 */
const accessRefusalSchema = z.enum([
  ...pauseSchema.options,
  ...([
    'busy',
    'noAnswer',
    'insecure',
    'privateAddress',
    'noAddress',
    'noKey',
    'companyOnly',
    'notEncrypted',
  ] as const),
]);

const refused = z.object({ kind: z.literal('refused'), reason: accessRefusalSchema });

/** An event that the key may read. */
const eventChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
});

const keyCheckSchema = z.discriminatedUnion('kind', [
  refused,
  z.object({ kind: z.literal('events'), events: z.array(eventChoiceSchema) }),
]);

/**
 * Rights of a key in an event, determined by test requests. `noScans` in `send`: the platform accepts no scans from
 * devices.
 */
export const rightsSchema = z.object({
  people: z.boolean(),
  /** Other resources that the key may not read. A stand works without them. */
  lacks: z.array(z.enum(['partners', 'contents', 'activities', 'labels'])),
  send: z.enum(['yes', 'no', 'noScans', 'unknown']),
});

const eventCheckSchema = z.discriminatedUnion('kind', [
  refused,
  z.object({
    kind: z.literal('event'),
    rights: rightsSchema,
    partners: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        stand: z.string().nullable(),
        colour: z.string().nullable(),
      }),
    ),
    touchpoints: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Null for a purpose that this version does not support. */
        purpose: purposeSchema.nullable(),
        partner: z.string().nullable(),
      }),
    ),
  }),
]);

/** Whether the key reads the connections of one partner. `no`: it may be the key of another company. */
const partnerCheckSchema = z.object({ connections: z.enum(['yes', 'no', 'unknown']) });

/**
 * `needed`: the event of this device is not set. `failed`: why it cannot start with the saved set-up, as text.
 * `given`: the upload of a file that the app was opened with, until `take` uses it.
 */
const setupStateSchema = z.object({
  mode: z.enum(['needed', 'running']),
  failed: z.string().nullable(),
  given: z.string().nullable(),
});

/** Source of the event: start options, the screen, or the demo. */
const accessOriginSchema = z.enum(['start', 'screen', 'demo']);

/** A picture of the attract loop, or a film (without a picture). */
const attractFileSchema = z.object({ name: z.string(), picture: pictureSchema.nullable() });

/**
 * The stored set-up. `version` names the state of `stand.json` that was read. With `faults`, as text, that file is
 * invalid and `stand` is what the device uses.
 */
const setupSchema = z.object({
  access: z
    .object({ address: z.string(), expo: z.string(), privateHttp: z.boolean(), origin: accessOriginSchema })
    .nullable(),
  stand: standDraftSchema,
  version: z.string(),
  faults: z.array(z.string()),
  logo: pictureSchema.nullable(),
  attract: z.array(attractFileSchema),
  /** Where a key is stored here: in the keychain, or in a file for the given reason. */
  keyPlace: z.enum(['keychain', 'none', 'plainText', 'unreachable']),
  pins: z.object({ team: z.boolean(), technician: z.boolean() }),
  /** Whether the disk for the leads is encrypted. */
  encryption: diskEncryptionSchema,
});

/** An uploaded file (`put`), or an existing one. */
const fileChoiceSchema = z.object({ name: z.string().max(200), upload: z.string().max(64).nullable() });

/** The set-up to save. For files, null means unchanged. */
const setupDraftSchema = z.object({
  access: accessSchema.extend({ expo }).nullable(),
  stand: standDraftSchema,
  logo: z.object({ upload: z.string().max(64).nullable() }).nullable(),
  attract: z.array(fileChoiceSchema).max(50).nullable(),
  /** Typed, or those of an uploaded set-up file. */
  pins: z
    .union([
      z.object({ name: staffNameSchema, team: pinSchema, technician: pinSchema }),
      z.object({ upload: z.string().max(64) }),
    ])
    .nullable(),
});

/**
 * `saved`: `aside` names the file with the previous content of `stand.json`, if someone else had changed it.
 * `changed`: `stand.json` changed since it was read. `faults`: invalid values, as text. `otherEvent`: this device
 * holds facts of the event `kept`. Only `saved` changes anything.
 */
const setupSavedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), aside: z.string().nullable() }),
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('faults'), faults: z.array(z.string()) }),
  z.object({ kind: z.literal('otherEvent'), kept: z.string() }),
  z.object({ kind: z.literal('refused'), reason: z.enum(['disk', 'access', 'pins', 'upload']) }),
]);

/**
 * Why a file was not accepted. For a hub's file: `otherHub` (not the hub of this device), `early` (a clock is wrong),
 * `startSays` (the start options already set up this device), `noDevice`, `insecure`, `used`, `revoked`, `noHub`,
 * `wrongHub` (the hub that answers did not write the file), `noAnswer`.
 */
const setupFileRefusalSchema = z.enum([
  ...(['notOurs', 'cut', 'altered', 'newer', 'otherEvent', 'unsound', 'disk'] as const),
  ...(['otherHub', 'early', 'expired', 'startSays', 'noDevice', 'insecure'] as const),
  ...(['used', 'revoked', 'noHub', 'wrongHub', 'noStand', 'noAnswer'] as const),
]);

const fileRefusedSchema = z.object({
  kind: z.literal('refused'),
  reason: setupFileRefusalSchema,
  faults: z.array(z.string()),
});

/** `hub`: a hub's file, with which this device can be enrolled as one of `devices`. */
const setupTakenSchema = z.discriminatedUnion('kind', [
  fileRefusedSchema,
  z.object({
    kind: z.literal('hub'),
    upload: z.string(),
    hub: z.string(),
    /** Fingerprint of the hub that signed it, to compare with the hub's display. */
    fingerprint: z.string(),
    devices: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  z.object({
    kind: z.literal('setup'),
    address: z.string(),
    expo: z.string(),
    privateHttp: z.boolean(),
    /** Null if the file contains none. */
    key: z.string().nullable(),
    stand: standDraftSchema,
    /** The upload that a draft must name so that the PINs in the file are saved. Null if the file contains none. */
    pins: z.string().nullable(),
    logo: z.object({ upload: z.string(), picture: pictureSchema.nullable() }).nullable(),
    attract: z.array(z.object({ upload: z.string(), name: z.string(), picture: pictureSchema.nullable() })),
  }),
]);

/** Result of an enrolment: the hub accepted this device and it starts to work, or the reason why not. */
const hubEnrolledSchema = z.discriminatedUnion('kind', [
  fileRefusedSchema,
  z.object({ kind: z.literal('enrolled') }),
]);

/** The state of the readers during a reader test. `tail`: the last characters of the tapped badge's number. */
const readerTestSchema = z.object({
  cardService: cardServiceSchema,
  readers: z.array(readerSchema),
  tapped: z.object({ reader: z.string(), tail: z.string(), at: z.number() }).nullable(),
});

export const setupCalls = {
  watch: oc.output(eventIterator(setupStateSchema)),
  read: oc.output(setupSchema),
  /** The events that the key may read, or why it cannot be checked. */
  checkKey: oc.input(accessSchema).output(keyCheckSchema),
  /** The rights of the key in an event, and the touchpoints from which staff can choose. */
  checkEvent: oc.input(accessSchema.extend({ expo })).output(eventCheckSchema),
  checkPartner: oc
    .input(accessSchema.extend({ expo, partner: z.string().max(200) }))
    .output(partnerCheckSchema),
  /** The state of the readers. While this stream is read, a tap is a test and not a lead. */
  reader: oc.output(eventIterator(readerTestSchema)),
  /** A piece of a file in base64. The first piece has no upload id. Null if the file is too large. */
  put: oc
    .input(z.object({ upload: z.string().max(64).nullable(), bytes: z.string().max(360_000) }))
    .output(z.object({ upload: z.string().nullable() })),
  /** An uploaded picture, re-encoded. Null if the file is not a picture. */
  picture: oc.input(z.object({ upload: z.string().max(64) })).output(pictureSchema.nullable()),
  /** `force`: also if `stand.json` changed in the meantime. Its previous content is saved beside it. */
  save: oc
    .input(z.object({ draft: setupDraftSchema, version: z.string().max(100), force: z.boolean() }))
    .output(setupSavedSchema),
  /** The complete stored set-up, as one file. */
  write: oc
    .input(z.object({ withKey: z.boolean(), withPins: z.boolean() }))
    .output(eventIterator(z.object({ bytes: z.string(), name: z.string() }))),
  /** The page may use the camera to read codes while it reads this stream, from the first message on. */
  camera: oc.output(eventIterator(z.object({ allowed: z.literal(true) }))),
  /** Reads the code on a hub's printed sheet, as `take` reads the hub's file. */
  takeCode: oc.input(z.object({ code: z.string().max(8_000) })).output(setupTakenSchema),
  /** Reads an uploaded set-up file. Changes nothing. */
  take: oc.input(z.object({ upload: z.string().max(64) })).output(setupTakenSchema),
  /** Enrols this device at the hub of an uploaded file, as one of its devices. */
  enrol: oc
    .input(z.object({ upload: z.string().max(64), device: z.string().max(64) }))
    .output(hubEnrolledSchema),
  sharing: sharingCalls,
};

export type StandDraft = z.infer<typeof standDraftSchema>;
export type AccessRefusal = z.infer<typeof accessRefusalSchema>;
export type EventChoice = z.infer<typeof eventChoiceSchema>;
export type KeyCheck = z.infer<typeof keyCheckSchema>;
export type EventCheck = z.infer<typeof eventCheckSchema>;
export type PartnerCheck = z.infer<typeof partnerCheckSchema>;
export type Rights = z.infer<typeof rightsSchema>;
export type SetupState = z.infer<typeof setupStateSchema>;
export type Setup = z.infer<typeof setupSchema>;
export type SetupDraft = z.infer<typeof setupDraftSchema>;
export type SetupSaved = z.infer<typeof setupSavedSchema>;
export type SetupTaken = z.infer<typeof setupTakenSchema>;
export type HubEnrolled = z.infer<typeof hubEnrolledSchema>;
export type SetupFileRefusal = z.infer<typeof setupFileRefusalSchema>;
export type ReaderTest = z.infer<typeof readerTestSchema>;
