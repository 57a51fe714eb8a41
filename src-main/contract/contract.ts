/**
 * All calls and streams of a page. Both shells provide exactly these.
 *
 * Invariants:
 * - Every input and output is validated.
 * - Streams are event iterators.
 * - No call returns a path. Only `setup` can return a key: the one in a set-up file.
 * - No call of the visitor's screen returns a complete record of a visitor.
 * - A page that is not signed in can use only `device`, `taps`, `stand`, `offer`, `session`, `demo`, a part of `staff`
 *   and a part of `setup`.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { deliveryCalls } from './delivery.ts';
import { destinationCalls } from './destinations.ts';
import { deviceStateSchema, purposeSchema, touchpointChoiceSchema } from './device.ts';
import { erasureCalls } from './erasure.ts';
import { exportCalls } from './exports.ts';
import { healthSchema } from './health.ts';
import { importCalls } from './imports.ts';
import { leadCalls } from './lead-calls.ts';
import { phoneCalls } from './phones.ts';
import { rehearsalCalls } from './rehearsal.ts';
import { setupCalls } from './setup.ts';
import {
  memberEmailSchema,
  memberSchema,
  pinRefusalSchema,
  pinSchema,
  signInSchema,
  staffNameSchema,
  staffStateSchema,
  teamSchema,
} from './staff.ts';
import { answerSchema, offerItemSchema, pictureSchema, standSchema } from './stand.ts';
import { demoBadgeSchema, tapEventSchema } from './tap.ts';

const factId = z.string().max(64);
const language = z.string().max(35);

/** The calls of a running device. */
export const kioskContract = {
  device: {
    /** The state of the device now and after every change, at most ten per second. */
    watch: oc.output(eventIterator(deviceStateSchema)),
    /** The touchpoints of the event from which staff can choose, by partner and name. */
    touchpoints: oc.output(z.array(touchpointChoiceSchema)),
    /**
     * Assigns a touchpoint to a device without one. Otherwise `done` is false. A page that is not signed in must give
     * the PIN of the team, if one is set; `pin`: why it was refused.
     */
    choose: oc
      .input(z.object({ touchpoint: z.string().max(200), pin: z.string().max(12).optional() }))
      .output(z.object({ done: z.boolean(), pin: pinRefusalSchema.optional() })),
  },
  taps: {
    /**
     * The outcomes of the last two minutes that no page received, then the later ones. The time for an undo of a late
     * outcome starts when it is delivered. Outcomes carry an id: a page that returns with the id of its last
     * event gets the later ones.
     */
    watch: oc.output(eventIterator(tapEventSchema)),
    /**
     * Text from a keyboard scanner, a typed code or a camera. `watch` delivers the outcome, as for any tap.
     * The caller truncates the text to 4,096 characters. Longer input is refused.
     */
    enter: oc
      .input(z.object({ text: z.string().max(4096), source: z.enum(['wedge', 'manual', 'qr']) }))
      .output(z.object({ taken: z.boolean() })),
    /** Undoes the tap of this fact and its additions. `done` is false after the time limit or for an unknown fact. */
    undo: oc.input(z.object({ factId })).output(z.object({ done: z.boolean() })),
  },
  stand: {
    /** The stand's offer now, and again after every change. */
    watch: oc.output(eventIterator(standSchema)),
  },
  offer: {
    /** Contents of the partner, profile first, then by name. `search` matches name and texts. */
    list: oc
      .input(
        z.object({
          search: z.string().max(200).default(''),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(100).default(24),
        }),
      )
      .output(z.object({ items: z.array(offerItemSchema), total: z.number().int() })),
    /** A picture by its name. Null when it is missing or broken. `large`: for a single card. */
    picture: oc
      .input(z.object({ id: z.string().max(200), size: z.enum(['small', 'large']) }))
      .output(pictureSchema.nullable()),
  },
  /**
   * A visitor's additions to a tap. `factId` is the tap's fact. The session stays open for two minutes after the last
   * addition, until `end`, or until the tap is undone. `kept` is true only after the commit returned.
   */
  session: {
    /**
     * Answers to the consents, including consents that were not shown. `language` is that of the displayed notice.
     */
    consent: oc
      .input(z.object({ factId, language, agreed: z.record(z.string().max(60), z.boolean()) }))
      .output(z.object({ kept: z.boolean() })),
    answer: oc
      .input(z.object({ factId, language, question: z.string().max(60), answer: answerSchema }))
      .output(z.object({ kept: z.boolean() })),
    /** The visitor skips the question, which is not asked again. */
    skip: oc
      .input(z.object({ factId, question: z.string().max(60) }))
      .output(z.object({ kept: z.boolean() })),
    /** Collects a content, or returns it. */
    collect: oc
      .input(z.object({ factId, content: z.string().max(200), take: z.boolean() }))
      .output(z.object({ kept: z.boolean() })),
    /**
     * Requests the confirmation e-mail again. `sent`: the platform sent it. `queued`: it is requested when the
     * network is back. `impossible`: not for this visitor, or the platform refused.
     */
    email: oc
      .input(z.object({ factId }))
      .output(z.object({ state: z.enum(['sent', 'queued', 'impossible']) })),
    /** Ends the additions to this tap. */
    end: oc.input(z.object({ factId })).output(z.object({ ended: z.boolean() })),
  },
  /** Access of the stand team to its pages. A page that is not signed in may use only the first five calls. */
  staff: {
    /** The state of the entry for this page now, and again after every change. */
    watch: oc.output(eventIterator(staffStateSchema)),
    /** Sets the first PIN of this stand. `chosen` is false if there already is one. */
    choosePin: oc
      .input(z.object({ pin: pinSchema, name: staffNameSchema }))
      .output(z.object({ chosen: z.boolean() })),
    signIn: oc.input(z.object({ pin: z.string().max(12) })).output(signInSchema),
    /** Signs in with the ticket of a staff badge that was just tapped (`taps.watch`). */
    redeem: oc.input(z.object({ ticket: z.string().max(64) })).output(z.object({ in: z.boolean() })),
    /** Ends the session of this page. `off`: the member is no longer on duty. */
    lock: oc.input(z.object({ off: z.boolean() })).output(z.object({ locked: z.boolean() })),
    /** Reports activity on the page. */
    touch: oc.output(z.object({ open: z.boolean() })),
    /** Sets the signed-in member. */
    identify: oc.input(z.object({ member: z.string().max(64) })).output(z.object({ done: z.boolean() })),
    changePin: oc.input(z.object({ pin: pinSchema })).output(z.object({ changed: z.boolean() })),
    team: oc.output(teamSchema),
    addMember: oc.input(z.object({ name: staffNameSchema })).output(memberSchema),
    setEmail: oc.input(z.object({ member: z.string().max(64), email: memberEmailSchema })).output(teamSchema),
    removeMember: oc.input(z.object({ member: z.string().max(64) })).output(teamSchema),
    /** Assigns the next tapped badge to this member. Null cancels that. */
    awaitBadge: oc.input(z.object({ member: z.string().max(64).nullable() })).output(teamSchema),
    removeBadge: oc.input(z.object({ badge: z.string().max(64) })).output(teamSchema),
  },
  leads: leadCalls,
  health: {
    /** Whether this device can work at the stand now, and if not, why. */
    read: oc.output(healthSchema),
  },
  exports: exportCalls,
  imports: importCalls,
  erasure: erasureCalls,
  delivery: deliveryCalls,
  destinations: destinationCalls,
  hub: {
    /** Dismisses the hub's message. `done` is false if there was none. */
    putAway: oc.output(z.object({ done: z.boolean() })),
  },
  mirror: {
    /** Compares the complete mirror with the platform now. */
    reconcile: oc.output(z.object({ begun: z.boolean() })),
    /** Lets the next comparison remove any number of records of a resource in `asks`. For the technician only. */
    approveRemoval: oc
      .input(z.object({ resource: z.string().max(40) }))
      .output(z.object({ approved: z.boolean() })),
  },
  demo: {
    /** The demo badges. Empty outside the demo event. */
    badges: oc.output(z.array(demoBadgeSchema)),
    /** Taps a demo badge like a badge on a reader. `taken` is false outside the demo event. */
    tap: oc.input(z.object({ code: z.string().max(64) })).output(z.object({ taken: z.boolean() })),
    /** Changes the purpose of this device. `done` is false outside the demo event. */
    become: oc.input(z.object({ purpose: purposeSchema })).output(z.object({ done: z.boolean() })),
  },
};

/** The complete contract: the calls of a running device, its set-up, rehearsal and phones. */
export const contract = {
  ...kioskContract,
  setup: setupCalls,
  rehearsal: rehearsalCalls,
  phones: phoneCalls,
};
