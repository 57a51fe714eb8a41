/**
 * Access to a destination: a token that a user typed, or OAuth with PKCE (RFC 7636, RFC 8252).
 *
 * Invariants:
 * - A token is stored like the platform key, and never in a database, a log or a URL.
 * - An expired access token is refreshed once per request, even after days offline. Concurrent requests share one
 *   refresh: a refresh token may be valid once.
 * - A refresh never overwrites a token that replaced its own, and stores nothing for a removed destination.
 * - The limits that a destination announces in its headers hold before the next request of every caller. A request
 *   that would have to wait long fails as `busy`.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { HubFault } from '../../../contract/destinations.ts';
import { ApiError, retryAfterMs } from '../../foundations/api/error-class.ts';
import type { SendWebRequest, WebAnswer } from '../../foundations/api/web-request.ts';
import type { Clock, Random } from '../../foundations/ports.ts';
import { type DestinationKind, faultOf, jsonOf } from './adapter.ts';
import { signatureOf } from './webhook.ts';

/** The store of tokens. None of these functions rejects. */
export type SecretKeeper = {
  /** False if it could not be stored. */
  readonly keep: (id: string, secret: string) => Promise<boolean>;
  /** Null if there is none, or it cannot be read now. */
  readonly read: (id: string) => Promise<string | null>;
  readonly forget: (id: string) => Promise<void>;
  /** From now on, hides a token from the log. */
  readonly hide: (token: string) => void;
  /**
   * Runs a refresh of the token. Returns false without running it if another process is refreshing the token or has
   * just replaced it. Absent if no other process uses the token.
   */
  readonly alone?: (refresh: () => Promise<void>) => Promise<boolean>;
};

/** The store of the tokens of all destinations of a device. */
export type SecretStore = SecretKeeper & {
  /** Deletes the tokens of all other destinations, before it returns. Returns how many. Throws nothing. */
  readonly keepOnly: (ids: readonly string[]) => number;
};

const secretSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), token: z.string() }),
  z.object({
    kind: z.literal('oauth'),
    token: z.string(),
    refresh: z.string(),
    clientId: z.string(),
    tokenUrl: z.string(),
    revokeUrl: z.string(),
  }),
]);
export type Secret = z.infer<typeof secretSchema>;

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** Salesforce: the address of the organisation. */
  instance_url: z.string().optional(),
});

type AccessPorts = {
  readonly id: string;
  readonly isWebhook: boolean;
  readonly send: SendWebRequest;
  readonly secrets: SecretKeeper;
  readonly clock: Clock;
};

export type Access = {
  /** Sends a request with the token, or with the signature of a webhook. */
  readonly ask: SendWebRequest;
  /**
   * The reason why the hub that holds the token did not forward the last request, or null. Absent if the token is on
   * this device.
   */
  readonly hubFault?: () => HubFault | null;
  /** Uses another token from now on, and stores it. False if it could not be stored: the old one stays. */
  readonly replace: (next: Secret) => Promise<boolean>;
  /** Revokes the token if the destination supports it, and deletes it. False if it was only deleted. */
  readonly revoke: (signal: AbortSignal) => Promise<boolean>;
};

/** Above this share of a daily limit, requests are spaced out. */
const NEAR_THE_LIMIT = 0.9;
const SPREAD_MS = 10_000;
/** A longer wait is left to the caller. */
const LONGEST_WAIT_MS = 12_000;
/** Wait after a 429 without a time, and while another process refreshes the token. */
const FIRST_REST_MS = 1_000;

