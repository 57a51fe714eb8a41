/**
 * The one list of what a screen may ask and what it is told. Both shells carry exactly this.
 *
 * Invariants: every input and output is validated; streams are event iterators; nothing here gives a key,
 * a path or another visitor's data; what `leads`, `delivery`, `mirror` and most of `staff` give is refused to a page that
 * is not signed in.
 */
import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { deliveryCalls } from './delivery.ts';
import { deviceStateSchema, purposeSchema, touchpointChoiceSchema } from './device.ts';
import { erasureCalls } from './erasure.ts';
import { exportCalls } from './exports.ts';
import { healthSchema } from './health.ts';
import { importCalls } from './imports.ts';
import { leadCalls } from './lead-calls.ts';
import { rehearsalCalls } from './rehearsal.ts';
import { setupCalls } from './setup.ts';
import {
  memberSchema,
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

/** What a kiosk answers. */
export const kioskContract = {
  device: {
    /** The device's state now and after every change (at most ten a second). */
    watch: oc.output(eventIterator(deviceStateSchema)),
    /** The touchpoints of the event this device could be, by partner and name. */
    touchpoints: oc.output(z.array(touchpointChoiceSchema)),
    /** Makes the device one of them, while nobody said which one it is. `done` is false otherwise. */
    choose: oc.input(z.object({ touchpoint: z.string().max(200) })).output(z.object({ done: z.boolean() })),
  },
  taps: {
    /**
     * Taps from now on, after the outcomes of the last two minutes that nobody watched. A tap told late may be taken back
     * from then on.
     */
    watch: oc.output(eventIterator(tapEventSchema)),
    /**
     * Text from a keyboard scanner, a typed code or a camera. The outcome comes over `watch` like any tap's.
     * Text is cut at 4,096 characters by the caller; longer input is refused.
     */
    enter: oc
      .input(z.object({ text: z.string().max(4096), source: z.enum(['wedge', 'manual', 'qr']) }))
      .output(z.object({ taken: z.boolean() })),
    /** Takes back what the fact recorded. `done` is false when the time is over or the fact is unknown. */
    undo: oc.input(z.object({ factId })).output(z.object({ done: z.boolean() })),
  },
  stand: {
    /** What the stand offers, now and after every change. */
    watch: oc.output(eventIterator(standSchema)),
  },
  offer: {
    /** Contents of the partner, profile first, then by name; `search` matches name and texts. */
    list: oc
      .input(
        z.object({
          search: z.string().max(200).default(''),
          offset: z.number().int().min(0).default(0),
          limit: z.number().int().min(1).max(100).default(24),
        }),
      )
      .output(z.object({ items: z.array(offerItemSchema), total: z.number().int() })),
    /** A picture by its name; null when it is not here (yet) or broken. `large`: for one card alone. */
    picture: oc
      .input(z.object({ id: z.string().max(200), size: z.enum(['small', 'large']) }))
      .output(pictureSchema.nullable()),
  },
  /**
   * What a visitor adds to a tap of this run. `factId` names the tap; each is open for two minutes after the last of
   * them, and closed by `end` and by taking the tap back. `kept` is true only after the commit returned.
   */
  session: {
    /** Answers to the consents, asked or not; `language` is that of the notice as shown. */
    consent: oc
      .input(z.object({ factId, language, agreed: z.record(z.string().max(60), z.boolean()) }))
      .output(z.object({ kept: z.boolean() })),
    answer: oc
      .input(z.object({ factId, language, question: z.string().max(60), answer: answerSchema }))
      .output(z.object({ kept: z.boolean() })),
    /** The visitor would rather not answer: the question is not asked again. */
    skip: oc
      .input(z.object({ factId, question: z.string().max(60) }))
      .output(z.object({ kept: z.boolean() })),
    /** Takes a content along, or puts it back. */
    collect: oc
      .input(z.object({ factId, content: z.string().max(200), take: z.boolean() }))
      .output(z.object({ kept: z.boolean() })),
    /**
     * Asks for the confirmation e-mail again. `sent`: the platform sent it. `queued`: it will be asked for when the
     * network is back. `impossible`: not for this visitor, or the platform refused.
     */
    email: oc
      .input(z.object({ factId }))
      .output(z.object({ state: z.enum(['sent', 'queued', 'impossible']) })),
    /** The visitor is done: nothing more is taken for this tap. */
    end: oc.input(z.object({ factId })).output(z.object({ ended: z.boolean() })),
  },
  /** The way of the stand team to its pages. All but the first five are refused to a page that is not signed in. */
  staff: {
    /** The entry as this page stands before it, now and after every change. */
    watch: oc.output(eventIterator(staffStateSchema)),
    /** The first PIN of this stand. `chosen` is false where there is one already. */
    choosePin: oc
      .input(z.object({ pin: pinSchema, name: staffNameSchema }))
      .output(z.object({ chosen: z.boolean() })),
    signIn: oc.input(z.object({ pin: z.string().max(12) })).output(signInSchema),
    /** Signs in with the ticket of a staff badge that was just tapped (`taps.watch`). */
    redeem: oc.input(z.object({ ticket: z.string().max(64) })).output(z.object({ in: z.boolean() })),
    /** Ends the session of this page. `off`: whoever it was is not at work any more. */
    lock: oc.input(z.object({ off: z.boolean() })).output(z.object({ locked: z.boolean() })),
    /** Somebody is at the page. */
    touch: oc.output(z.object({ open: z.boolean() })),
    /** Says who of the team is signed in. */
    identify: oc.input(z.object({ member: z.string().max(64) })).output(z.object({ done: z.boolean() })),
    changePin: oc.input(z.object({ pin: pinSchema })).output(z.object({ changed: z.boolean() })),
    team: oc.output(teamSchema),
    addMember: oc.input(z.object({ name: staffNameSchema })).output(memberSchema),
    removeMember: oc.input(z.object({ member: z.string().max(64) })).output(teamSchema),
    /** The next badge that is tapped is this member's; null: none any more. */
    awaitBadge: oc.input(z.object({ member: z.string().max(64).nullable() })).output(teamSchema),
    removeBadge: oc.input(z.object({ badge: z.string().max(64) })).output(teamSchema),
  },
  leads: leadCalls,
  health: {
    /** Whether this device can work at the stand now, and why not. */
    read: oc.output(healthSchema),
  },
  exports: exportCalls,
  imports: importCalls,
  erasure: erasureCalls,
  delivery: deliveryCalls,
  hub: {
    /** The team has read what the hub had to say. `done` is false where there was nothing. */
    putAway: oc.output(z.object({ done: z.boolean() })),
  },
  mirror: {
    /** Compares the whole mirror with the platform now. */
    reconcile: oc.output(z.object({ begun: z.boolean() })),
    /** Allows the removal that `asks` tells of, for one resource; the technician alone may. */
    approveRemoval: oc
      .input(z.object({ resource: z.string().max(40) }))
      .output(z.object({ approved: z.boolean() })),
  },
  demo: {
    /** The demo tray; empty outside the demo event. */
    badges: oc.output(z.array(demoBadgeSchema)),
    /** Taps a demo badge as if it lay on a reader. `taken` is false outside the demo event. */
    tap: oc.input(z.object({ code: z.string().max(64) })).output(z.object({ taken: z.boolean() })),
    /** Turns this device into a touchpoint of another purpose. `done` is false outside the demo event. */
    become: oc.input(z.object({ purpose: purposeSchema })).output(z.object({ done: z.boolean() })),
  },
};

/** All of it: what a kiosk answers, and what is asked where there may be none yet. */
export const contract = { ...kioskContract, setup: setupCalls, rehearsal: rehearsalCalls };
