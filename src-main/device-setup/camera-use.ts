/**
 * Whether a page scans set-up codes with its camera, for the shell that grants camera access.
 *
 * Invariant: the camera is in use only while a user who may set this device up has the code scanner open.
 */
export type CameraUse = {
  readonly isUsed: () => boolean;
  /** Calls `listener` on every change. */
  readonly onChange: (listener: () => void) => void;
  /** Counts an open scanner until the returned function is called. */
  readonly begin: () => () => void;
};

/** No scanner is open at first. */
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
