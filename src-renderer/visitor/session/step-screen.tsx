/**
 * The current step of a session in its frame: consent, question, content picker, and choosing before a tap.
 *
 * Invariant: it only draws the state of the session. Each session has its own key, so nothing carries over to the
 * next.
 */
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { ContentPicker } from '../content/content-picker.tsx';
import type { SelectionState } from '../content/selection-state.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import { currentStep, type Session } from '../state/session.ts';
import type { View } from '../state/view.ts';
import type { Wording } from '../wording/wording.ts';
import { ConsentStep } from './consent-step.tsx';
import { QuestionStep } from './question-step.tsx';
import { StepFrame } from './step-frame.tsx';

/** The views that are drawn as steps. */
export type StepView = Extract<View, { kind: 'consent' | 'question' | 'contentPicker' | 'choosing' }>;

/** Whether `view` is drawn as a step rather than as an outcome. */
export function isStep(view: View): view is StepView {
  return ['consent', 'question', 'contentPicker', 'choosing'].includes(view.kind);
}

type StepProps = {
  readonly view: StepView;
  readonly snapshot: Snapshot;
  readonly link: Link;
  readonly runtime: DisplayRuntime;
  readonly wording: Wording;
};

/** The step with its title, its body and its controls. */
export function StepScreen({ view, snapshot, link, runtime, wording }: StepProps) {
  const { stand, basket } = snapshot;
  if (view.kind === 'choosing') {
    return (
      <StepFrame key={`choosing ${view.since}`} name="choosing" wording={wording}>
        <ContentPicker
          link={link}
          count={stand?.offer.count ?? 0}
          choosing
          selectionStateOf={(item) => (basket?.some(({ id }) => id === item.id) ? 'chosen' : 'none')}
          toggle={(item) => runtime.send({ kind: 'take', item })}
          onShownItems={(items) => runtime.send({ kind: 'shownItems', items })}
        />
      </StepFrame>
    );
  }
  const { session } = view;
  const step = currentStep(session);
  return (
    <StepFrame key={`${session.factId} ${session.at}`} name={view.kind} wording={wording}>
      {step?.kind === 'consent' && stand ? (
        <ConsentStep stand={stand} session={session} runtime={runtime} />
      ) : null}
      {step?.kind === 'question' ? (
        <QuestionStep question={step.question} session={session} runtime={runtime} />
      ) : null}
      {step?.kind === 'contentPicker' ? (
        <ContentPicker
          link={link}
          count={stand?.offer.count ?? 0}
          choosing={false}
          selectionStateOf={(item) => selectionStateOf(session, item)}
          toggle={(item) => runtime.send({ kind: 'take', item })}
          onShownItems={(items) => runtime.send({ kind: 'shownItems', items })}
        />
      ) : null}
    </StepFrame>
  );
}

function selectionStateOf(session: Session, item: OfferItem): SelectionState {
  const selection = session.selections.find((one) => one.item.id === item.id);
  if (!selection) return 'none';
  if (selection.state !== 'settled') return selection.state;
  return selection.taken ? 'taken' : 'none';
}
