/**
 * The rights that the key of a hub lacks, as sentences. A hub with a weak key starts, but delivers nothing or shows
 * no names. Staff should learn this before the fair opens.
 *
 * Invariant: the check writes nothing on the platform; it tests the right to write with an empty list.
 */

import { RESOURCES } from '../src-main/core/event/mirror/resources.ts';
import type { ApiClient } from '../src-main/core/foundations/api/client.ts';
import { listPage } from '../src-main/core/foundations/api/endpoints.ts';
import { ApiError, isMissingRight } from '../src-main/core/foundations/api/error-class.ts';
import { postActions } from '../src-main/core/foundations/api/write-extension.ts';
import type { Clock } from '../src-main/core/foundations/ports.ts';

/** Tests the key on the platform; returns a sentence for each missing right. @throws ApiError */
export async function missingRightsOf(
  client: ApiClient,
  expoId: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const unread: string[] = [];
  for (const { name, path, idField } of RESOURCES) {
    const one = { path, idField, fromRevision: 0n, limit: 1, showsDeleted: false, filter: {} };
    if (!(await isAllowed(() => listPage(client, expoId, one, signal)))) unread.push(name);
  }
  const sends = await isAllowed(() => postActions(client, expoId, [], signal));
  const sentences: string[] = [];
  if (!sends)
    sentences.push(
      'The key may not write: facts of the devices stay at the hub. Start the hub with a key that may.',
    );
  if (unread.length > 0)
    sentences.push(
      `The key may not read ${unread.join(', ')}: devices of this hub do not get them. See docs/hub.md.`,
    );
  return sentences;
}

async function isAllowed(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (isMissingRight(error)) return false;
    // The delivery itself reports a platform without the write extension.
    if (error instanceof ApiError && error.errorClass.kind === 'stop') return true;
    throw error;
  }
}

const RETRY_AFTER_MS = 60_000;

/** Prints the result of `ask` once. If the platform does not answer, prints that once and retries. */
export async function reportMissingRights(
  ask: (signal: AbortSignal) => Promise<readonly string[]>,
  say: (sentence: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      for (const sentence of await ask(signal)) say(sentence);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (failures === 1)
        say(
          `The platform cannot be reached now (${error.message}); the hub serves devices and sends their facts later.`,
        );
      await clock.sleep(RETRY_AFTER_MS, signal);
    }
  }
}
