/**
 * Registers the hub at the platform for notifications, if its key has the right.
 *
 * Invariants
 * - An existing webhook for this address is reused, unless the platform stopped it (`error`).
 * - A type of webhook that the platform refuses is left out. The hub polls that list every ten seconds.
 * - No sentence and no log line contains the address, because it contains the secret.
 */
import { z } from 'zod';
import type { ApiClient } from '../src-main/core/foundations/api/client.ts';
import { ApiError, isRefusal } from '../src-main/core/foundations/api/error-class.ts';
import { parseOrUndefined } from '../src-main/core/foundations/api/json.ts';
import { pathOf } from '../src-main/core/foundations/api/path.ts';
import type { Clock } from '../src-main/core/foundations/ports.ts';

/** The types of webhooks, and the lists that a hub mirrors for them (docs/interface/webhooks.md#types). */
const LISTS = {
  visitor: 'visitors',
  partner: 'partners',
  content: 'contents',
  activity: 'activities',
  participant: 'participants',
  connection: 'connections',
  action: 'actions',
} as const;

/** A webhook of the platform and the list it is about. */
type Hook = { readonly webhookId: string; readonly resource: string };

const webhookSchema = z.object({ id: z.string(), type: z.string(), url: z.string(), state: z.string() });

/**
 * Registers `url` for every list, and returns the webhooks that exist afterwards.
 * @throws ApiError if the platform cannot be reached or refuses the list of webhooks
 */
async function registerAll(
  client: Pick<ApiClient, 'get' | 'post'>,
  expoId: string,
  url: string,
  signal: AbortSignal,
): Promise<readonly Hook[]> {
  const path = pathOf`/webhooks/${expoId}`;
  const listed = z
    .array(webhookSchema)
    .safeParse(parseOrUndefined(await client.get(path, { limit: 100 }, signal)));
  const own = (listed.data ?? []).filter((one) => one.url === url && one.state === 'wait');
  const hooks: Hook[] = [];
  for (const [type, resource] of Object.entries(LISTS)) {
    const webhookId = own.find((one) => one.type === type)?.id ?? (await registerOne(type));
    if (webhookId !== null) hooks.push({ webhookId, resource });
  }
  return hooks;

  async function registerOne(type: string): Promise<string | null> {
    try {
      const made = parseOrUndefined(await client.post(path, JSON.stringify({ type, url }), signal));
      return webhookSchema.safeParse(made).data?.id ?? null;
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }
}

const RETRY_AFTER_MS = 60_000;

/**
 * Registers `url`, with a retry every minute until the platform is reachable. Returns the webhooks: none if the key
 * lacks the right or `signal` was aborted. `say` receives the result as a sentence for the user.
 */
export async function registerWebhooks({
  client,
  expoId,
  url,
  clock,
  say,
  signal,
}: {
  readonly client: Pick<ApiClient, 'get' | 'post'>;
  readonly expoId: string;
  readonly url: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly say: (sentence: string) => void;
  readonly signal: AbortSignal;
}): Promise<readonly Hook[]> {
  while (!signal.aborted) {
    try {
      const hooks = await registerAll(client, expoId, url, signal);
      say(
        hooks.length === 0
          ? 'The platform registers no webhook for this hub and key; the hub polls it every ten seconds.'
          : `The platform notifies this hub of changes in ${hooks.map(({ resource }) => resource).join(', ')}.`,
      );
      return hooks;
    } catch (error) {
      if (isRefusal(error)) {
        say('The key may not manage webhooks; the hub polls the platform every ten seconds.');
        return [];
      }
      if (!signal.aborted && !(error instanceof ApiError)) throw error;
      await clock.sleep(RETRY_AFTER_MS, signal);
    }
  }
  return [];
}
