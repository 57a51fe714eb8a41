/**
 * Whether a page reads codes by its camera for the set-up, so that a shell that asks before it gives a camera knows.
 *
 * Invariant: used for exactly as long as somebody who may set this device up has the reader of codes open.
 */
export type CameraUse = {
  readonly isUsed: () => boolean;
  /** Calls `listener` whenever that changes. */
  readonly onChange: (listener: () => void) => void;
  /** One more reader is open, until what this gives is called. */
  readonly begin: () => () => void;
};

/** No reader is open yet. */
export function createCameraUse(): CameraUse {
  const listeners: (() => void)[] = [];
  const open = new Set<symbol>();
  const change = (change: () => void): void => {
    const before = open.size > 0;
    change();
    if (before !== open.size > 0) for (const listener of listeners) listener();
  };
  return {
    isUsed: () => open.size > 0,
    onChange: (listener) => void listeners.push(listener),
    begin: () => {
      const reader = Symbol('reader');
      change(() => open.add(reader));
      return () => change(() => open.delete(reader));
    },
  };
}
