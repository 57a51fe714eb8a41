/**
 * What the key of a hub lacks, found out by asking the platform and said in sentences: a hub with too weak a key works and
 * delivers nothing, or shows no names, and should say so the evening before.
 *
 * Invariant: nothing is written on the platform; the right to send is tried with an empty list.
 */

import { RESOURCES } from '../src-main/core/event/mirror/resources.ts';
import type { ApiClient } from '../src-main/core/foundations/api/client.ts';
import { listPage } from '../src-main/core/foundations/api/endpoints.ts';
import { ApiError, isMissingRight } from '../src-main/core/foundations/api/error-class.ts';
import { postActions } from '../src-main/core/foundations/api/write-extension.ts';
import type { Clock } from '../src-main/core/foundations/ports.ts';

/** Asks the platform what the key may do; a sentence for each thing that a hub needs and the key lacks. @throws ApiError */
export async function lacksOf(
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
  return [
    ...(sends
      ? []
      : ['The key may not write: what devices capture stays here. Start the hub with a key that may.']),
    ...(unread.length === 0
      ? []
      : [`The key may not read ${unread.join(', ')}: devices of this hub go without. See docs/hub.md.`]),
  ];
}

async function isAllowed(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (isMissingRight(error)) return false;
    // A platform without the extension says so where facts are delivered.
    if (error instanceof ApiError && error.errorClass.kind === 'stop') return true;
    throw error;
  }
}

const ASK_AGAIN_MS = 60_000;

/** Says once what `ask` finds, as soon as the platform answers it; until then once that it does not. */
export async function tellLacks(
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
        say(`The platform cannot be reached now (${error.message}); the hub serves, and sends when it can.`);
      await clock.sleep(ASK_AGAIN_MS, signal);
    }
  }
}
