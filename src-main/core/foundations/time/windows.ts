/**
 * How long things stay open at the stand, in milliseconds. The eight seconds of undo are here.
 *
 * Invariant: what a screen shows of these travels in the contract (`undoUntil`), so that no screen has a second number
 * (it only has a ceiling). How long a screen shows what is the screens' own matter (`src-renderer/times.ts`); waits of the
 * loops are in `times.ts`.
 */

/** How long "take it back" is offered on the screen, unless `stand.json` sets another time. */
export const UNDO_MS = 8_000;
/** How long it is offered at least to visitors who chose comfort (`src-renderer/times.ts` has the same); always honoured. */
export const UNDO_WITH_COMFORT_MS = 15_000;
/** How much longer it is honoured: for a finger that was on its way, and for what a visitor reads on the screen. */
export const UNDO_GRACE_MS = 4_000;

/** A badge that comes again within this time of its last stored tap is still the same tap (field practice: 1 to 10 s). */
export const DEBOUNCE_MS = 3_000;

/** How long a visitor may add to a tap after the last thing they did. */
export const TAP_SESSION_MS = 120_000;

/** How long a visitor waits for the platform's word on an e-mail before it counts as queued. */
export const EMAIL_PATIENCE_MS = 4_000;

/** How long one round of background jobs asks for detailed forms and for pictures; the mirror must not fall behind. */
export const DETAILS_ROUND_MS = 3_000;
export const PICTURES_ROUND_MS = 5_000;
/** A picture out of reach is left alone for so long. */
export const PICTURE_REST_MS = 300_000;

/** How long a badge of the demo tray seems to be read for, so that the screen can show it. */
export const DEMO_READING_MS = 180;

/** The staff pages lock after so long without a touch (the page itself does so a little earlier). */
export const STAFF_IDLE_MS = 240_000;
/** The last member who signed in counts as on duty for so long after their last action. */
export const ON_DUTY_MS = 7_200_000;
/** How long a staff badge that was tapped opens a page, and how long a badge to be added is waited for. */
export const BADGE_TICKET_MS = 10_000;
export const BADGE_AWAITED_MS = 30_000;
