/**
 * The frame of every step of a session: title, body, one row of controls.
 *
 * Invariant: the controls of a step are in one row at its end; the buttons to leave and to take the tap back have the
 * same place as on every screen of a session (`screen/frame.tsx`).
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { takeFocus } from '../../widgets/focus.ts';
import { TextLine } from '../wording/text-line.tsx';
import type { Wording } from '../wording/wording.ts';

/** A step. Takes the focus when it appears, so that keys and screen readers continue from here. */
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
    // biome-ignore lint/a11y/useSemanticElements: not a set of fields, but a part without a name
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

/** The row of controls at the end of a step. */
export function StepActions({ children }: { readonly children: ReactNode }) {
  return <div className="step-actions">{children}</div>;
}
