/**
 * Setting the device up on its screen: the event it works for, whose stand it is, and what `stand.json` holds.
 *
 * Invariants: a key goes in and never comes out again, but in a file that was asked for with it; nothing is guessed, what can be
 * chosen comes from the platform; nothing is changed before `save` says so; once a PIN was chosen, all but `watch` is for
 * the technician.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { cardServiceSchema, pauseSchema, purposeSchema, readerSchema } from './device.ts';
import { hotRuleSchema } from './leads.ts';
import { pinSchema, staffNameSchema } from './staff.ts';
import {
  consentPurposeSchema,
  noticeSchema,
  pictureSchema,
  questionSchema,
  screenSetupSchema,
  textsSchema,
} from './stand.ts';

/**
 * Everything `stand.json` can say (docs/stand-settings.md), complete. `logo` and `attract` name files beside it; the core
 * reads it more strictly than this.
 */
export const standDraftSchema = z.object({
  touchpoint: z.string().max(200).nullable(),
  headline: textsSchema.nullable(),
  notice: noticeSchema.nullable(),
  consents: z.array(consentPurposeSchema).max(5),
  questions: z.array(questionSchema).max(3),
  brand: z.object({ colour: z.string().max(20).nullable(), logo: z.string().max(2_000).nullable() }),
  attract: z.string().max(2_000).nullable(),
  screen: screenSetupSchema,
  hot: hotRuleSchema,
  retentionDays: z.number().nullable(),
  undoSeconds: z.number(),
  door: z.object({ asks: z.boolean() }),
  showCompany: z.boolean(),
  email: z.boolean(),
});

const expo = z.string().regex(/^[\w-]{1,64}$/);

/** Where the platform is and by which key it is asked; null: the key that is kept here. */
const accessSchema = z.object({
  address: z.string().max(2_000),
  key: z.string().max(500).nullable(),
  privateHttp: z.boolean(),
});

/**
 * Why the platform could not be asked. `busy`, `noAnswer`: try again; `insecure`: not https; `noAddress`: no web address;
 * `companyOnly`: the key reads one company's contacts and no touchpoint.
 */
export const accessRefusalSchema = z.enum([
  ...pauseSchema.options,
  ...(['busy', 'noAnswer', 'insecure', 'privateAddress', 'noAddress', 'noKey', 'companyOnly'] as const),
]);

const refused = z.object({ kind: z.literal('refused'), reason: accessRefusalSchema });

/** An event the key may see. */
export const eventChoiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  start: z.string().nullable(),
  end: z.string().nullable(),
});

export const keyCheckSchema = z.discriminatedUnion('kind', [
  refused,
  z.object({ kind: z.literal('events'), events: z.array(eventChoiceSchema) }),
]);

/** What a key may do in an event, found out by asking. `send`: `noScans`: the platform takes none from devices. */
export const rightsSchema = z.object({
  people: z.boolean(),
  /** What else of the event it may not read; a stand works without. */
  lacks: z.array(z.enum(['partners', 'contents', 'activities', 'labels'])),
  send: z.enum(['yes', 'no', 'noScans', 'unknown']),
});

export const eventCheckSchema = z.discriminatedUnion('kind', [
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
        /** Null: one that this version does not know. */
        purpose: purposeSchema.nullable(),
        partner: z.string().nullable(),
      }),
    ),
  }),
]);

/** Whether the key reads the connections of one partner; `other`: it is the key of another company. */
export const partnerCheckSchema = z.object({ connections: z.enum(['yes', 'no', 'unknown']) });

/**
 * `needed`: nobody said yet which event this device works for. `failed`: why it cannot begin with what was saved, in words.
 * `given`: the upload of a file that was given to the app, until `take` took it.
 */
export const setupStateSchema = z.object({
  mode: z.enum(['needed', 'running']),
  failed: z.string().nullable(),
  given: z.string().nullable(),
});

/** Who said which event this is: the options of the start, somebody on the screen, the demo. */
export const accessOriginSchema = z.enum(['start', 'screen', 'demo']);

/** A picture of the attract loop, or a film (without a picture). */
const attractFileSchema = z.object({ name: z.string(), picture: pictureSchema.nullable() });

/**
 * The set-up as it is kept. `version` names the state of `stand.json` this was read from; with `faults`, in words, that
 * file cannot be used and `stand` is what the device works with.
 */
export const setupSchema = z.object({
  access: z
    .object({ address: z.string(), expo: z.string(), privateHttp: z.boolean(), origin: accessOriginSchema })
    .nullable(),
  stand: standDraftSchema,
  version: z.string(),
  faults: z.array(z.string()),
  logo: pictureSchema.nullable(),
  attract: z.array(attractFileSchema),
  /** Where a key is kept here: in the keychain, or in a file because of that. */
  keyPlace: z.enum(['keychain', 'none', 'plainText', 'unreachable']),
  pins: z.object({ team: z.boolean(), technician: z.boolean() }),
});

/** A file that was put here by `put`, or one that is there already. */
const fileChoiceSchema = z.object({ name: z.string().max(200), upload: z.string().max(64).nullable() });

/** What is to be kept. Of files: null leaves them as they are. */
export const setupDraftSchema = z.object({
  access: accessSchema.extend({ expo }).nullable(),
  stand: standDraftSchema,
  logo: z.object({ upload: z.string().max(64).nullable() }).nullable(),
  attract: z.array(fileChoiceSchema).max(50).nullable(),
  pins: z.object({ name: staffNameSchema, team: pinSchema, technician: pinSchema }).nullable(),
});

