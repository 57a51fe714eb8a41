/**
 * Parts the steps of a visit share: their head, their row of controls, the undo that goes along, countdowns.
 *
 * Invariants: the controls of a step stand in one row at its end; undo is there as long as the device takes it.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { takeFocus } from '../../widgets/focus.ts';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Visit } from '../state/session.ts';
import type { Line, Words } from '../wording/wording.ts';

/** A line of words, whoever wrote it. */
export function LineText({ line }: { readonly line: Line }): ReactNode {
  return 'own' in line ? <bdi dir="auto">{line.own}</bdi> : <Text {...line} />;
}

/** A step: head, body, controls. Takes the focus when it comes, so that keys and readers go on from here. */
export function StepFrame({
  name,
  words,
  children,
}: {
  readonly name: string;
  readonly words: Words;
  readonly children: ReactNode;
}) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => takeFocus(frame.current), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields, but a part that has no name
    <section className="step" data-step={name} ref={frame} tabIndex={-1} role="group">
      <header className="step-head">
        <h1 className="step-headline">
          <LineText line={words.headline} />
        </h1>
        <p className="step-sentence">
          <LineText line={words.sentence} />
        </p>
      </header>
      {children}
    </section>
  );
}

/** The row at the end of a step. */
export function StepActions({
  visit,
  runtime,
  now,
  children,
}: {
  readonly visit: Visit;
  readonly runtime: DisplayRuntime;
  readonly now: number;
  readonly children: ReactNode;
}) {
  return (
    <div className="step-actions">
      {children}
      <span className="step-gap" />
      <UndoOffer visit={visit} runtime={runtime} now={now} />
    </div>
  );
}

/** "Take it back" for as long as it is taken, then in words what became of it. */
export function UndoOffer({
  visit,
  runtime,
  now,
}: {
  readonly visit: Visit;
  readonly runtime: DisplayRuntime;
  readonly now: number;
}) {
  switch (visit.undo) {
    case 'offered':
      return (
        <Button className="pill action" onPress={runtime.undo}>
          <Countdown
            key={visit.factId}
            total={visit.undoUntil - visit.undoSince}
            left={visit.undoUntil - now}
          />
          <Text id="undo.offer" />
        </Button>
      );
    case 'asked':
      return (
        <p className="action-note">
          <Text id="undo.asked" />
        </p>
      );
    case 'late':
    case 'failed':
      return (
        <p className="action-note" data-tone="stop" role="alert">
          <Text id={visit.undo === 'late' ? 'undo.over' : 'undo.failed'} />
        </p>
      );
    case 'over':
      return null;
  }
}

/** A ring that shrinks with the seconds left in it; `total` and `left` in milliseconds. */
function Countdown({ total, left }: { readonly total: number; readonly left: number }) {
  const [start] = useState(left);
  const seconds = useSecondsLeft(left);
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
        style={{ animationDuration: `${total}ms`, animationDelay: `${Math.min(start - total, 0)}ms` }}
      />
      <text x="20" y="21">
        <Text id="undo.seconds" values={{ seconds }} />
      </text>
    </svg>
  );
}

/** Whole seconds until `left` milliseconds from the first drawing on are over. */
export function useSecondsLeft(left: number): number {
  const [until] = useState(() => performance.now() + left);
  const [seconds, setSeconds] = useState(() => Math.ceil(left / 1000));
  useEffect(() => {
    const timer = setInterval(
      () => setSeconds(Math.max(Math.ceil((until - performance.now()) / 1000), 0)),
      200,
    );
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
