/**
 * What a page may use of the machine. Pure.
 *
 * Invariants:
 * - only our own page in its top frame gets anything;
 * - it may write text to the clipboard (Chromium asks for a touch or key before), and never read it;
 * - it gets a picture from the camera, without a microphone, where staff switched the camera on or while a technician reads the
 *   code of a set-up;
 * - everything else is denied. Electron grants it where no handler answers (security checklist, item 5).
 */
import { isOwnAddress } from './page-address.ts';

/** A request or a check of a permission. */
export type PermissionAsk = {
  readonly permission: string;
  /** `video`, `audio`; empty where the permission has none. */
  readonly kinds: readonly string[];
  /** Address of the frame that asks, as Electron knows it. */
  readonly address: string;
  readonly isMainFrame: boolean;
};

/** Whether it is granted. `camera`: whether the camera is in use now. */
export function mayUse({ permission, kinds, address, isMainFrame }: PermissionAsk, camera: boolean): boolean {
  if (!isMainFrame || !isOwnAddress(address)) return false;
  if (permission === 'clipboard-sanitized-write') return true;
  return camera && permission === 'media' && kinds.length > 0 && kinds.every((kind) => kind === 'video');
}
