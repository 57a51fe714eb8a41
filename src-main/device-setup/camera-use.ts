/**
 * Tracks whether a page uses the camera or the microphone, for the shell that grants access to them.
 *
 * Invariant: the camera or microphone is in use only while a page that needs it is open and its user is signed in or
 * may set up this device.
 */
import type { MediaUse } from '../contract/attachments.ts';

export type CameraUse = {
  readonly isUsed: (device: MediaUse) => boolean;
  /** Calls `listener` on every change. */
  readonly onChange: (listener: () => void) => void;
  /** Counts one use, which lasts until the returned function is called. */
  readonly begin: (device: MediaUse) => () => void;
};

/** Camera and microphone are not in use at first. */
export function createCameraUse(): CameraUse {
  const listeners: (() => void)[] = [];
  const open = new Map<symbol, MediaUse>();
  const isUsed = (device: MediaUse): boolean => [...open.values()].includes(device);
  const change = (device: MediaUse, work: () => void): void => {
    const before = isUsed(device);
    work();
    if (before !== isUsed(device)) for (const listener of listeners) listener();
  };
  return {
    isUsed,
    onChange: (listener) => void listeners.push(listener),
    begin: (device) => {
      const use = Symbol(device);
      change(device, () => open.set(use, device));
      return () => change(device, () => open.delete(use));
    },
  };
}
