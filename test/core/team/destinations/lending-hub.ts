/** A hub over real HTTP that holds the tokens of destinations, and laptops of partners at this hub. */
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openKeptDestinations } from '../../../../src-hub/destinations/kept.ts';
import { createLender, type Lender } from '../../../../src-hub/destinations/lender.ts';
import type { DestinationKindName } from '../../../../src-main/contract/destinations.ts';
import { type ApiClient, createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import {
  createWebClient,
  type SendWebRequest,
} from '../../../../src-main/core/foundations/api/web-request.ts';
import type { Secret } from '../../../../src-main/core/team/destinations/access.ts';
import { createHubDestinations } from '../../../../src-main/core/team/destinations/hub-access.ts';
import { KINDS } from '../../../../src-main/core/team/destinations/kinds.ts';
import { makeSigningKey } from '../../../../src-main/provision/provision-file.ts';
import { addDevice, revokeDevice } from '../../../../src-platform/keys/devices.ts';
import { openPostgres } from '../../../../src-platform/store/postgres.ts';
import type { Store } from '../../../../src-platform/store/store.ts';
import { expo, startHub } from '../../../hub/serving/serving-hub.ts';
import { rememberingLog } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';

export const [OURS, THEIRS] = ['AD2026P001', 'AD2026P002'];

/**
 * The hub. `restart`: its destinations are opened again, as by a new process. `isAway`: laptops cannot reach it.
 * `processes`: how many share one PostgreSQL database, each with its own connections; requests go to them in turn.
 */
export const startLendingHub = async ({
  database = null,
  processes = 1,
}: {
  readonly database?: string | null;
  readonly processes?: number;
} = {}) => {
  const { privateKey } = makeSigningKey();
  const log = rememberingLog();
  const lenders: Lender[] = [];
  const open = (store: Store): Lender => {
    const lender = createLender({ kept: openKeptDestinations(store, privateKey), clock: realClock, log });
    lenders.push(lender);
    return lender;
  };
  let turns: Lender[] = [];
  const hub = await startHub({
    ...(database === null ? {} : { database }),
    destinations: (store) => {
      const next = (): Lender => {
        const lender = turns.shift() ?? open(store);
        turns.push(lender);
        return lender;
      };
      return { offers: (...asked) => next().offers(...asked), ask: (...asked) => next().ask(...asked) };
    },
  });
  for (let process = 1; process < processes; process += 1) {
    const store = await openPostgres(database ?? '');
    onTestFinished(() => store.close());
    turns.push(open(store));
  }
  if (processes > 1) turns.push(open(hub.store));
  onTestFinished(async () => {
    for (const lender of lenders) await lender.close();
  });
  const line = { isAway: false };
  const kept = openKeptDestinations(hub.store, privateKey);
  return Object.assign(line, {
    ...hub,
    kept,
    log,
    restart: () => {
      turns = [];
    },
    /** Adds a destination as the command does, including its preparation. */
    add: async (
      id: string,
      kind: DestinationKindName,
      address: string,
      token: string | Secret,
      partner = OURS,
    ): Promise<void> => {
      if (kind === 'hubspot' && typeof token === 'string') await prepare(kind, address, token);
      const secret = typeof token === 'string' ? { kind: 'token', token } : token;
      await kept.add({ id, partner, kind, name: kind, address }, JSON.stringify(secret));
    },
    /** An enrolled laptop of a partner. */
    laptop: async (partnerId: string | null = OURS) => {
      const until = new Date(Date.now() + 86_400_000);
      const about = { expoId: expo, name: 'Laptop', touchpointId: 'AD2026T01', partnerId };
      const device = await addDevice(hub.store, about, new Date(), until);
      const credential = randomBytes(32).toString('base64url');
      await hub.enrol(device, credential);
      const access = { baseUrl: hub.baseUrl, key: credential, password: '', expoId: expo };
      const client = createClient(access, realClock);
      onTestFinished(() => client.close());
      return {
        id: device.id,
        credential,
        enrolmentKey: device.key,
        destinations: createHubDestinations(throughLine(client, line), expo, () => true),
        revoke: () => revokeDevice(hub.store, device.id, new Date()),
        list: () => hub.request('GET', `/hub/destinations/${expo}`, credential),
        ask: (id: string, request: object) =>
          hub.request('POST', `/hub/destinations/${expo}/${id}`, credential, {
            ...{ method: 'GET', path: '', webhookId: null, body: null },
            ...request,
          }),
      };
    },
  });
};

/** A client whose requests fail while the connection is down. */
const throughLine = (
  { get, post }: Pick<ApiClient, 'get' | 'post'>,
  line: { readonly isAway: boolean },
): Pick<ApiClient, 'get' | 'post'> => {
  const mustBeUp = (): void => {
    if (line.isAway) throw new ApiError({ kind: 'retry', reached: 'no' }, 'the line is down');
  };
  return {
    get: async (...asked) => {
      mustBeUp();
      return get(...asked);
    },
    post: async (...asked) => {
      mustBeUp();
      return post(...asked);
    },
  };
};

const prepare = async (kind: DestinationKindName, address: string, token: string): Promise<void> => {
  const { send, close } = createWebClient();
  const ask: SendWebRequest = (outgoing, signal) =>
    send({ ...outgoing, headers: { ...outgoing.headers, authorization: `Bearer ${token}` } }, signal);
  const { signal } = new AbortController();
  await KINDS[kind].connect({ ask, clock: realClock, address }).prepare(signal);
  await close();
};
