/**
 * One key of the on-screen keyboard.
 *
 * Invariants:
 * - It never takes the focus.
 * - It writes on press, not on release.
 * - It is not a tab stop, because a user of the Tab key has a keyboard.
 */
import type { MouseEvent, PointerEvent, ReactNode } from 'react';

type KeyProps = {
  readonly label: string;
  /** Its name, if its label is a symbol. */
  readonly name?: string;
  readonly wide?: boolean;
  readonly on?: boolean;
  readonly press: () => void;
};

/** A key that writes or switches a layer. */
export function Key({ label, name, wide = false, on, press }: KeyProps) {
  return (
    <button
      type="button"
      className={wide ? 'key key-wide' : 'key'}
      tabIndex={-1}
      // The visible label is part of the name, for voice control (WCAG 2.5.3).
      aria-label={name && /[\p{L}\p{N}]/u.test(label) ? `${label} ${name}` : name}
      aria-pressed={on}
      {...pressing(press)}
    >
      {label}
    </button>
  );
}

/** The wide key. */
export function SpaceKey({ children, press }: { readonly children: ReactNode; readonly press: () => void }) {
  return (
    <button type="button" className="key key-space" tabIndex={-1} {...pressing(press)}>
      {children}
    </button>
  );
}

/** Acts on press without taking the focus. A screen reader sends a click without a press, which also counts. */
function pressing(press: () => void) {
  return {
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault();
      press();
    },
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) press();
    },
  };
}
