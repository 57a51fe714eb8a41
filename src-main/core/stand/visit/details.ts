/**
 * The detailed forms the stand needs, which lists do not carry: of our partner, its contents, and the activity one
 * checks in to.
 *
 * Invariants: asked for once per revision; what the platform refuses is remembered as refused for that revision, so it
 * keeps nothing else waiting; what fails otherwise is left for the next round (`sequential-requests.ts`); no transaction is open while
 * we wait (docs/laws.md#law-11).
 */

import type { Mirror } from '../../event/mirror/mirror.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { readDetail } from '../../foundations/api/endpoints.ts';
import { isRefusal } from '../../foundations/api/error-class.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import { eachInTurn } from './sequential-requests.ts';

export type DetailsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  /** After each detailed form that was kept. */
  readonly onKept: () => void;
};

type Wanted = { readonly resource: ResourceName; readonly id: string; readonly revision: bigint };

/**
 * Asks for what is missing or old, for about `patienceMs`; true when that was too short.
 *
 * @throws the signal's reason when the caller aborted
 */
export async function refreshDetails(
  { client, expoId, mirror, clock, onKept }: DetailsPorts,
  assignment: DeviceAssignment,
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = clock.monotonic() + patienceMs;
  let isLate = false;
  await eachInTurn(wantedBy(mirror, assignment), async ({ resource, id, revision }) => {
    if (mirror.stand.detail(resource, id)?.revision === revision) return true;
    isLate = clock.monotonic() >= until;
    if (isLate) return false;
    const body = await readOne(client, expoId, resource, id, signal);
    mirror.stand.keepDetail(resource, id, revision, body);
    onKept();
    return true;
  });
  return isLate;
}

function wantedBy(mirror: Mirror, { partner, activity }: DeviceAssignment): readonly Wanted[] {
  const one = (resource: ResourceName, id: string | null): readonly Wanted[] => {
    const record = id === null ? null : mirror.record(resource, id);
    return record === null ? [] : [{ resource, id: record.id, revision: record.revision }];
  };
  const contents = partner === null ? [] : mirror.stand.contentsOf(partner);
  return [
    ...one('partners', partner),
    ...one('activities', activity),
    ...contents.map(({ id, revision }): Wanted => ({ resource: 'contents', id, revision })),
  ];
}

async function readOne(
  client: ApiClient,
  expoId: string,
  resource: ResourceName,
  id: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return (await readDetail(client, expoId, resource, id, signal))?.body ?? null;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
