/**
 * Plays one badge: waits until the app has the reader, inserts the card, waits for the outcome, and removes the card.
 *
 * Invariants:
 * - the card is always removed;
 * - the result is one or two sentences for the user.
 */
import type { DeviceState } from '../../contract/device.ts';
import type { TapEvent } from '../../contract/tap.ts';
import { modelOfCard } from '../../devices/virtual/virtual-card.ts';
import { type LyingCard, layCard } from '../../devices/virtual/virtual-slot.ts';
import type { AppClient } from './app-connection.ts';
import type { BadgeToPlay } from './demo-badges.ts';

/** The result in one or two sentences, and whether it is the expected one. */
export type Played = { readonly sentence: string; readonly asExpected: boolean };

type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

const readerWithin = 15_000;
const holdAtMost = 6000;
const outcomeAfterRemoval = 4000;
const virtualReaderName = 'Virtual PCD';

/** Waits until the app has a virtual reader; returns a sentence when it has none in time. */
export async function waitForReader(client: AppClient, sleep: Sleep): Promise<string | null> {
  const over = new AbortController();
  void sleep(readerWithin, over.signal).then(() => over.abort());
  let latest: DeviceState | null = null;
  try {
    for await (const state of await client.device.watch(undefined, { signal: over.signal })) {
      latest = state;
      if (state.readers.some(({ name }) => name.startsWith(virtualReaderName))) return null;
      if (state.cardService === 'off') return 'The app was started without readers (--reader none).';
    }
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    over.abort();
  }
  const seen = latest === null ? 'it reported nothing' : `its card service is "${latest.cardService}"`;
  return `The app did not see the virtual reader within ${readerWithin / 1000} seconds; ${seen}.`;
}

/** Plays the badge and waits for its outcome from the app. */
export async function playWithApp(badge: BadgeToPlay, client: AppClient, sleep: Sleep): Promise<Played> {
  const over = new AbortController();
  const taps = await client.taps.watch(undefined, { signal: over.signal });
  const outcome = firstOutcome(taps, over.signal);
  const card = await layCard(modelOfCard(badge.card));
  try {
    const early = await Promise.race([outcome, sleep(holdAtMost, over.signal).then(() => null)]);
    await card.remove();
    const event =
      early ?? (await Promise.race([outcome, sleep(outcomeAfterRemoval, over.signal).then(() => null)]));
    return playedOf(event, badge);
  } finally {
    over.abort();
    await card.remove();
  }
}

const OUTCOMES = ['captured', 'notAdmitted', 'notRead', 'refused', 'failed'] as const;
type Outcome = Extract<TapEvent, { kind: (typeof OUTCOMES)[number] }>;

function isOutcome(event: TapEvent): event is Outcome {
  return OUTCOMES.some((kind) => kind === event.kind);
}

async function firstOutcome(taps: AsyncIterable<TapEvent>, signal: AbortSignal): Promise<Outcome | null> {
  // Outcomes of earlier taps may arrive first. The outcome of our tap follows its `reading` event.
  let isReading = false;
  try {
    for await (const event of taps) {
      if (event.kind === 'reading') isReading = true;
      else if (isReading && isOutcome(event)) return event;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return null;
}

function playedOf(event: Outcome | null, badge: BadgeToPlay): Played {
  switch (event?.kind) {
    case undefined:
      return { sentence: 'The app reported no outcome of this tap.', asExpected: false };
    case 'captured':
      return { sentence: captured(event), asExpected: badge.expected === 'captured' };
    case 'refused':
      return { sentence: refusals[event.reason], asExpected: badge.expected === event.reason };
    case 'notAdmitted':
      // The badge was read. Whether it admits the visitor depends on the event.
      return { sentence: notAdmitted[event.reason], asExpected: badge.expected === 'captured' };
    case 'notRead':
      return {
        sentence: `Not read (${event.reason}): hold a little longer.`,
        asExpected: badge.expected === 'notRead',
      };
    case 'failed':
      return { sentence: `Nothing was saved: storage is ${event.reason}.`, asExpected: false };
  }
}

const refusals = {
  phone: 'Refused: a phone, not a badge.',
  randomUid: 'Refused: the card shows a new number at every tap.',
  notABadge: 'Refused: not a badge.',
  impossibleCode: 'Refused: no badge of this event has such a code. It is kept for the stand team.',
  garbledScan: 'Refused: the scan is incomplete. It is kept for the stand team.',
  clash: 'Refused: the badge names two people. The tap is kept.',
} as const;

const notAdmitted = {
  notRegistered: 'Not let in: not registered. The tap is kept.',
  restricted: 'Not let in: not for this visitor. The tap is kept.',
  full: 'Not let in: full. The tap is kept.',
} as const;

function captured({ visitor, repeat, checkin }: Extract<Outcome, { kind: 'captured' }>): string {
  const who = visitor === null ? 'an unknown badge' : whoIs(visitor);
  if (checkin !== null)
    return `${checkin.result === 'welcome' ? 'Let in' : 'In already'}: ${who}, ${checkin.count} in.`;
  if (repeat === null) return `Captured: ${ended(who)}`;
  // The count is 1 when the badge returned so soon that the app counts both as one tap.
  return repeat.count === 1
    ? `Already captured: ${ended(who)}`
    : `Captured again: ${who}, tap ${repeat.count}.`;
}

/** The sentence with exactly one full stop, even after an initial. */
function ended(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}

function whoIs({ name, company }: { readonly name: string; readonly company: string | null }): string {
  return company === null ? name : `${name}, ${company}`;
}

/** Plays the badge to an app without a connection. The only result is whether the reader sent commands to the card. */
export async function playWithoutConnection(badge: BadgeToPlay, sleep: Sleep): Promise<Played> {
  const card = await layCard(modelOfCard(badge.card));
  try {
    for (let waited = 0; waited < readerWithin && !wasAsked(card); waited += 100) await sleep(100);
    if (!wasAsked(card)) return { sentence: 'The reader sent no command to the card.', asExpected: false };
    await sleep(500);
    return { sentence: 'The app read the card; its screen shows the outcome.', asExpected: true };
  } finally {
    await card.remove();
  }
}

function wasAsked(card: LyingCard): boolean {
  return card.traffic.some(({ kind }) => kind === 'command');
}