/**
 * `saved`: `aside` names the file that what stood in `stand.json` was put into, where somebody else had changed it.
 * `changed`: somebody changed `stand.json` since it was read. `faults`: what it cannot say, in words. `otherEvent`: this
 * device holds what was captured for the event `kept`. Nothing was changed but where it is `saved`.
 */
export const setupSavedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('saved'), aside: z.string().nullable() }),
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('faults'), faults: z.array(z.string()) }),
  z.object({ kind: z.literal('otherEvent'), kept: z.string() }),
  z.object({ kind: z.literal('refused'), reason: z.enum(['disk', 'access', 'pins', 'upload']) }),
]);

/**
 * Why nothing of a file was taken. Of a hub's file: `otherHub` (not the one this device belongs to), `early` (a clock is
 * wrong), `startSays` (this device is set up where it is started), `noDevice`, `insecure`, `used`, `revoked`, `noHub`,
 * `wrongHub` (another hub than the one that wrote it answers), `noAnswer`.
 */
export const setupFileRefusalSchema = z.enum([
  ...(['notOurs', 'cut', 'altered', 'newer', 'otherEvent', 'unsound', 'disk'] as const),
  ...(['otherHub', 'early', 'expired', 'startSays', 'noDevice', 'insecure'] as const),
  ...(['used', 'revoked', 'noHub', 'wrongHub', 'noStand', 'noAnswer'] as const),
]);

const fileRefusedSchema = z.object({
  kind: z.literal('refused'),
  reason: setupFileRefusalSchema,
  faults: z.array(z.string()),
});

/** `hub`: the file of a hub in the hall, by which this device can be one of `devices`. */
export const setupTakenSchema = z.discriminatedUnion('kind', [
  fileRefusedSchema,
  z.object({
    kind: z.literal('hub'),
    upload: z.string(),
    hub: z.string(),
    /** Of the hub that signed, to be compared with what it shows. */
    fingerprint: z.string(),
    devices: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  z.object({
    kind: z.literal('setup'),
    address: z.string(),
    expo: z.string(),
    privateHttp: z.boolean(),
    /** Null: the file holds none. */
    key: z.string().nullable(),
    stand: standDraftSchema,
    logo: z.object({ upload: z.string(), picture: pictureSchema.nullable() }).nullable(),
    attract: z.array(z.object({ upload: z.string(), name: z.string(), picture: pictureSchema.nullable() })),
  }),
]);

/** A hub took this device in, and it begins to work for it; or why not. */
export const hubEnrolledSchema = z.discriminatedUnion('kind', [
  fileRefusedSchema,
  z.object({ kind: z.literal('enrolled') }),
]);

/** What the readers say while somebody tries them. `tail`: the end of the tapped badge's number. */
export const readerTestSchema = z.object({
  cardService: cardServiceSchema,
  readers: z.array(readerSchema),
  tapped: z.object({ reader: z.string(), tail: z.string(), at: z.number() }).nullable(),
});

export const setupCalls = {
  watch: oc.output(eventIterator(setupStateSchema)),
  read: oc.output(setupSchema),
  /** The events the key may see, or why it cannot be asked. */
  checkKey: oc.input(accessSchema).output(keyCheckSchema),
  /** What the key may do in an event, and what this device could be there. */
  checkEvent: oc.input(accessSchema.extend({ expo })).output(eventCheckSchema),
  checkPartner: oc
    .input(accessSchema.extend({ expo, partner: z.string().max(200) }))
    .output(partnerCheckSchema),
  /** What the readers say. While this is watched, a tap is for trying and nobody's lead. */
  reader: oc.output(eventIterator(readerTestSchema)),
  /** A piece of a file in base64; the first one names no upload. Null: it is too large. */
  put: oc
    .input(z.object({ upload: z.string().max(64).nullable(), bytes: z.string().max(360_000) }))
    .output(z.object({ upload: z.string().nullable() })),
  /** A picture that was put, drawn anew; null where it is none. */
  picture: oc.input(z.object({ upload: z.string().max(64) })).output(pictureSchema.nullable()),
  /** `force`: also where `stand.json` was changed meanwhile; what it held is put aside. */
  save: oc
    .input(z.object({ draft: setupDraftSchema, version: z.string().max(100), force: z.boolean() }))
    .output(setupSavedSchema),
  /** The whole set-up as it is kept, as one file. */
  write: oc
    .input(z.object({ withKey: z.boolean() }))
    .output(eventIterator(z.object({ bytes: z.string(), name: z.string() }))),
  /** While this is watched the page may use the camera to read codes; it may once it was told so. */
  camera: oc.output(eventIterator(z.object({ allowed: z.literal(true) }))),
  /** Reads the code of a hub's sheet, as `take` reads its file. */
  takeCode: oc.input(z.object({ code: z.string().max(8_000) })).output(setupTakenSchema),
  /** Reads a file of a set-up that was put; nothing is changed. */
  take: oc.input(z.object({ upload: z.string().max(64) })).output(setupTakenSchema),
  /** Has the hub of a file that was put take this device in as one of its devices. */
  enrol: oc
    .input(z.object({ upload: z.string().max(64), device: z.string().max(64) }))
    .output(hubEnrolledSchema),
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
