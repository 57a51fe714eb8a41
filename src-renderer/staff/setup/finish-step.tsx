/**
 * The end of the set-up: what is still missing, and the PINs if none are set, typed or from a set-up file.
 *
 * Invariant: PINs are typed twice and never shown.
 */
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';
import { PinField } from '../../widgets/pin-field.tsx';
import { Heard, LineField } from './fields.tsx';
import { missingIn, type SetupForm, type Step, steps } from './setup-form.ts';

type FinishStepProps = {
  readonly form: SetupForm;
  readonly onChange: (change: Partial<SetupForm>) => void;
  readonly onGo: (step: Step) => void;
};

/** The step. */
export function FinishStep({ form, onChange, onGo }: FinishStepProps) {
  const text = useText();
  const own = missingIn('finish', form);
  const missing = steps.filter((step) => step !== 'finish' && missingIn(step, form) !== null);
  return (
    <>
      {missing.length > 0 ? (
        <ul className="setup-missing">
          {missing.map((step) => (
            <li key={step}>
              <Button className="staff-button line-button" onPress={() => onGo(step)}>
                <Text id={`setup.step.${step}`} />
              </Button>
              <span>
                <Text id={`setup.missing.${missingIn(step, form) ?? 'event'}`} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Heard tone={own === null ? 'captured' : 'wait'}>
          <Text id={own === null ? 'setup.ready' : `setup.missing.${own}`} />
        </Heard>
      )}
      {form.encryption === 'encrypted' ? null : (
        <Heard tone="wait">
          <Text id="health.encryption" values={{ kind: form.encryption }} />
        </Heard>
      )}
      <p className="setup-hint">{text('rehearsal.offer')}</p>
      <ChosenPins pins={form.pins} onChange={(pins) => onChange({ pins })} />
    </>
  );
}

type PinsProps = {
  readonly pins: SetupForm['pins'];
  readonly onChange: (pins: SetupForm['pins']) => void;
};

/** The PINs: the stored PINs, the PINs of a file, or fields for new PINs. */
function ChosenPins({ pins, onChange }: PinsProps) {
  if (!pins.needed)
    return (
      <p className="setup-hint">
        <Text id="setup.pinsKept" />
      </p>
    );
  if (pins.upload === null) return <Pins pins={pins} onChange={onChange} />;
  return (
    <div className="setup-part">
      <h3>
        <Text id="setup.pins" />
      </h3>
      <p className="setup-hint">
        <Text id="setup.pinsOfFile" />
      </p>
      <div className="setup-row">
        <Button className="staff-button line-button" onPress={() => onChange({ ...pins, upload: null })}>
          <Text id="setup.pinsType" />
        </Button>
      </div>
    </div>
  );
}

/** Two PINs, each typed twice. If the entries differ, the PIN counts as empty. */
function Pins({ pins, onChange }: PinsProps) {
  const text = useText();
  const [typed, setTyped] = useState({ team: '', teamAgain: '', technician: '', technicianAgain: '' });
  const type = (next: Partial<typeof typed>) => {
    const now = { ...typed, ...next };
    setTyped(now);
    onChange({
      ...pins,
      team: now.team === now.teamAgain ? now.team : '',
      technician: now.technician === now.technicianAgain ? now.technician : '',
    });
  };
  const differs = (one: string, again: string) => again.length >= one.length && again !== '' && again !== one;
  const isWrong = differs(typed.team, typed.teamAgain) || differs(typed.technician, typed.technicianAgain);
  const isSame = pins.team !== '' && pins.team === pins.technician;
  return (
    <fieldset className="setup-part">
      <legend>
        <Text id="setup.pins" />
      </legend>
      <p className="setup-hint">
        <Text id="setup.pinsHint" />
      </p>
      <LineField
        label={text('entry.name')}
        most={60}
        value={pins.name}
        onChange={(name) => onChange({ ...pins, name })}
      />
      <div className="setup-row">
        <PinField label={text('setup.pinTeam')} value={typed.team} onChange={(team) => type({ team })} />
        <PinField
          label={text('entry.newPinAgain')}
          value={typed.teamAgain}
          onChange={(teamAgain) => type({ teamAgain })}
        />
      </div>
      <div className="setup-row">
        <PinField
          label={text('setup.pinTechnician')}
          value={typed.technician}
          onChange={(technician) => type({ technician })}
        />
        <PinField
          label={text('entry.newPinAgain')}
          value={typed.technicianAgain}
          onChange={(technicianAgain) => type({ technicianAgain })}
        />
      </div>
      {isWrong || isSame ? (
        <Heard tone="wait">
          <Text id={isWrong ? 'entry.differs' : 'setup.pinsSame'} />
        </Heard>
      ) : null}
    </fieldset>
  );
}
