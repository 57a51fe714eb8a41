/**
 * What the stand asks the platform for beside the mirror, once per round of it: e-mails that wait, detailed forms,
 * pictures.
 *
 *     e-mails that wait ► detailed forms ► pictures
 *
 * Invariant: it never holds up the mirror: what fails, and what there was no time for, is left for the next round of the
 * loop (docs/laws.md#law-12).
 */

import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Pictures } from '../../event/pictures/pictures.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import type { Clock } from '../../foundations/ports.ts';
import { DETAILS_ROUND_MS, PICTURES_ROUND_MS } from '../../foundations/time/windows.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import { refreshDetails } from './details.ts';
import type { Emails } from './emails.ts';
import type { StandPictures } from './stand-pictures.ts';

export type BackgroundJobsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly assignment: () => DeviceAssignment | null;
  /** Tells staff when the device cannot be what it is set to be. */
  readonly checkAssignment: () => void;
  readonly emails: Emails;
  readonly pictures: Pictures;
  readonly standPictures: StandPictures;
  /** Something on the screens changed. */
  readonly onChange: () => void;
  /** There is more to do: another round soon. */
  readonly again: () => void;
};

/**
 * One round.
 *
 * @throws the signal's reason when the caller aborted
 */
export async function runBackgroundJobs(ports: BackgroundJobsPorts, signal: AbortSignal): Promise<void> {
  const { client, expoId, mirror, clock, onChange } = ports;
  ports.checkAssignment();
  await ports.emails.sendWaiting(signal);
  const here = ports.assignment();
  if (here === null) return;
  const details = { client, expoId, mirror, clock, onKept: onChange };
  const isLate = await refreshDetails(details, here, DETAILS_ROUND_MS, signal);
  const drawn = await ports.pictures.fetch(ports.standPictures.wanted(), PICTURES_ROUND_MS, signal);
  if (drawn.fetched > 0) onChange();
  if (isLate || drawn.left) ports.again();
}
