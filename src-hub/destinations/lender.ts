/**
 * Sends requests of devices to their partner's destinations, with the token of the hub.
 *
 * Invariants
 * - The store is read for every request, so a removed destination or a replaced token takes effect at once in every
 *   process.
 * - Only what `DestinationKind.permits` lists is sent, to the address of the destination. The body is serialised
 *   again from its parsed form, so that the text that was checked is the text that is sent.
 * - No token, body or error message reaches the log. A device receives the answer of the destination, but no token.
 * - Each destination has its own connections and its own limit of open requests, which all devices of this process
 *   share. So a slow CRM does not delay others.
 * - A request whose answer is lost may have arrived, and the device reads back.
 * - One process at a time refreshes a token. Salesforce revokes the whole access when a refresh token is used twice.
 */
import { ApiError } from '../../src-main/core/foundations/api/error-class.ts';
import { createWebClient, type SendWebRequest } from '../../src-main/core/foundations/api/web-request.ts';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import {
  type Access,
  createAccess,
  type SecretKeeper,
} from '../../src-main/core/team/destinations/access.ts';
import type { LentRequest } from '../../src-main/core/team/destinations/adapter.ts';
import {
  type LentAnswer,
  lentRequestSchema,
  type Offer,
} from '../../src-main/core/team/destinations/hub-access.ts';
import { KINDS } from '../../src-main/core/team/destinations/kinds.ts';
import type { LentDestinations } from '../../src-platform/hub/destinations.ts';
import type { KeptDestination, KeptDestinations } from './kept.ts';

type LenderPorts = {
  readonly kept: KeptDestinations;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Opens the connections of one destination. The default is HTTP. */
  readonly open?: () => { readonly send: SendWebRequest; readonly close: () => Promise<void> };
};

/** Requests of one device in ten seconds: as many as HubSpot permits to a private app. */
const MOST = 100;
const WINDOW_MS = 10_000;
/** Maximum number of requests to one destination that are running or wait for a connection. */
const MOST_OPEN = 16;
/** Time limit of one request, with its waits and a refresh of the token. The device waits longer than this. */
const LONGEST_MS = 60_000;

type Open = {
  readonly access: Access;
  readonly close: () => Promise<void>;
  /** The encrypted token that the access uses. */
  sealed: string;
  /** Requests under way. */
  under: number;
};

export type Lender = LentDestinations & { readonly close: () => Promise<void> };

/** The lender of one process. */
export function createLender({ kept, clock, log, open = createWebClient }: LenderPorts): Lender {
  const opened = new Map<string, Open>();
  const counts = new Map<string, { readonly since: number; readonly n: number }>();
  const ended = new AbortController();

  /** Counts a request of the device. Returns 0 if it is permitted, otherwise the seconds until the next one is. */
  const secondsOf = (device: string): number => {
    const now = clock.monotonic();
    const { since, n } = counts.get(device) ?? { since: now, n: 0 };
    const isOver = now - since >= WINDOW_MS;
    if (!isOver && n >= MOST) return Math.max(1, Math.ceil((since + WINDOW_MS - now) / 1_000));
    counts.set(device, isOver ? { since: now, n: 1 } : { since, n: n + 1 });
    return 0;
  };

  const connect = ({ id, kind }: KeptDestination, sealed: string): Open => {
    const { send, close } = open();
    const secrets: SecretKeeper = {
      read: () => Promise.resolve(kept.unseal(id, one.sealed)),
      keep: async (_id, secret) => {
        const next = await kept.replace(id, secret, one.sealed);
        if (next !== null) one.sealed = next;
        return next !== null;
      },
      forget: () => Promise.resolve(),
      hide: () => undefined,
      alone: (refresh) => kept.alone(id, one.sealed, refresh),
    };
    const access = createAccess({ id, isWebhook: kind === 'webhook', send, secrets, clock });
    const one: Open = { access, close, sealed, under: 0 };
    return one;
  };
  const openOf = (destination: KeptDestination, sealed: string): Open => {
    const known = opened.get(destination.id);
    if (known?.sealed === sealed) return known;
    const made = connect(destination, sealed);
    opened.set(destination.id, made);
    if (known !== undefined) endUnused(destination.id, known);
    return made;
  };
  /** Ends the connections with a replaced token, after its last request. */
  const endUnused = (id: string, one: Open): void => {
    if (one.under === 0 && opened.get(id) !== one) void one.close();
  };

  const send = async (
    { access }: Open,
    { kind, address }: KeptDestination,
    { method, path, webhookId, body }: LentRequest,
  ): Promise<LentAnswer> => {
    const headers = {
      accept: 'application/json',
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(webhookId === null ? {} : { 'webhook-id': webhookId }),
    };
    const outgoing = {
      method,
      url: address + path,
      headers,
      body: body === null ? null : JSON.stringify(body),
    };
    const limit = AbortSignal.any([ended.signal, AbortSignal.timeout(LONGEST_MS)]);
    try {
      const { status, headers: said, body: text } = await access.ask(outgoing, limit);
      return { status, retryAfter: said['retry-after'] ?? null, body: text };
    } catch (error) {
      if (error instanceof ApiError && error.errorClass.kind !== 'reject') {
        const { errorClass } = error;
        return { fault: errorClass };
      }
      if (!limit.aborted)
        log.error('a request to a destination failed', {
          to: kind,
          kind: error instanceof Error ? error.name : 'unknown',
        });
      return { fault: { kind: 'retry', reached: 'maybe' } };
    }
  };

  return {
    offers: async (partner) =>
      (await kept.list(partner)).map(
        ({ id, kind, name, address }): Offer => ({ id, kind, name, origin: new URL(address).origin }),
      ),
    ask: async (device, id, request) => {
      const seconds = secondsOf(device.id);
      if (seconds > 0) return { kind: 'busy', seconds };
      const found = await kept.find(device.partner, id);
      if (found === null) return { kind: 'none' };
      const { destination, sealed } = found;
      const parsed = parsedOf(request);
      if (parsed === null || !KINDS[destination.kind].permits(parsed)) return { kind: 'notPermitted' };
      const one = openOf(destination, sealed);
      if (one.under >= MOST_OPEN) return { kind: 'busy', seconds: 1 };
      one.under += 1;
      try {
        return { kind: 'answer', answer: await send(one, destination, parsed) };
      } finally {
        one.under -= 1;
        endUnused(id, one);
      }
    },
    close: async () => {
      ended.abort();
      await Promise.all([...opened.values()].map(({ close }) => close()));
    },
  };
}

/** A request with its body as a JSON value. Null if it has another form. */
function parsedOf(text: unknown): LentRequest | null {
  const { data } = lentRequestSchema.safeParse(text);
  if (data === undefined) return null;
  try {
    return { ...data, body: data.body === null ? null : (JSON.parse(data.body) as unknown) };
  } catch {
    return null;
  }
}
