/**
 * Time limits at the stand in milliseconds, such as the eight seconds in which a visitor can undo a tap.
 *
 * Invariant: the screen has no undo time of its own, only a maximum. Each captured tap contains the time at which its
 * undo ends (`undoUntil`). Display times are in `src-renderer/times.ts`, waits of the loops in `times.ts`.
 */

/** Time during which the screen offers an undo, unless `stand.json` sets another. */
export const UNDO_MS = 8_000;
/** Minimum for visitors who chose comfort settings. `src-renderer/times.ts` has the same value. */
export const UNDO_WITH_COMFORT_MS = 15_000;
/** Grace period after the offered undo, for a visitor who has already decided to press the button. */
export const UNDO_GRACE_MS = 4_000;

/**
 * A badge that returns within this time of its last stored tap counts as the same tap (field practice: 1 to 10 s).
 */
export const DEBOUNCE_MS = 3_000;

/** How long a visitor may add to a tap after their last action. */
export const TAP_SESSION_MS = 120_000;

/** How long a visitor waits for the platform's answer on an e-mail before it counts as queued. */
export const EMAIL_PATIENCE_MS = 4_000;

/** Time for detailed forms and for pictures in one round of background jobs. The mirror must not fall behind. */
export const DETAILS_ROUND_MS = 3_000;
export const PICTURES_ROUND_MS = 5_000;
/** Pause before an unreachable picture is fetched again. */
export const PICTURE_REST_MS = 300_000;

/** Simulated reading time of a demo badge, so that the screen can show it. */
export const DEMO_READING_MS = 180;

/** The staff pages lock after this time without a touch (the page itself does so a little earlier). */
export const STAFF_IDLE_MS = 240_000;
/** The last member who signed in counts as on duty for this long after their last action. */
export const ON_DUTY_MS = 7_200_000;
/** How long the ticket of a tapped staff badge is valid, and how long the app waits for a badge to assign. */
export const BADGE_TICKET_MS = 10_000;
export const BADGE_AWAITED_MS = 30_000;
