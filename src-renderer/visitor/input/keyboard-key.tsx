/**
 * One key of the keyboard on the screen.
 *
 * Invariants: it never takes the focus; a press writes at once, on the way down, as a key does; it is no stop for the Tab key,
 * whoever has one has letters, too.
 */
import type { MouseEvent, PointerEvent, ReactNode } from 'react';

type KeyProps = {
  readonly label: string;
  /** What it is called where its label is a sign. */
  readonly name?: string;
  readonly wide?: boolean;
  readonly on?: boolean;
  readonly press: () => void;
};

/** A key that writes or turns something. */
export function Key({ label, name, wide = false, on, press }: KeyProps) {
  return (
    <button
      type="button"
      className={wide ? 'key key-wide' : 'key'}
      tabIndex={-1}
      // What can be read on it is part of its name, for whoever says it (WCAG 2.5.3).
      aria-label={name && /[\p{L}\p{N}]/u.test(label) ? `${label} ${name}` : name}
      aria-pressed={on}
      {...pressing(press)}
    >
      {label}
    </button>
  );
}

/** The long key. */
export function SpaceKey({ children, press }: { readonly children: ReactNode; readonly press: () => void }) {
  return (
    <button type="button" className="key key-space" tabIndex={-1} {...pressing(press)}>
      {children}
    </button>
  );
}

/** Presses on the way down without taking the focus from the field; a reader's click has no way down. */
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
