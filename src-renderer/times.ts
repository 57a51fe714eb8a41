/**
 * Every duration of the screens, in milliseconds, in one place.
 *
 * The seconds in which a tap can be taken back are the device's (`undoUntil` of a captured tap); here is only their
 * ceiling. How fast things move on the screen belongs to the styles (`theme/tokens.css`).
 */

/** How long the visitor's display shows what, and waits for whom. */
export const displayTimes = {
  /** A reading that has its outcome within this time is not shown: its picture would only delay the outcome's. */
  readingShown: 60,
  /** No outcome after this long: the reading came to nothing. */
  reading: 5_000,
  notAdmitted: 9_000,
  notRead: 5_000,
  refused: 7_000,
  failed: 12_000,
  undone: 5_000,
  /** An outcome that invites to something stays this long after the last touch. */
  captured: 20_000,
  /** After the badge left the reader a visitor's data stays at most this long (or as long as undo is offered). */
  afterRemoval: 6_000,
  /** Undo is never offered longer than this, whatever the device says. */
  undoAtMost: 60_000,
  /** Whoever asked for comfort has at least this long (WCAG 2.2.1); the device honours it (`UNDO_WITH_COMFORT_MS`). */
  undoWithComfort: 15_000,
  /** Just after one visitor's screen replaced another's, a press may still have been meant for the one before. */
  undoGuard: 400,
  /** How long an undo may take, and how long its refusal is shown. */
  undoTimeout: 11_000,
  undoRefused: 5_000,
  typing: 30_000,
  /** A language chosen at rest is forgotten after this long. */
  language: 45_000,
  /** A comfort chosen at rest is forgotten this long after the last touch or key. */
  comfort: 45_000,
  /** A step nobody touches for this long asks whether somebody is still there... */
  stepIdle: 25_000,
  /** ...and waits this long for a yes (WCAG 2.2.1: at least 20 seconds). */
  idlePrompt: 20_000,
  goodbye: 10_000,
  /** A goodbye with a bag: its code is read by a phone that first has to be taken out. */
  bag: 20_000,
  /** How long something stays is told in steps of this, so that nothing counts down beside what is read. */
  closingStep: 5_000,
  /** A command the device did not acknowledge within this time counts as not kept. */
  commandTimeout: 6_000,
  /** An outcome stays at least this long before the next one replaces it: with so many more waiting, the last: or more. */
  outcomeMinimum: [900, 700, 450, 350],
  /** A link that comes back within this time was never gone to the visitor. */
  linkGrace: 1_000,
  /** A device that does not answer for this long after the start is lost. */
  firstConnection: 8_000,
  /** A sound that could not start within this time is not played any more. */
  soundDelayAtMost: 150,
  /** How often seconds that run out are counted. */
  countdownTick: 200,
} as const;

/** The attract loop: how long a picture stays, a film at most, and how long a film may stand still before it is left. */
export const attractTimes = { picture: 8_000, filmAtMost: 600_000, stalled: 12_000 } as const;

/** The health page. */
export const healthTimes = {
  /** How often it is read anew while it is shown. */
  refresh: 3_000,
} as const;

/** The staff page: a long press on the brand opens it, it locks by itself, and it asks the device this often. */
export const staffTimes = {
  longPress: 1_200,
  idle: 180_000,
  refresh: 1_000,
  retry: 1_000,
  /** How often the device is told that somebody is there, at most. */
  touch: 30_000,
  /** What a search leaves is counted after this pause in the typing. */
  typed: 300,
  /** A card without its last line is read after this pause: a scanner types it line by line. */
  cardPause: 1_500,
  /** A note is saved after this pause in the typing. */
  savePause: 800,
  /** How long a button says what it did. */
  answer: 2_000,
  /** How long after a tap whoever signs in finds its visitor opened. */
  lastVisitor: 600_000,
} as const;

/** Pictures of the device: how long one nobody looks at is kept, and when one that was not here is asked for again. */
export const pictureTimes = { kept: 60_000, askAgain: 5_000, askAgainForLogo: 15_000 } as const;

/**
 * The voice: how long a line and each of its letters are waited for; and what is read stays this long for each of them,
 * so that there is time to answer.
 */
export const speechTimes = { line: 3_000, letter: 250, lineStays: 5_000, letterStays: 100 } as const;

/** The set-up: how long the platform is asked, when the device is asked again, and how long an event is known. */
export const setupTimes = { ask: 60_000, retry: 1_000, event: 60_000 } as const;

/** The camera: off after this long without a code, the pause between two pictures, and when a code is out of view. */
export const cameraTimes = { idle: 60_000, pause: 120, outOfView: 3_000 } as const;

/** The keyboard scanner (`visitor/input/wedge.ts`). */
export const scannerTimes = {
  /** Keys further apart than this come from a hand. */
  gap: 50,
  /** The same while a text field has the focus: no hand is that fast for six keys and an Enter. */
  gapInField: 25,
  /** Silence that ends a code without Enter. */
  silence: 120,
  /** So often it is looked whether it is silent still. */
  listen: 20,
  /** A timer this late means that the page stood still meanwhile. */
  late: 40,
} as const;

/** The link to the device: the limit of a call, and how a lost connection is opened again. */
export const linkTimes = {
  call: 10_000,
  retry: 300,
  connectionTimeout: 4_000,
  /** A socket that was refused though the device answers is tried again after this long, later up to the second. */
  reconnectFrom: 50,
  reconnectTo: 2_000,
  /** A device that is away is asked this often whether it answers (it costs nothing on loopback)... */
  knock: 100,
  /** ...and after this long with more patience. */
  knockOftenFor: 300_000,
  knockLater: 1_000,
} as const;
