/**
 * The words of every stage: which messages, with which values. Pure, so that screen and announcement agree.
 *
 * Invariants: the visitor's name appears once, in the headline; no text says more than the event did.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { MessageId } from '../messages/catalogue.ts';
import type { TextValues } from '../messages/text.tsx';
import type { Stage } from './stages.ts';

export type Words = {
  readonly headline: { readonly id: MessageId; readonly values?: TextValues };
  readonly sentence: { readonly id: MessageId; readonly values?: TextValues };
};

/** The words for `stage`; `clock` writes an epoch time as the visitor's clock shows it. */
export function wordsOf(stage: Stage, device: DeviceState | null, clock: (at: number) => string): Words {
  const partner = { named: device?.partner ? 'yes' : 'no', partner: device?.partner?.name ?? '' };
  switch (stage.kind) {
    case 'attract':
      return say('attract.headline', 'attract.sentence', partner, { purpose: device?.purpose ?? 'lead' });
    case 'firstSync':
      return say(
        'firstSync.headline',
        device?.network === 'offline' ? 'firstSync.offline' : 'firstSync.sentence',
      );
    case 'connecting':
      return say('connecting.headline', 'connecting.sentence');
    case 'outOfOrder':
      return say('outOfOrder.headline', 'outOfOrder.sentence');
    case 'linkLost':
      return say('linkLost.headline', 'linkLost.sentence');
    case 'typing':
      return say('typing.headline', 'typing.sentence');
    case 'reading':
      return stage.typed
        ? say('reading.typedHeadline', 'reading.typedSentence')
        : say('reading.headline', 'reading.sentence');
    case 'captured':
      return capturedWords(stage.event, partner, clock);
    case 'undone':
      return say('undone.headline', 'undone.sentence');
    case 'notRead':
      return say('notRead.headline', 'notRead.sentence');
    case 'refused':
      return stage.event.reason === 'phone'
        ? say('refused.phoneHeadline', 'refused.phoneSentence')
        : say('refused.notABadgeHeadline', 'refused.notABadgeSentence');
    case 'failed':
      return say('failed.headline', `failed.${stage.event.reason}`);
  }
}

function capturedWords(
  event: Extract<Stage, { kind: 'captured' }>['event'],
  partner: TextValues,
  clock: (at: number) => string,
): Words {
  const name = event.visitor?.name.trim() || null;
  if (event.repeat) {
    const repeat = { ...partner, count: event.repeat.count, since: clock(event.repeat.since) };
    return name
      ? say('captured.repeatHeadline', 'captured.repeatSentence', repeat, { name })
      : say('captured.repeatUnknownHeadline', 'captured.repeatSentence', repeat);
  }
  return name
    ? say('captured.headline', 'captured.sentence', partner, { name })
    : say('captured.unknownHeadline', 'captured.unknownSentence', partner);
}

function say(headline: MessageId, sentence: MessageId, values: TextValues = {}, own: TextValues = {}): Words {
  return { headline: { id: headline, values: own }, sentence: { id: sentence, values } };
}
