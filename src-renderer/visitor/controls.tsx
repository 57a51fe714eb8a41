/**
 * What a visitor can do in a stage: take it back, be done, type a code.
 *
 * Invariants: a control is there only while it works; `Escape` is the same as "done".
 */
import { useEffect, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import { Text, useText } from '../messages/text.tsx';
import type { DisplayRuntime, View } from './runtime.ts';

type ControlsProps = { readonly view: View; readonly runtime: DisplayRuntime };

/** The controls of the stage on show. */
export function Controls({ view, runtime }: ControlsProps) {
  const { stage, device } = view;
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') runtime.send({ kind: 'dismiss' });
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [runtime]);

  switch (stage.kind) {
    case 'attract':
      return (
        <ul className="chips">
          {device?.partner ? (
            <li>
              <Text id="attract.onlyPartner" values={{ partner: device.partner.name }} />
            </li>
          ) : null}
          <li>
            <Text id="attract.takeBack" />
          </li>
        </ul>
      );
    case 'captured':
      return <CapturedControls stage={stage} runtime={runtime} now={view.now} />;
    case 'typing':
      return <TypedCode runtime={runtime} />;
    case 'notRead':
    case 'refused':
    case 'failed':
    case 'undone':
      return (
        <div className="actions">
          <Done runtime={runtime} />
        </div>
      );
    default:
      return null;
  }
}

type CapturedStage = Extract<View['stage'], { kind: 'captured' }>;

function CapturedControls({
  stage,
  runtime,
  now,
}: {
  readonly stage: CapturedStage;
  readonly runtime: DisplayRuntime;
  readonly now: number;
}) {
  return (
    <div className="actions">
      {stage.undo === 'offered' ? (
        <Button className="pill action" onPress={runtime.undo}>
          <Countdown key={stage.since} total={stage.undoUntil - stage.since} left={stage.undoUntil - now} />
          <Text id="undo.offer" />
        </Button>
      ) : null}
      {stage.undo === 'asked' ? (
        <p className="action-note">
          <Text id="undo.asked" />
        </p>
      ) : null}
      {stage.undo === 'late' || stage.undo === 'failed' ? (
        <p className="action-note" data-tone="stop" role="alert">
          <Text id={stage.undo === 'late' ? 'undo.over' : 'undo.failed'} />
        </p>
      ) : null}
      {stage.undo === 'asked' ? null : <Done runtime={runtime} />}
    </div>
  );
}

function Done({ runtime }: { readonly runtime: DisplayRuntime }) {
  return (
    <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'dismiss' })}>
      <Text id="common.done" />
    </Button>
  );
}

/** A ring that shrinks with the seconds left in it; `total` and `left` in milliseconds. */
function Countdown({ total, left }: { readonly total: number; readonly left: number }) {
  const [until] = useState(() => performance.now() + left);
  const [seconds, setSeconds] = useState(() => Math.ceil(left / 1000));
  useEffect(() => {
    const timer = setInterval(
      () => setSeconds(Math.max(Math.ceil((until - performance.now()) / 1000), 0)),
      200,
    );
    return () => clearInterval(timer);
  }, [until]);
  return (
    <svg className="countdown" viewBox="0 0 40 40" aria-hidden="true">
      <circle className="countdown-track" cx="20" cy="20" r="17" />
      <circle
        className="countdown-left"
        cx="20"
        cy="20"
        r="17"
        pathLength={100}
        transform="rotate(-90 20 20)"
        style={{ animationDuration: `${total}ms`, animationDelay: `${left - total}ms` }}
      />
      <text x="20" y="21">
        <Text id="undo.seconds" values={{ seconds }} />
      </text>
    </svg>
  );
}

/** A code by hand, for badges that no reader reads. */
function TypedCode({ runtime }: { readonly runtime: DisplayRuntime }) {
  const text = useText();
  const [code, setCode] = useState('');
  return (
    <Form
      className="typed-code"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) runtime.enter(code.trim(), 'manual');
      }}
    >
      <TextField
        className="field"
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={code}
        onChange={(value) => {
          setCode(value);
          runtime.send({ kind: 'typedKey' });
        }}
      >
        <Label className="only-heard">{text('typing.label')}</Label>
        <Input className="field-input" autoCapitalize="characters" spellCheck="false" />
      </TextField>
      <div className="actions">
        <Button type="submit" className="pill action action-strong" isDisabled={!code.trim()}>
          <Text id="typing.send" />
        </Button>
        <Button className="pill action" onPress={() => runtime.send({ kind: 'dismiss' })}>
          <Text id="typing.cancel" />
        </Button>
      </div>
    </Form>
  );
}
