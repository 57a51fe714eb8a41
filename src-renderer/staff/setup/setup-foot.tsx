/** The foot of the set-up: back, next, and the result of saving. */
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { SetupSaved } from '../../../src-main/contract/setup.ts';
import { Text } from '../../messages/text.tsx';
import { Heard } from './fields.tsx';
import { type Step, steps } from './setup-form.ts';

type FootProps = {
  readonly step: Step;
  /** Whether everything that this step requires is there. */
  readonly isDone: boolean;
  readonly isWhole: boolean;
  readonly isBusy: boolean;
  readonly onGo: (step: Step) => void;
  readonly onSave: () => void;
  readonly children: ReactNode;
};

/** Back and next, with the result of saving between them. */
export function Foot({ step, isDone, isWhole, isBusy, onGo, onSave, children }: FootProps) {
  const at = steps.indexOf(step);
  return (
    <footer className="setup-foot">
      <Button
        className="staff-button line-button"
        isDisabled={at === 0}
        onPress={() => onGo(steps[at - 1] ?? step)}
      >
        <Text id="setup.back" />
      </Button>
      {children}
      {step === 'finish' ? (
        <Button className="staff-button setup-main" isDisabled={!isWhole || isBusy} onPress={onSave}>
          <Text id="setup.save" />
        </Button>
      ) : (
        <Button
          className="staff-button setup-main"
          isDisabled={!isDone}
          onPress={() => onGo(steps[at + 1] ?? step)}
        >
          <Text id="setup.next" />
        </Button>
      )}
    </footer>
  );
}

type SaveAnswerProps = {
  readonly saved: SetupSaved | null;
  readonly isLost: boolean;
  readonly onForce: () => void;
  readonly onReread: () => void;
};

/** The result of saving, and what to do if it failed. */
export function SaveAnswer({ saved, isLost, onForce, onReread }: SaveAnswerProps) {
  if (isLost) {
    return (
      <Heard tone="stop">
        <Text id="delivery.failed" />
      </Heard>
    );
  }
  switch (saved?.kind) {
    case undefined:
      return <span className="setup-answer" />;
    case 'saved':
      return (
        <Heard tone="captured">
          <Text id="setup.saved" />
        </Heard>
      );
    case 'changed':
      return (
        <div className="notice setup-answer" data-tone="wait" role="status">
          <span>
            <Text id="setup.changed" />
          </span>
          <Button className="staff-button line-button" onPress={onReread}>
            <Text id="setup.changedRead" />
          </Button>
          <Button className="staff-button line-button" onPress={onForce}>
            <Text id="setup.changedKeep" />
          </Button>
        </div>
      );
    case 'faults':
      return (
        <Heard tone="stop">
          <Text id="setup.faults" /> <bdi lang="en">{saved.faults.join('. ')}</bdi>
        </Heard>
      );
    case 'otherEvent':
      return (
        <Heard tone="stop">
          <Text id="setup.otherEvent" values={{ event: saved.kept }} />
        </Heard>
      );
    case 'refused':
      return (
        <Heard tone="stop">
          <Text id={`setup.notSaved.${saved.reason}`} />
        </Heard>
      );
  }
}
