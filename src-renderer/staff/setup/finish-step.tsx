/**
 * The end of the set-up: what is still missing, the PINs where there are none, and the set-up as a file.
 *
 * Invariants: PINs are typed twice and never shown; the key goes into a file only when somebody asked for it.
 */
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { SetupTaken } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { PinField } from '../entry/pin-field.tsx';
import { CheckField, Heard, LineField } from './fields.tsx';
import { fetchSetup, putFile } from './files.ts';
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
      <p className="setup-hint">{text('rehearsal.offer')}</p>
      {form.pins.needed ? (
        <Pins pins={form.pins} onChange={(pins) => onChange({ pins })} />
      ) : (
        <p className="setup-hint">{text('setup.pinsKept')}</p>
      )}
    </>
  );
}

type PinsProps = {
  readonly pins: SetupForm['pins'];
  readonly onChange: (pins: SetupForm['pins']) => void;
};

/** Two PINs, each typed twice; what is not the same counts as not typed. */
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

type FileToolsProps = {
  readonly link: Link;
  readonly canWrite: boolean;
  readonly onTaken: (taken: Extract<SetupTaken, { kind: 'setup' }>) => void;
};

type Answer =
  | { readonly kind: 'taken' | 'lost' | 'written' }
  | { readonly kind: 'refused'; readonly taken: Extract<SetupTaken, { kind: 'refused' }> };

/** A set-up from a file, and this one into one. */
export function FileTools({ link, canWrite, onTaken }: FileToolsProps) {
  const text = useText();
  const [withKey, setWithKey] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File) => {
    const upload = await putFile(link, file);
    if (upload === null) {
      return setAnswer({ kind: 'refused', taken: { kind: 'refused', reason: 'notOurs', faults: [] } });
    }
    const taken = await link.call(
      (client, signal) => client.setup.take({ upload }, { signal }),
      setupTimes.ask,
    );
    if (taken.kind === 'refused') return setAnswer({ kind: 'refused', taken });
    setAnswer({ kind: 'taken' });
    onTaken(taken);
  };
  return (
    <div className="setup-part">
      <h3>
        <Text id="setup.file" />
      </h3>
      <p className="setup-hint">
        <Text id="setup.fileHint" />
      </p>
      <div className="setup-row">
        <label className="staff-button line-button file-button">
          <Text id="setup.fileTake" />
          <input
            ref={input}
            className="only-heard"
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file === undefined) return;
              take(file)
                .catch(() => setAnswer({ kind: 'lost' }))
                .finally(() => {
                  if (input.current !== null) input.current.value = '';
                });
            }}
          />
        </label>
        {canWrite ? (
          <>
            <Button
              className="staff-button line-button"
              onPress={() => {
                fetchSetup(link, withKey).then(
                  () => setAnswer({ kind: 'written' }),
                  () => setAnswer({ kind: 'lost' }),
                );
              }}
            >
              <Text id="setup.fileWrite" />
            </Button>
            <CheckField label={text('setup.fileKey')} checked={withKey} onChange={setWithKey} />
          </>
        ) : null}
      </div>
      <FileAnswer answer={answer} />
    </div>
  );
}

function FileAnswer({ answer }: { readonly answer: Answer | null }) {
  switch (answer?.kind) {
    case undefined:
      return null;
    case 'lost':
      return (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      );
    case 'refused':
      return (
        <Heard tone="stop">
          <Text id={`setup.file.${answer.taken.reason}`} />{' '}
          {answer.taken.faults.map((fault) => (
            <bdi key={fault} lang="en">
              {fault}.{' '}
            </bdi>
          ))}
        </Heard>
      );
    case 'taken':
    case 'written':
      return (
        <Heard tone="captured">
          <Text id={`setup.file.${answer.kind}`} />
        </Heard>
      );
  }
}
