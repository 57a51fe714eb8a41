/**
 * The spoken text of every view: the outcome and the name, who gets the data, the other content of the view, the
 * names of the offered contents, the time left to undo, the choices. Pure.
 *
 * Invariants:
 * - Headline and sentence are those on the screen (`wording/`); choices are in `spoken-controls.ts`.
 * - If the words of a line change with the clock, its key stays the same, so it is said once.
 * - Texts of the stand are data, not messages of the catalogue.
 */
import type { Activity, Notice } from '../../../src-main/contract/stand.ts';
import { nearest, ownText } from '../../messages/translated-text.ts';
import { stageOf } from '../state/activity-stage.ts';
import { screensFor } from '../state/purposes.ts';
import { currentStep, progressOf, type Session } from '../state/session.ts';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import { asSentence, type Line, wordingOf } from '../wording/wording.ts';
import type { Heard, Say, SpokenLine } from './spoken.ts';
import { controlsOf } from './spoken-controls.ts';

/** Everything to say about `view`, in order. */
export function spokenText(view: View, heard: Heard, say: Say): readonly SpokenLine[] {
  const { headline, sentence } = wordingOf(view, heard);
  const session = 'since' in view ? sessionOf(view) : null;
  const line = (one: Line) => ('own' in one ? one.own : say.text(one.id, one.values));
  const controls = controlsOf(view, heard, say);
  return [
    ...[line(headline), line(sentence), ...factsOf(view, heard, say)].map((one) =>
      typeof one === 'string' ? plain(one) : one,
    ),
    ...(session ? undoLines(view, session, heard, say) : []),
    ...(controls.length > 0
      ? [{ ...plain(say.text('speech.can', { controls: say.list(controls) })), key: 'controls' }]
      : []),
  ].filter(({ text }) => text !== '');
}

function plain(text: string): SpokenLine {
  const sentence = asSentence(text.replace(/\s+/g, ' ').trim());
  return { key: sentence, text: sentence };
}

/** Content beside headline and sentence. */
function factsOf(view: View, heard: Heard, say: Say): readonly (string | SpokenLine)[] {
  const { device, stand, language } = heard;
  switch (view.kind) {
    case 'attract': {
      const activity = isAboutActivity(device) ? stand?.activity : null;
      return [
        ...(device?.network === 'offline' ? [say.text('mark.offline')] : []),
        ...(activity ? activityFacts(activity, heard, say) : []),
        ...whoGets(heard, say),
        say.text(device?.cardService === 'off' ? 'attract.footScan' : 'attract.foot') +
          ` ${say.text('attract.typeCode')}`,
      ];
    }
    case 'firstSync':
      return whoGets(heard, say);
    case 'captured':
      return [
        ...(heard.interrupted ? [say.text(`mark.${heard.interrupted}`)] : []),
        view.event.visitor?.company?.trim() ?? '',
        ...(view.event.checkin && stand?.activity ? activityFacts(stand.activity, heard, say) : []),
        ...takenFacts(view.session, say, view.event.collected?.id ?? null),
      ];
    case 'consent':
      return [
        ...(stand?.consents ?? []).map(({ id, text }) =>
          chosen(id, ownText(text, language), view.session.agreed[id] === true, say),
        ),
        ...(stand?.notice ? noticeLines(stand.notice, heard, say) : []),
        ...savingNote(view.session, say),
      ];
    case 'question':
      return questionFacts(view.session, heard, say);
    case 'contentPicker':
      return [
        say.text('offer.waiting', { count: stand?.offer.count ?? 0 }),
        ...shownItemFacts(heard),
        ...takenFacts(view.session, say, null),
      ];
    case 'choosing':
      return [say.text('offer.waiting', { count: stand?.offer.count ?? 0 }), ...shownItemFacts(heard)];
    case 'notice':
      return stand?.notice ? noticeLines(stand.notice, heard, say) : [];
    case 'idlePrompt':
      return [say.text('idlePrompt.seconds', { seconds: secondsUntil(view.until, heard.now) })];
    case 'goodbye':
      return goodbyeFacts(view.session, heard, say);
    default:
      return [];
  }
}

function isAboutActivity(device: Heard['device']): boolean {
  return device != null && screensFor(device.purpose).attract === 'activity';
}

/** Who gets the data, as shown below the call to tap. */
function whoGets({ stand, device, language }: Heard, say: Say): readonly string[] {
  if (stand?.notice) return [nearest(stand.notice.texts, language)?.value.who ?? ''];
  if (isAboutActivity(device)) return [];
  const { partner } = device ?? {};
  return [
    ...(partner ? [say.text('attract.onlyPartner', { partner: partner.name })] : []),
    say.text('attract.takeBack'),
  ];
}

