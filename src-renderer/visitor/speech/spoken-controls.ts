/**
 * The choices in every view, by the names of their controls. Pure.
 *
 * Invariant: an offer is named only while its control is shown, because both follow the same rules
 * (`state/offers.ts`).
 */
import { ownText } from '../../messages/translated-text.ts';
import { mayChooseFirst, offersContents, offersEmail } from '../state/offers.ts';
import { currentStep, firstPromptOf, type Session } from '../state/session.ts';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import type { Heard, Say } from './spoken.ts';

/** The names of the controls on `view`, in order. */
export function controlsOf(view: View, heard: Heard, say: Say): readonly string[] {
  const session = 'since' in view ? sessionOf(view) : null;
  const undo = session?.undo === 'offered' ? [say.text('undo.offer')] : [];
  const done = say.text('common.done');
  switch (view.kind) {
    case 'attract':
      return [
        ...(mayChooseFirst(heard.stand, heard.device) ? [say.text('choose.open')] : []),
        ...(heard.stand?.notice ? [say.text('notice.headline')] : []),
        ...(heard.stand?.screen.camera ? [say.text('camera.start')] : []),
        say.text('attract.typeCode'),
      ];
    case 'firstSync':
      return [...(heard.stand?.notice ? [say.text('notice.headline')] : []), say.text('attract.typeCode')];
    case 'typing':
      return [say.text('typing.send'), say.text('typing.cancel')];
    case 'captured':
      return [
        ...offered(view.session, heard, say),
        ...(offersEmail(view.event, view.session, heard.stand) ? email(view.session, say) : []),
        ...undo,
        done,
      ];
    case 'consent':
      return [say.text('consent.share'), say.text('consent.none'), ...undo, done];
    case 'question':
      return [...answers(view.session, heard, say), say.text('question.skip'), ...undo, done];
    case 'contentPicker':
      return [...undo, done];
    case 'choosing':
      return [say.text('typing.cancel')];
    case 'notice':
      return [say.text('question.back')];
    case 'idlePrompt':
      return [say.text('idlePrompt.more')];
    case 'goodbye':
      return [
        ...offered(view.session, heard, say),
        ...(heard.stand?.email ? email(view.session, say) : []),
        ...undo,
        done,
      ];
    case 'notAdmitted':
    case 'notRead':
    case 'refused':
    case 'failed':
    case 'undone':
      return [done];
    default:
      return [];
  }
}

/** The contents and the questions that are offered after a tap. */
function offered(session: Session, { stand, device }: Heard, say: Say): readonly string[] {
  const count = session.open.length;
  return [
    ...(stand && offersContents(session, stand, device) ? [say.text('offer.open')] : []),
    ...(count > 0 ? [say.text('invitation.title', { begins: firstPromptOf(session), count })] : []),
  ];
}

function email(session: Session, say: Say): readonly string[] {
  return session.email === 'none' || session.email === 'failed' ? [say.text('email.ask')] : [];
}

function answers(session: Session, { language }: Heard, say: Say): readonly string[] {
  const step = currentStep(session);
  if (step?.kind !== 'question') return [];
  const { kind, options } = step.question;
  switch (kind) {
    case 'choice':
      return options.map(({ text }) => ownText(text, language)).filter((text) => text !== '');
    case 'yesNo':
      return [say.text('question.yes'), say.text('question.no')];
    case 'rating':
      return [1, 2, 3, 4, 5].map((mark) => say.text('question.mark', { mark }));
    case 'several':
    case 'text':
      return [say.text('question.next')];
  }
}
