/**
 * The words of every view: message ids and values. Pure, so that the screen and the announcement agree.
 *
 * Invariants:
 * - The visitor's name appears once, in the headline.
 * - No text claims more than the event says.
 * - Texts of the stand are data (`own`), never messages.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import { readsPeople } from '../../device/reads-people.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import type { Clock } from '../../messages/clock.ts';
import type { TextValues } from '../../messages/plain-text.ts';
import { ownText } from '../../messages/translated-text.ts';
import type { CapturedEvent } from '../state/outcome.ts';
import { screensFor } from '../state/purposes.ts';
import { currentStep } from '../state/session.ts';
import type { View } from '../state/view.ts';

/** A message, or a text of the stand. */
export type Line = { readonly id: MessageId; readonly values?: TextValues } | { readonly own: string };

export type Wording = { readonly headline: Line; readonly sentence: Line };

/**
 * Inputs besides the view. `language`: that of the page; `clock`: formats an epoch time; `scans`: the camera shows its
 * picture.
 */
export type Known = {
  readonly device: DeviceState | null;
  readonly stand: Stand | null;
  readonly basket: readonly OfferItem[] | null;
  readonly language: string;
  readonly clock: Clock;
  readonly scans?: boolean;
};

function firstSyncSentence(device: DeviceState | null) {
  if (device?.network === 'offline') return 'firstSync.offline';
  return device?.mirror.waitsForTurn ? 'firstSync.turn' : 'firstSync.sentence';
}

/** Whether "No network. Nothing is lost." appears beside `view`. Not if the view says that nothing was saved. */
export function saysOffline(view: View, device: DeviceState | null): boolean {
  const savedNothing = view.kind === 'failed' || view.kind === 'refused';
  return device?.network === 'offline' && view.kind !== 'linkLost' && !savedNothing;
}

/** The words for `view`. */
export function wordingOf(view: View, known: Known): Wording {
  const { device } = known;
  const partner = partnerOf(device);
  switch (view.kind) {
    case 'attract': {
      const words = attractWords(known, partner);
      return known.scans ? { ...words, headline: { id: 'camera.headline' } } : words;
    }
    case 'firstSync':
      return say('firstSync.headline', firstSyncSentence(device));
    case 'standChoice':
      return device?.assignmentFault?.kind === 'otherPartner'
        ? say('choice.headline', 'choice.otherPartner', {
            partner: device.assignmentFault.partner,
            named: device.assignmentFault.named,
          })
        : say('choice.headline', 'choice.sentence');
    case 'connecting':
      return say('connecting.headline', 'connecting.sentence');
    case 'outOfOrder':
      return say('outOfOrder.headline', 'outOfOrder.sentence');
    case 'linkLost':
      return say('linkLost.headline', 'linkLost.sentence');
    case 'typing':
      return say('typing.headline', 'typing.sentence');
    case 'reading':
      return view.typed
        ? say('reading.typedHeadline', 'reading.typedSentence')
        : say('reading.headline', 'reading.sentence');
    case 'captured':
      return view.event.checkin
        ? checkinWords(view.event, view.event.checkin, known)
        : capturedWords(view.event, partner, known);
    case 'notAdmitted':
      return say(`checkin.${view.event.reason}Headline`, `checkin.${view.event.reason}Sentence`);
    case 'undone':
      return say('undone.headline', `undone.${view.tapKind}Sentence`, partner);
    case 'notRead':
      return say('notRead.headline', 'notRead.sentence');
    case 'refused':
      return say(`refused.${view.event.reason}Headline`, `refused.${view.event.reason}Sentence`);
    case 'failed':
      return say('failed.headline', `failed.${view.event.reason}`);
    case 'consent':
      return say('consent.headline', 'consent.sentence', {}, partner);
    case 'question':
      return questionWords(view.session, known.language);
    case 'contentPicker':
      return say('offer.headline', 'offer.sentence', partner);
    case 'choosing': {
      const chosen = { count: known.basket?.length ?? 0 };
      return say('choose.headline', 'choose.sentence', chosen, chosen);
    }
    case 'notice':
      return say('notice.headline', 'notice.sentence', partner);
    case 'idlePrompt':
      return say('idlePrompt.headline', 'idlePrompt.sentence');
    case 'goodbye': {
      const { name, selections } = view.session;
      return name !== null && selections.some(({ taken }) => taken)
        ? say('goodbye.named', 'goodbye.sentence', {}, { name })
        : say('goodbye.headline', 'goodbye.sentence');
    }
  }
}