function noticeLines({ texts }: Notice, { language }: Heard, say: Say): readonly string[] {
  const found = nearest(texts, language)?.value;
  if (!found) return [];
  return (['who', 'why', 'howLong'] as const).map((part) => `${say.text(`notice.${part}`)}: ${found[part]}`);
}

function activityFacts(
  { start, end, location }: Activity,
  { clock, date }: Heard,
  say: Say,
): readonly string[] {
  const stage = stageOf(start ?? 0, end, date);
  return [
    ...(start === null
      ? []
      : [say.text(`checkin.${stage}`, { time: clock(stage === 'ended' ? (end ?? start) : start) })]),
    location ?? '',
  ];
}

function questionFacts(session: Session, { language }: Heard, say: Say): readonly (string | SpokenLine)[] {
  const step = currentStep(session);
  if (step?.kind !== 'question') return [];
  const { id, kind, options } = step.question;
  const progress = progressOf(session);
  const draft = session.drafts[id];
  const marked = Array.isArray(draft) ? draft : [];
  return [
    ...(progress ? [say.text('question.progress', progress)] : []),
    ...(kind === 'several'
      ? options
          .filter((option) => ownText(option.text, language) !== '')
          .map((option) => chosen(option.id, ownText(option.text, language), marked.includes(option.id), say))
      : []),
    ...savingNote(session, say),
  ];
}

/** Names and summaries of the contents on the cards. Each is said once, even after the visitor returns to a page. */
function shownItemFacts({ shownItems }: Heard): readonly SpokenLine[] {
  return shownItems.map(({ id, name, summary }) => ({
    ...plain(summary === null || summary === name ? name : `${name}: ${summary}`),
    key: `content ${id}`,
  }));
}

/** The data of this session that the device has saved, and the data that it could not save. */
function goodbyeFacts(session: Session, { stand, language }: Heard, say: Say): readonly string[] {
  const { consented, answered, email } = session;
  const told = email === 'none' ? [] : [say.text(`email.${email}`)];
  return [
    ...takenFacts(session, say, null),
    ...(consented ?? []).map((id) =>
      say.text('goodbye.agreed', {
        text: ownText(stand?.consents.find((one) => one.id === id)?.text ?? {}, language),
      }),
    ),
    ...(consented?.length === 0 ? [say.text('goodbye.refused')] : []),
    ...(answered.length > 0 ? [say.text('goodbye.answered', { count: answered.length })] : []),
    ...told,
  ];
}

/** Names of the taken contents except `known`, and how many could not be saved. */
function takenFacts({ selections }: Session, say: Say, known: string | null): readonly string[] {
  const names = selections
    .filter(({ taken, item }) => taken && item.id !== known)
    .map(({ item }) => item.name)
    .join(', ');
  const failed = selections.filter(({ state }) => state === 'failed').length;
  return [
    ...(names ? [say.text('speech.taken', { names })] : []),
    ...(failed > 0 ? [say.text('goodbye.notSaved', { count: failed })] : []),
  ];
}

function savingNote({ saving }: Session, say: Say): readonly string[] {
  if (saving === 'none') return [];
  return [say.text(saving === 'failed' ? 'consent.notKept' : 'offer.saving')];
}

/**
 * Whether something is chosen. This is said once, because the control announces its own changes (`focus-text.ts`).
 */
function chosen(id: string, name: string, on: boolean, say: Say): SpokenLine {
  return { ...plain(say.text(on ? 'speech.selected' : 'speech.notSelected', { name })), key: id };
}

/**
 * How long the visitor can still undo the tap, or the result of an undo. When that time is over, the views at the end
 * of a session say how to withdraw later.
 */
function undoLines(view: View, session: Session, heard: Heard, say: Say): readonly SpokenLine[] {
  switch (session.undo) {
    case 'offered': {
      const seconds = secondsUntil(session.undoUntil, heard.now);
      return [{ ...plain(say.text('speech.undo', { seconds })), key: 'undo' }];
    }
    case 'expired': {
      if (view.kind !== 'captured' && view.kind !== 'goodbye') return [];
      const link = URL.parse(heard.stand?.notice?.link ?? '')?.host.replace(/^www\./, '') ?? '';
      return [plain(say.text('undo.over', { withLink: link ? 'yes' : 'no', link }))];
    }
    default:
      return [plain(say.text(`undo.${session.undo}`))];
  }
}

function secondsUntil(until: number, now: number): number {
  return Math.max(Math.ceil((until - now) / 1000), 0);
}
