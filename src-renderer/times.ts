/**
 * Every duration of the screens, in milliseconds.
 *
 * The undo window of a tap comes from the device (`undoUntil` of a captured tap); only its maximum is here. Durations
 * of movements are in the styles (`theme/tokens.css`).
 */

/** How long the visitor's display shows each view, and how long it waits for input. */
export const displayTimes = {
  /** A reading that takes less than this is not shown, because its picture would only delay the outcome. */
  readingShown: 60,
  /** If there is no outcome after this time, the reading has failed. */
  reading: 5_000,
  notAdmitted: 9_000,
  notRead: 5_000,
  refused: 7_000,
  failed: 12_000,
  undone: 5_000,
  /** An outcome with an invitation stays for this long after the last touch. */
  captured: 20_000,
  /** A captured tap stays at least this long, and at least this long after its badge is removed. */
  afterRemoval: 6_000,
  /** Maximum undo window, even if the device allows more. */
  undoAtMost: 60_000,
  /** Minimum undo window with comfort settings on (WCAG 2.2.1); the device honours it (`UNDO_WITH_COMFORT_MS`). */
  undoWithComfort: 15_000,
  /** After a change of visitor, a press within this time counts for the previous screen and is ignored. */
  undoGuard: 400,
  /** Time limit of an undo, and how long its refusal is shown. */
  undoTimeout: 11_000,
  undoRefused: 5_000,
  typing: 30_000,
  /** A language that was chosen on the idle screen resets after this time. */
  language: 45_000,
  /** Comfort settings that were chosen on the idle screen reset this long after the last input. */
  comfort: 45_000,
  /** A step without input for this long asks whether the visitor is still there. */
  stepIdle: 25_000,
  /** How long this question waits for an answer (WCAG 2.2.1: at least 20 seconds). */
  idlePrompt: 20_000,
  goodbye: 10_000,
  /** A goodbye with a bag stays longer, because the visitor has to take out a phone for its code. */
  bag: 20_000,
  /** Remaining time is shown in steps of this, so that no countdown runs beside a text. */
  closingStep: 5_000,
  /** A command not acknowledged within this time counts as not saved. */
  commandTimeout: 6_000,
  /**
   * Minimum time of an outcome before the next replaces it, by number of waiting outcomes; the last entry applies to
   * more.
   */
  outcomeMinimum: [900, 700, 450, 350],
  /** If a link recovers within this time, it is never shown as lost. */
  linkGrace: 1_000,
  /** A device that does not answer for this long after the start counts as lost. */
  firstConnection: 8_000,
  /** A sound that cannot start within this time is dropped. */
  soundDelayAtMost: 150,
  /** Interval at which a countdown that shows seconds is updated. */
  countdownTick: 200,
} as const;

/** The attract loop: time per picture, maximum per film, and how long a film may stall. */
export const attractTimes = { picture: 8_000, filmAtMost: 600_000, stalled: 12_000 } as const;

/** The health page. */
export const healthTimes = {
  /** Refresh interval while it is open. */
  refresh: 3_000,
} as const;

/** The staff pages: long press that opens them, automatic lock, poll interval. */
export const staffTimes = {
  longPress: 1_200,
  idle: 180_000,
  refresh: 1_000,
  retry: 1_000,
  /** Poll interval of a number in the sidebar. */
  badge: 5_000,
  /** Minimum interval between activity reports to the device. */
  touch: 30_000,
  /** Pause in typing after which the matches are counted. */
  typed: 300,
  /** Pause after which a card without its last line is read: a scanner types it line by line. */
  cardPause: 1_500,
  /** Pause in typing after which a note is saved. */
  savePause: 800,
  /** The longer pause while the text ends like a code, which a scanner on a busy machine may still be sending. */
  codePause: 3_000,
  /** How long a button shows its confirmation. */
  answer: 2_000,
  /** How long after a tap a sign-in opens that visitor. */
  lastVisitor: 600_000,
} as const;

/** Pictures from the device: how long an unused one is cached, and the retry interval for a missing one. */
export const pictureTimes = { kept: 60_000, askAgain: 5_000, askAgainForLogo: 15_000 } as const;

/**
 * The voice: time allowed per line and per letter, and how long the text stays per letter, so that there is time to
 * answer.
 */
export const speechTimes = { line: 3_000, letter: 250, lineStays: 5_000, letterStays: 100 } as const;

/** The set-up: time limit of a call, retry interval, cache time of an event, poll interval of the sharing part. */
export const setupTimes = { ask: 60_000, retry: 1_000, event: 60_000, sharing: 1_000 } as const;

/**
 * Calls that ask a CRM: two requests of the device, each of which may take 30 seconds, and what the device does
 * around them.
 */
export const destinationTimes = { ask: 75_000 } as const;

/**
 * Recognition of a picture: as long as the device takes at most (`READ_WITHIN_MS`), so that the page counts a picture
 * that takes longer as not read, and not as one without a name.
 */
export const recognitionTimes = { read: 150_000 } as const;

/**
 * The camera: it switches off after this long without a code; interval between two pictures; when a code counts as
 * out of view.
 */
export const cameraTimes = { idle: 60_000, pause: 120, outOfView: 3_000 } as const;

/** The keyboard scanner (`visitor/input/wedge.ts`). */
export const scannerTimes = {
  /** A longer gap between keys means that a person types. */
  gap: 50,
  /** The same limit while a text field has the focus: no person types six keys and Enter this fast. */
  gapInField: 25,
  /**
   * Mean gap of the slowest scanner (Bluetooth, a slow machine). A text that arrives this fast must look like a code.
   */
  slowMean: 90,
  /** Between one-character shortcuts (`staff/parts/keys.ts`): a longer gap means that a person types. */
  pace: 110,
  /** Silence that ends a code without Enter, and silence that ends the code of a slow scanner. */
  silence: 120,
  slowSilence: 160,
  /**
   * The silence that ends a code after an earlier code ended with Enter. Such a scanner ends every code with Enter,
   * and a busy machine may delay its keys by up to this time.
   */
  enterSilence: 500,
  /** Mean gap of a delayed scanner in a text field. Only a long code of capitals and digits may be this slow. */
  stalledMean: 130,
  /** Interval at which silence is checked. */
  listen: 20,
  /** If a timer is this late, the page was blocked. */
  late: 40,
} as const;

/** The link to the device: time limit of a call, and reconnect intervals. */
export const linkTimes = {
  call: 10_000,
  retry: 300,
  connectionTimeout: 4_000,
  /** Retry interval after a refused socket while the device answers. The second value is the maximum. */
  reconnectFrom: 50,
  reconnectTo: 2_000,
  /** Probe interval for a device that does not answer. A probe is cheap on loopback. */
  knock: 100,
  /** The time after which this interval grows. */
  knockOftenFor: 300_000,
  knockLater: 1_000,
} as const;