/** Access with the stored secret of `id`. */
export function createAccess({ id, isWebhook, send, secrets, clock }: AccessPorts): Access {
  let known: Secret | null = null;
  let refreshing: Promise<void> | null = null;
  /** The last write of a refreshed token. */
  let saving: Promise<unknown> = Promise.resolve();
  let restUntil = 0;

  const use = (next: Secret): Secret => {
    secrets.hide(next.token);
    if (next.kind === 'oauth') secrets.hide(next.refresh);
    known = next;
    return next;
  };
  /** Staff may replace the token while another call waits. */
  const latest = (): Secret | null => known;
  const secret = async (): Promise<Secret> => {
    if (known !== null) return known;
    const text = await secrets.read(id);
    if (text === null) throw new ApiError({ kind: 'stop', pause: 'keyMissing' }, 'no token can be read');
    return latest() ?? use(secretSchema.parse(JSON.parse(text)));
  };

  const refresh = async (old: Extract<Secret, { kind: 'oauth' }>, signal: AbortSignal): Promise<void> => {
    const form = { grant_type: 'refresh_token', refresh_token: old.refresh, client_id: old.clientId };
    const answer = await postForm(send, old.tokenUrl, form, signal);
    if (latest() !== old) return;
    // The refresh token expired or was revoked (RFC 6749, section 5.2): staff must connect again.
    if (answer.status === 400) throw new ApiError({ kind: 'stop', pause: 'keyRefused' }, 'the access ended');
    if (answer.status !== 200) throw faultOf(answer, clock.now());
    const tokens = tokensSchema.parse(jsonOf(answer));
    const next = use({ ...old, token: tokens.access_token, refresh: tokens.refresh_token ?? old.refresh });
    saving = secrets.keep(id, JSON.stringify(next));
    await saving;
  };

  const refreshAlone = async (
    old: Extract<Secret, { kind: 'oauth' }>,
    signal: AbortSignal,
  ): Promise<void> => {
    const work = () => refresh(old, signal);
    if (secrets.alone === undefined) return await work();
    if (!(await secrets.alone(work)))
      throw new ApiError(
        { kind: 'busy', retryAfterMs: FIRST_REST_MS },
        'another process refreshes the token',
      );
  };

  const rest = ({ status, headers }: WebAnswer): void => {
    const now = clock.monotonic();
    if (status === 429)
      restUntil = now + (retryAfterMs(headers['retry-after'] ?? null, clock.now()) ?? FIRST_REST_MS);
    if (headers['x-hubspot-ratelimit-remaining'] === '0') {
      restUntil = now + Number(headers['x-hubspot-ratelimit-interval-milliseconds'] ?? SPREAD_MS);
    }
    const [, used, of] = /api-usage=(\d+)\/(\d+)/u.exec(headers['sforce-limit-info'] ?? '') ?? [];
    if (used !== undefined && Number(used) > NEAR_THE_LIMIT * Number(of)) restUntil = now + SPREAD_MS;
  };

  const once: SendWebRequest = async (outgoing, signal) => {
    const wait = restUntil - clock.monotonic();
    if (wait > LONGEST_WAIT_MS)
      throw new ApiError({ kind: 'busy', retryAfterMs: wait }, 'the limit is reached');
    if (wait > 0) await clock.sleep(wait, signal);
    const { token } = await secret();
    const answer = await send(
      { ...outgoing, headers: { ...outgoing.headers, ...proofOf(outgoing, token) } },
      signal,
    );
    rest(answer);
    return answer;
  };
  const proofOf = (
    { headers, body }: Parameters<SendWebRequest>[0],
    token: string,
  ): Readonly<Record<string, string>> => {
    if (!isWebhook) return { authorization: `Bearer ${token}` };
    const seconds = Math.floor(clock.now() / 1_000);
    return {
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(token, headers['webhook-id'] ?? '', seconds, body ?? ''),
    };
  };

  return {
    ask: async (outgoing, signal) => {
      const before = await secret();
      const answer = await once(outgoing, signal);
      if (answer.status !== 401) return answer;
      if (known === before) {
        if (before.kind !== 'oauth') return answer;
        refreshing ??= refreshAlone(before, signal).finally(() => {
          refreshing = null;
        });
      }
      await refreshing;
      return await once(outgoing, signal);
    },
    replace: async (next) => {
      const before = known;
      use(next);
      await saving;
      const isStored = await secrets.keep(id, JSON.stringify(next));
      if (!isStored) known = before;
      return isStored;
    },
    revoke: async (signal) => {
      try {
        const kept = await secret();
        if (kept.kind !== 'oauth') return false;
        const answer = await postForm(send, kept.revokeUrl, { token: kept.refresh }, signal);
        return answer.status === 200;
      } catch (error) {
        // Offline: the token is still deleted on this device.
        if (error instanceof ApiError) return false;
        throw error;
      } finally {
        known = null;
        await saving;
        await secrets.forget(id);
      }
    },
  };
}

/** An authorisation that the user completes in a browser. */
export type Authorization = {
  readonly url: string;
  readonly state: string;
  /** Exchanges the code for tokens. @throws ApiError */
  readonly redeem: (
    code: string,
    signal: AbortSignal,
  ) => Promise<{ readonly secret: Secret; readonly address: string }>;
};

/** Begins OAuth with PKCE at `address`. `redirect`: the loopback address that receives the code. */
export function beginAuthorization(
  { send, random, clock }: { readonly send: SendWebRequest; readonly random: Random; readonly clock: Clock },
  kind: DestinationKind,
  {
    address,
    clientId,
    redirect,
  }: { readonly address: string; readonly clientId: string; readonly redirect: string },
): Authorization | null {
  if (kind.oauth === null) return null;
  const { authorize, token, revoke } = kind.oauth;
  const verifier = Buffer.from(random.bytes(32)).toString('base64url');
  const state = Buffer.from(random.bytes(16)).toString('base64url');
  const url = new URL(authorize, address);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: kind.scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const tokenUrl = new URL(token, address).href;
  return {
    url: url.href,
    state,
    redeem: async (code, signal) => {
      const form = {
        grant_type: 'authorization_code',
        code,
        client_id: clientId,
        redirect_uri: redirect,
        code_verifier: verifier,
      };
      const answer = await postForm(send, tokenUrl, form, signal);
      if (answer.status !== 200) throw faultOf(answer, clock.now());
      const { access_token, refresh_token, instance_url } = tokensSchema.parse(jsonOf(answer));
      const revokeUrl = new URL(revoke, address).href;
      return {
        secret: {
          kind: 'oauth',
          token: access_token,
          refresh: refresh_token ?? '',
          clientId,
          tokenUrl,
          revokeUrl,
        },
        address: instance_url ?? address,
      };
    },
  };
}

function postForm(
  send: SendWebRequest,
  url: string,
  form: Readonly<Record<string, string>>,
  signal: AbortSignal,
) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return send({ method: 'POST', url, headers, body: new URLSearchParams(form).toString() }, signal);
}
