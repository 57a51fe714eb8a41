/**
 * A rehearsal in progress: the current instruction, the readings of the device, and the list of steps.
 *
 * Invariants:
 * - Only the device decides that a step passed.
 * - A step is skipped only with a reason.
 * - After the last step the sheet opens.
 */
import { useEffect, useRef, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import type {
  RehearsalState,
  RehearsalStep,
  RehearsalStepName,
} from '../../../src-main/contract/rehearsal.ts';
import { rehearsalPhases } from '../../../src-main/contract/rehearsal-steps.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { StepState } from './step-state.tsx';
import { useRehearsal } from './use-rehearsal.ts';

const health = addressOf('health');

/** The page. `onPresence`: reports activity of a user who taps badges and pulls plugs without touching the page. */
export function Drill({ link, onPresence }: { readonly link: Link; readonly onPresence: () => void }) {
  const { state, act } = useRehearsal(link, true);
  const seen = state?.drill?.steps.map((step) => step.state).join(' ');
  useEffect(() => {
    if (seen !== undefined) onPresence();
  }, [seen, onPresence]);
  useSheetAtTheEnd(state);
  if (state === null || state.drill === null) return <NoDrill known={state !== null} />;
  const { steps } = state.drill;
  const present = steps.find((step) => step.state === 'waiting');
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="rehearsal.title" />
          </h1>
          <Button
            className="staff-button line-button title-end"
            onPress={() => {
              act((client) => client.rehearsal.drop());
              goTo(health);
            }}
          >
            <Text id="rehearsal.drop" />
          </Button>
        </div>
      </header>
      <div className="rehearsal">
        <ol className="rehearsal-steps">
          {steps.map((step) => (
            <li
              key={step.name}
              data-state={step.state}
              aria-current={step.name === present?.name ? 'step' : undefined}
            >
              <strong>
                <Text id="rehearsal.step" values={{ kind: step.name }} />
              </strong>
              <StepState step={step} />
            </li>
          ))}
        </ol>
        {present === undefined ? null : (
          <Present
            key={present.name}
            step={present}
            hint={state.hint}
            onSkip={(reason) => act((client) => client.rehearsal.skip({ step: present.name, reason }))}
          />
        )}
      </div>
    </>
  );
}

/** Opens the sheet of a rehearsal that ended while the page was open. */
function useSheetAtTheEnd(state: RehearsalState | null): void {
  const watched = useRef<string | null>(null);
  useEffect(() => {
    if (state === null) return;
    const ended = state.drill === null && watched.current !== null ? watched.current : null;
    watched.current = state.drill?.id ?? null;
    if (ended === null || !state.sheets.some(({ id }) => id === ended)) return;
    goTo(addressOf('health', new URLSearchParams({ sheet: ended })), false);
  }, [state]);
}

function NoDrill({ known }: { readonly known: boolean }) {
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="rehearsal.title" />
          </h1>
        </div>
      </header>
      <div className="staff-empty" role="status">
        <h2>
          <Text id={known ? 'rehearsal.notUnderWay' : 'staff.loading'} />
        </h2>
        <Button className="staff-button" onPress={() => goTo(health)}>
          <Text id="rehearsal.back" />
        </Button>
      </div>
    </>
  );
}

type PresentProps = {
  readonly step: RehearsalStep;
  readonly hint: RehearsalState['hint'];
  readonly onSkip: (reason: string) => void;
};

function Present({ step, hint, onSkip }: PresentProps) {
  const text = useText();
  const [reason, setReason] = useState('');
  const phases: readonly string[] = rehearsalPhases[step.name];
  return (
    <section className="rehearsal-present">
      <h2>
        <Text id="rehearsal.step" values={{ kind: step.name }} />
        {step.simulated ? (
          <span className="rehearsal-simulated">
            <Text id="rehearsal.simulated" />
          </span>
        ) : null}
      </h2>
      <p className="rehearsal-do" role="status">
        <Text id={doing(step.name, step.seen)} />
      </p>
      {hint === null ? null : (
        <p className="notice" data-tone="wait" role="status">
          <Text id="rehearsal.hint" values={{ kind: hint }} />
        </p>
      )}
      <p className="rehearsal-dots" aria-hidden="true">
        {phases.map((phase, index) => (
          <i key={phase} data-seen={index < step.seen} />
        ))}
      </p>
      <Form
        className="rehearsal-skip"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onSkip(reason.trim());
        }}
      >
        <TextField className="setup-field" value={reason} maxLength={200} onChange={setReason}>
          <Label>{text('rehearsal.skipReason')}</Label>
          <Input className="setup-input" autoComplete="off" />
        </TextField>
        <Button type="submit" className="staff-button line-button" isDisabled={reason.trim().length < 3}>
          <Text id="rehearsal.skip" />
        </Button>
      </Form>
    </section>
  );
}

/** The instruction in each phase of a step. */
function doing(name: RehearsalStepName, seen: number) {
  switch (name) {
    case 'known':
      return 'rehearsal.do.known.tap';
    case 'unknown':
      return 'rehearsal.do.unknown.tap';
    case 'reader':
      return `rehearsal.do.reader.${rehearsalPhases.reader[seen === 0 ? 0 : 1]}` as const;
    case 'network':
      return `rehearsal.do.network.${rehearsalPhases.network[Math.min(seen, 3) as 0 | 1 | 2 | 3]}` as const;
    case 'disk':
      return `rehearsal.do.disk.${rehearsalPhases.disk[seen === 0 ? 0 : 1]}` as const;
    case 'clock':
      return `rehearsal.do.clock.${rehearsalPhases.clock[seen === 0 ? 0 : 1]}` as const;
    case 'kill':
      return `rehearsal.do.kill.${rehearsalPhases.kill[seen === 0 ? 0 : 1]}` as const;
  }
}
