/**
 * The stand's requests to the platform besides the mirror, once per round.
 *
 *     pending e-mails ► detailed forms ► pictures
 *
 * Invariants:
 * - It never delays the mirror. Only the next round retries failed and unfinished work (docs/laws.md#law-12).
 * - After three consecutive failures a kind of request is left to the next round.
 * - A detailed form is requested once per revision. A refusal is stored for that revision.
 * - No transaction is open across an await (docs/laws.md#law-11).
 */
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import type { Pictures, WantedPicture } from '../../event/pictures/pictures.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { readDetail } from '../../foundations/api/endpoints.ts';
import { ApiError, isRefusal } from '../../foundations/api/error-class.ts';
import type { Clock } from '../../foundations/ports.ts';
import { DETAILS_ROUND_MS, PICTURES_ROUND_MS } from '../../foundations/time/windows.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import type { Emails } from './emails.ts';

type BackgroundJobsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Pick<Journal, 'emails'>;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly assignment: () => DeviceAssignment | null;
  readonly emails: Pick<Emails, 'send'>;
  readonly pictures: Pictures;
  /** The pictures, most important first. */
  readonly wantedPictures: () => readonly WantedPicture[];
  /** Called after a change of something that screens show. */
  readonly onChange: () => void;
  /** Requests another round soon, because work is left. */
  readonly again: () => void;
};

/**
 * One round.
 *
 * @throws the signal's reason when the caller aborted
 */
export async function runBackgroundJobs(ports: BackgroundJobsPorts, signal: AbortSignal): Promise<void> {
  const { client, expoId, journal, mirror, clock, pictures, onChange } = ports;
  await sendWaitingEmails(journal, ports.emails, signal);
  const here = ports.assignment();
  if (here === null) return;
  const details = { client, expoId, mirror, clock, onKept: onChange };
  const isLate = await refreshDetails(details, here, DETAILS_ROUND_MS, signal);
  const { fetched, left } = await pictures.fetch(ports.wantedPictures(), PICTURES_ROUND_MS, signal);
  if (fetched > 0) onChange();
  if (isLate || left) ports.again();
}

/** Sends pending e-mails. Failed ones stay. @throws the signal's reason when the caller aborted */
export async function sendWaitingEmails(
  journal: Pick<Journal, 'emails'>,
  emails: Pick<Emails, 'send'>,
  signal: AbortSignal,
): Promise<void> {
  await eachInTurn(journal.emails.waiting(), async (visitor) => {
    await emails.send(visitor, signal);
    return true;
  });
}

/**
 * Detailed forms that the stand needs and lists do not contain: our partner, its contents, the activity of a
 * check-in.
 */
type Wanted = { readonly resource: ResourceName; readonly id: string; readonly revision: bigint };

type DetailsPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  /** Called after each stored detailed form. */
  readonly onKept: () => void;
};

/**
 * Requests missing and old detailed forms for about `patienceMs`. Returns true if more work is left.
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

/** After this many consecutive failures the network is assumed to be down. */
const FEW = 3;

/**
 * Runs `work` for each of `things`. Ends early when it returns `false`. @throws what `work` throws, except an
 * ApiError
 */
async function eachInTurn<Thing>(
  things: Iterable<Thing>,
  work: (thing: Thing) => Promise<boolean>,
): Promise<void> {
  let failed = 0;
  for (const thing of things) {
    try {
      if (!(await work(thing))) return;
      failed = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed += 1;
      if (failed >= FEW) return;
    }
  }
}
