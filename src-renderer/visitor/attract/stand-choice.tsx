/**
 * The choice of this device's touchpoint, from the event's list.
 *
 * Invariants:
 * - Nothing is captured before the choice; each entry shows name, partner and the id that `stand.json` uses.
 * - If the team has a PIN, the choice needs it, because a visitor must not decide who gets the leads.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { TouchpointChoice } from '../../../src-main/contract/device.ts';
import type { PinRefusal } from '../../../src-main/contract/staff.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { linkTimes } from '../../times.ts';
import { DigitPad, PinField } from '../../widgets/pin-field.tsx';

/** The touchpoints of the event. A choice needs a touch, a confirmation, and the PIN of the team if one is set. */
export function StandChoice({ link }: { readonly link: Link }) {
  const [chosen, setChosen] = useState<TouchpointChoice | null>(null);
  const [refusal, setRefusal] = useState<PinRefusal | 'failed' | null>(null);
  const { data } = useQuery({
    queryKey: ['device.touchpoints'],
    queryFn: () => link.call((client, signal) => client.device.touchpoints(undefined, { signal })),
    refetchInterval: ({ state }) => (state.data?.length ? false : linkTimes.reconnectTo),
    gcTime: 0,
  });
  const choose = (pin?: string) => {
    if (chosen === null) return;
    link
      .call((client, signal) => client.device.choose({ touchpoint: chosen.id, pin }, { signal }))
      .then(
        (answer) => setRefusal(answer.pin ?? null),
        () => (pin === undefined ? setChosen(null) : setRefusal('failed')),
      );
  };
  if (!data?.length) {
    return (
      <p className="action-note" role="status">
        <Text id="choice.waiting" />
      </p>
    );
  }
  if (chosen !== null && refusal !== null) {
    return <PinQuestion chosen={chosen} refusal={refusal} onPin={choose} onBack={() => setRefusal(null)} />;
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <ul className="stand-choice" tabIndex={0}>
        {data.map((choice) => (
          <li key={choice.id}>
            <Button
              className="pill stand-choice-item"
              data-chosen={chosen?.id === choice.id}
              onPress={() => setChosen(choice)}
            >
              <ChoiceName choice={choice} />
            </Button>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button className="pill action action-strong" isDisabled={chosen === null} onPress={() => choose()}>
          <Text id="choice.choose" />
        </Button>
      </div>
    </>
  );
}

function ChoiceName({ choice: { id, name, partner } }: { readonly choice: TouchpointChoice }) {
  return (
    <>
      <bdi>{partner ?? '–'}</bdi>
      <bdi>{name}</bdi>
      <bdi className="address" dir="ltr">
        {id}
      </bdi>
    </>
  );
}

type PinQuestionProps = {
  readonly chosen: TouchpointChoice;
  readonly refusal: PinRefusal | 'failed';
  readonly onPin: (pin: string) => void;
  readonly onBack: () => void;
};

function PinQuestion({ chosen, refusal, onPin, onBack }: PinQuestionProps) {
  const text = useText();
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const seconds = useSecondsLeft(refusal);
  const waits = seconds > 0;
  useEffect(() => {
    if (!waits) field.current?.focus();
  }, [waits]);
  return (
    <Form
      className="stand-pin"
      onSubmit={(event) => {
        event.preventDefault();
        if (pin.length < 4 || waits) return;
        setPin('');
        onPin(pin);
      }}
    >
      <p className="stand-pin-choice">
        <ChoiceName choice={chosen} />
      </p>
      <PinField label={text('choice.pin')} value={pin} onChange={setPin} field={field} isDisabled={waits} />
      <p className="stand-pin-answer" role="status">
        <PinAnswer refusal={refusal} seconds={seconds} />
      </p>
      <DigitPad value={pin} onChange={setPin} isDisabled={waits} />
      <div className="actions">
        <Button type="submit" className="pill action action-strong" isDisabled={pin.length < 4 || waits}>
          <Text id="choice.choose" />
        </Button>
        <Button className="pill action" onPress={onBack}>
          <Text id="question.back" />
        </Button>
      </div>
    </Form>
  );
}

function PinAnswer({ refusal, seconds }: Pick<PinQuestionProps, 'refusal'> & { readonly seconds: number }) {
  if (seconds > 0) return <Text id="entry.wait" values={{ seconds, minutes: Math.ceil(seconds / 60) }} />;
  if (refusal === 'failed') return <Text id="delivery.failed" />;
  if (refusal.kind === 'wrong') return <Text id="entry.wrong" />;
  return refusal.kind === 'damaged' ? <Text id="entry.damaged" /> : null;
}

/** Seconds until the next PIN is accepted, counted down. */
function useSecondsLeft(refusal: PinRefusal | 'failed'): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const waitMs = refusal !== 'failed' && 'waitMs' in refusal ? refusal.waitMs : 0;
    const until = performance.now() + waitMs;
    const count = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1_000)));
    count();
    if (waitMs === 0) return;
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [refusal]);
  return left;
}
