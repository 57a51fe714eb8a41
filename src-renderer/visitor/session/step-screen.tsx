/**
 * The step on show, in the frame all steps share: consent, question, shelf, and the shelf before a tap.
 *
 * Invariant: draws what the machine holds; nothing of one visit is left for the next, each has its own key.
 */
import { Button } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { type Hold, Shelf } from '../content/content-picker.tsx';
import type { DisplayRuntime, View } from '../state/runtime.ts';
import { stepOf, type Visit } from '../state/session.ts';
import type { Stage } from '../state/view.ts';
import type { Words } from '../wording/wording.ts';
import { ConsentStep } from './consent-step.tsx';
import { QuestionStep } from './question-step.tsx';
import { StepActions, StepFrame } from './step-parts.tsx';

/** The stages that are drawn as steps. */
export type StepStage = Extract<Stage, { kind: 'consent' | 'question' | 'shelf' | 'choosing' }>;

/** Whether `stage` is drawn as a step rather than as an outcome. */
export function isStep(stage: Stage): stage is StepStage {
  return ['consent', 'question', 'shelf', 'choosing'].includes(stage.kind);
}

type StepProps = {
  readonly stage: StepStage;
  readonly view: View;
  readonly link: Link;
  readonly runtime: DisplayRuntime;
  readonly words: Words;
};

/** The step with its head, its body and its controls. */
export function StepScreen({ stage, view, link, runtime, words }: StepProps) {
  const { now, stand, basket } = view;
  if (stage.kind === 'choosing') {
    return (
      <StepFrame key={`choosing ${stage.since}`} name="choosing" words={words}>
        <Shelf
          link={link}
          count={stand?.offer.count ?? 0}
          choosing
          holdOf={(item) => (basket?.some(({ id }) => id === item.id) ? 'chosen' : 'no')}
          toggle={(item) => runtime.send({ kind: 'take', item })}
        />
        <div className="step-actions">
          <Button className="pill action" onPress={() => runtime.send({ kind: 'dismiss' })}>
            <Text id="typing.cancel" />
          </Button>
          <span className="step-count">
            <Text id="choose.count" values={{ count: basket?.length ?? 0 }} />
          </span>
        </div>
      </StepFrame>
    );
  }
  const { visit } = stage;
  const step = stepOf(visit);
  return (
    <StepFrame key={`${visit.factId} ${visit.at}`} name={stage.kind} words={words}>
      {step?.kind === 'consent' && stand ? (
        <ConsentStep stand={stand} visit={visit} runtime={runtime} now={now} />
      ) : null}
      {step?.kind === 'question' ? (
        <QuestionStep question={step.question} visit={visit} runtime={runtime} now={now} />
      ) : null}
      {step?.kind === 'shelf' ? (
        <>
          <Shelf
            link={link}
            count={stand?.offer.count ?? 0}
            choosing={false}
            holdOf={(item) => holdOf(visit, item)}
            toggle={(item) => runtime.send({ kind: 'take', item })}
          />
          <StepActions visit={visit} runtime={runtime} now={now}>
            <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'onward' })}>
              <Text id="common.done" />
            </Button>
            <span className="step-count">
              <Text id="offer.count" values={{ count: visit.things.filter(({ taken }) => taken).length }} />
            </span>
          </StepActions>
        </>
      ) : null}
    </StepFrame>
  );
}

function holdOf(visit: Visit, item: OfferItem): Hold {
  const thing = visit.things.find((one) => one.item.id === item.id);
  if (!thing) return 'no';
  if (thing.state !== 'settled') return thing.state;
  return thing.taken ? 'taken' : 'no';
}
