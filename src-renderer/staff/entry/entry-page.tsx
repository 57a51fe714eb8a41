/**
 * Sign-in to the staff pages: a PIN or a badge, or the first PIN of a new stand.
 *
 * Invariants:
 * - The page shows no name of a visitor or a team member.
 * - While no PIN is accepted after wrong ones, it counts down the wait.
 * - If there is a display, the way back to it is always visible.
 * - While a PIN can be typed, its field has the focus. A tap that interrupts clears the field.
 */
import { useEffect, useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { SignIn, StaffState } from '../../../src-main/contract/staff.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { DigitPad, PinField } from '../../widgets/pin-field.tsx';
import type { Entry } from './entry.ts';
import { FirstPin } from './first-pin.tsx';

type EntryPageProps = {
  readonly link: Link;
  readonly entry: Entry;
  readonly state: StaffState;
  /** False while a visitor's screen covers the page. */
  readonly inFront: boolean;
  /** Returns to the display. Null without a display. */
  readonly onLeave: (() => void) | null;
};

/** The page. */
export function EntryPage({ link, entry, state, inFront, onLeave }: EntryPageProps) {
  return (
    <main className="entry">
      <div className="entry-card">
        <h1>
          <Text id={state.pin === 'unset' ? 'entry.firstTitle' : 'entry.title'} />
        </h1>
        {state.pin === 'unset' ? <FirstPin link={link} /> : null}
        {state.pin === 'set' && inFront ? <SignInForm link={link} entry={entry} state={state} /> : null}
        {state.pin === 'damaged' ? (
          <p className="notice" data-tone="stop">
            <Text id="entry.damaged" />
          </p>
        ) : null}
      </div>
      {onLeave === null ? null : (
        <Button className="quiet-button entry-leave" onPress={onLeave}>
          <Text id="staff.leave" />
        </Button>
      )}
    </main>
  );
}

type Answer = SignIn['kind'] | 'failed' | 'asking' | null;

function SignInForm({ link, entry, state }: Omit<EntryPageProps, 'onLeave' | 'inFront'>) {
  const text = useText();
  const [pin, setPin] = useState('');
  const [answer, setAnswer] = useState<Answer>(null);
  const field = useRef<HTMLInputElement>(null);
  const seconds = useSecondsLeft(entry, state);
  const waits = seconds > 0;
  useEffect(() => {
    if (!waits) return;
    return () => setAnswer(null);
  }, [waits]);
  useEffect(() => {
    if (!waits && answer !== 'asking' && document.activeElement === document.body) field.current?.focus();
  }, [waits, answer]);
  const signIn = () => {
    if (pin.length < 4 || answer === 'asking') return;
    setAnswer('asking');
    setPin('');
    link
      .call((client, signal) => client.staff.signIn({ pin }, { signal }))
      .then(
        ({ kind }) => setAnswer(kind),
        () => setAnswer('failed'),
      );
  };
  return (
    <Form
      className="entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        signIn();
      }}
    >
      <p className="entry-hint">
        <Text id={state.badge ? 'entry.hintBadge' : 'entry.hint'} />
      </p>
      <PinField label={text('entry.pin')} value={pin} onChange={setPin} field={field} isDisabled={waits} />
      <p className="entry-answer" role="status">
        <EntryAnswer answer={answer} seconds={seconds} />
        {seconds > 0 && state.badge ? <Text id="entry.orBadge" /> : null}
      </p>
      <DigitPad value={pin} onChange={setPin} isDisabled={seconds > 0} />
      <Button type="submit" className="staff-button entry-go" isDisabled={pin.length < 4 || seconds > 0}>
        <Text id="entry.signIn" />
      </Button>
      {state.demo ? (
        <p className="entry-demo">
          <Text id="entry.demo" values={{ pin: state.demo.pin, technician: state.demo.technicianPin }} />
        </p>
      ) : null}
    </Form>
  );
}

function EntryAnswer({ answer, seconds }: { readonly answer: Answer; readonly seconds: number }) {
  if (seconds > 0) {
    return (
      <>
        <Text id="entry.wait" values={{ seconds, minutes: Math.ceil(seconds / 60) }} />{' '}
      </>
    );
  }
  if (answer === 'asking') return <Text id="entry.asking" />;
  if (answer === 'wrong') return <Text id="entry.wrong" />;
  return answer === 'failed' ? <Text id="delivery.failed" /> : null;
}

/** Seconds until the next PIN is accepted, counted down. */
function useSecondsLeft(entry: Entry, state: StaffState): number {
  const [, setTick] = useState(0);
  const waits = state.waitMs > 0;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 250);
    return () => clearInterval(timer);
  }, [waits]);
  return Math.ceil(entry.waitLeft() / 1_000);
}