function partnerOf(device: DeviceState | null): TextValues {
  return { named: device?.partner ? 'yes' : 'no', partner: device?.partner?.name ?? '' };
}

function attractWords({ device, stand, language }: Known, partner: TextValues): Wording {
  if (!device) return say('connecting.headline', 'connecting.sentence');
  const { purpose } = device;
  const { attract } = screensFor(purpose);
  const here = attract === 'content' ? stand?.offer.here : null;
  // The notice below it says who gets the data, in the partner's own words.
  const shares = { ...partner, notice: stand?.notice ? 'yes' : 'no' };
  if (here) return say('offer.attractHeadline', 'offer.attractSentence', shares, { name: here.name });
  if (attract === 'activity' && stand?.activity)
    return say(
      'checkin.attractHeadline',
      'checkin.attractSentence',
      { notice: stand.notice ? 'yes' : 'no' },
      { name: stand.activity.name },
    );
  const ours = say('attract.headline', 'attract.sentence', shares, { purpose });
  const own = attract === 'activity' ? '' : ownText(stand?.headline ?? {}, language);
  return own ? { ...ours, headline: { own: onLines(own) } } : ours;
}

/** One line for each sentence of `headline`, unless its author set line breaks. */
function onLines(headline: string): string {
  return headline.includes('\n') ? headline : headline.replaceAll(sentenceEnd, '\n');
}

/** Matches the gap between two sentences, but never after a number, an initial or an abbreviation. */
const sentenceEnd = /(?<=\p{L}{3}[.!?؟])\s+(?=[\p{Lu}\p{Lo}¡¿])|(?<=[。！？])\s*(?=\S)/gu;

function capturedWords(event: CapturedEvent, partner: TextValues, { device, clock }: Known): Wording {
  const name = event.visitor?.name.trim() || null;
  if (event.collected) {
    const sentence = { ...partner, content: event.collected.name };
    if (event.visitor === null)
      return say('offer.capturedHeadline', 'offer.capturedUnknownSentence', sentence);
    return name
      ? say('captured.headline', 'offer.capturedSentence', sentence, { name })
      : say('offer.capturedHeadline', 'offer.capturedSentence', sentence);
  }
  if (event.repeat) {
    const repeat = { ...partner, count: event.repeat.count, since: clock(event.repeat.since) };
    return name
      ? say('captured.repeatHeadline', 'captured.repeatSentence', repeat, { name })
      : say('captured.repeatUnknownHeadline', 'captured.repeatSentence', repeat);
  }
  if (name) return say('captured.headline', 'captured.sentence', partner, { name });
  return device === null || readsPeople(device)
    ? say('captured.unknownHeadline', 'captured.unknownSentence', partner)
    : say('captured.namelessHeadline', 'captured.namelessSentence', partner);
}

function checkinWords(
  event: CapturedEvent,
  { result, since, count }: NonNullable<CapturedEvent['checkin']>,
  { stand, clock }: Known,
): Wording {
  const name = event.visitor?.name.trim() || null;
  const activity = stand?.activity?.name ?? '';
  const values = { named: activity ? 'yes' : 'no', activity, since: clock(since), count };
  const end = stand?.activity?.end ?? null;
  if (result === 'welcome' && end !== null && event.at >= end)
    return name
      ? say('captured.headline', 'checkin.overSentence', values, { name })
      : say('captured.namelessHeadline', 'checkin.overSentence', values);
  return name
    ? say(`checkin.${result}`, `checkin.${result}Sentence`, values, { name })
    : say(`checkin.${result}Unknown`, `checkin.${result}Sentence`, values);
}

function questionWords(session: Parameters<typeof currentStep>[0], language: string): Wording {
  const step = currentStep(session);
  if (step?.kind !== 'question') return say('goodbye.headline', 'goodbye.sentence');
  const { text, kind } = step.question;
  return { headline: { own: ownText(text, language) }, sentence: { id: 'question.hint', values: { kind } } };
}

function say(
  headline: MessageId,
  sentence: MessageId,
  values: TextValues = {},
  own: TextValues = {},
): Wording {
  return { headline: { id: headline, values: own }, sentence: { id: sentence, values } };
}

/** `text`, with a full stop if it has no final punctuation mark. Empty text stays empty. */
export function asSentence(text: string): string {
  return text === '' || /[.!?。！？؟…]$/.test(text) ? text : `${text}.`;
}
