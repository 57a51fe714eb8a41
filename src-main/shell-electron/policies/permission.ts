/**
 * What a page may use of the machine. Pure.
 *
 * Invariant: nothing, but for a picture from the camera: for our own page, in its top frame, without a microphone, and
 * only where the stand team switched the camera on, or while a technician reads the code of a set-up. Electron says yes where nobody answers (security checklist, item 5).
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

/** Whether it is given. `camera`: whether one is used now. */
export function mayUse({ permission, kinds, address, isMainFrame }: PermissionAsk, camera: boolean): boolean {
  const isPicture = permission === 'media' && kinds.length > 0 && kinds.every((kind) => kind === 'video');
  return camera && isPicture && isMainFrame && isOwnAddress(address);
}
