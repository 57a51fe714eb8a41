/**
 * The frame all steps of a session share: head, body, one row of controls.
 *
 * Invariants: the controls of a step stand in one row at its end; undo is there as long as the device takes it.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { takeFocus } from '../../widgets/focus.ts';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { TextLine } from '../wording/text-line.tsx';
import type { Wording } from '../wording/wording.ts';
import { UndoOffer } from './undo-offer.tsx';

/** A step: head, body, controls. Takes the focus when it comes, so that keys and readers go on from here. */
export function StepFrame({
  name,
  wording,
  children,
}: {
  readonly name: string;
  readonly wording: Wording;
  readonly children: ReactNode;
}) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => takeFocus(frame.current), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields, but a part that has no name
    <section className="step" data-step={name} ref={frame} tabIndex={-1} role="group">
      <header className="step-head">
        <h1 className="step-headline">
          <TextLine line={wording.headline} />
        </h1>
        <p className="step-sentence">
          <TextLine line={wording.sentence} />
        </p>
      </header>
      {children}
    </section>
  );
}

/** The row at the end of a step. */
export function StepActions({
  session,
  runtime,
  now,
  children,
}: {
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  readonly now: number;
  readonly children: ReactNode;
}) {
  return (
    <div className="step-actions">
      {children}
      <span className="step-gap" />
      <UndoOffer session={session} runtime={runtime} now={now} />
    </div>
  );
}
