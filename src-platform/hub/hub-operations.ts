/**
 * The operations of a hub in addition to the interface: its identity, receipts, enrolment, device reports. They are our
 * own extension, which only a hub has (docs/hub.md).
 */
import { z } from 'zod';
import type { Figure } from '../health/health.ts';
import { ApiError, badRequest, forbidden } from '../http/errors.ts';
import { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import type { CallingDevice } from '../keys/caller.ts';
import { enrolDevice, keepReport } from '../keys/devices.ts';
import { writeJson } from '../store/json.ts';
import type { Store } from '../store/store.ts';
import { deviceOf } from './access.ts';
import { contactsFor } from './contact-details.ts';
import { forgetOperation } from './forget.ts';
import { otherSendersOf, receiptsOf } from './receipts.ts';
import { standOperation } from './stands.ts';
import { teamFactsOperation } from './team-facts.ts';

/** The connection of the hub to the platform behind it. */
export type UpstreamStanding = {
  readonly state: 'online' | 'offline' | 'refused';
  /** Since when this is the state, in epoch milliseconds; null before its first change. */
  readonly since: number | null;
};

/** Countersigns receipts of devices. */
type HubSigner = {
  /** Fingerprint of its key, as people compare it. */
  readonly fingerprint: string;
  /** The countersignature of a hash that `device` submitted. */
  readonly sign: (device: string, sha256: string) => Readonly<Record<string, unknown>>;
};

/** The hub itself. */
export type HubFacts = {
  readonly name: string;
  /** Id of the store. It changes when the hub starts with an empty store or with a copy of one. */
  readonly hubStoreId: string;
  readonly upstream: () => UpstreamStanding;
  /** Its metrics for `/metrics`. Absent if it has none. */
  readonly figures?: () => Promise<readonly Figure[]>;
  /** Absent if the hub signs no receipts. */
  readonly signer?: HubSigner;
  /** Returns the answer to a device's report, which is JSON. Absent if the hub sends no commands. */
  readonly onReport?: (device: CallingDevice, report: string) => Promise<HereAnswer>;
};

/** The answer of the hub to a device's report. */
type HereAnswer = {
  /** Signed commands that wait for the device. */
  readonly commands: readonly string[];
};

/** Maximum number of ids in one request. */
const mostReceipts = 200;
/** Maximum number of visitors whose details one request may ask for. */
const mostContacts = 100;

const longestReport = 8_000;

const upstreamSchema = z.object({
  state: z.enum(['online', 'offline', 'refused']),
  since: z.number().nullable(),
});

function aboutOperation(store: Store, { name, hubStoreId, upstream, signer }: HubFacts): Operation {
  return {
    method: 'GET',
    path: '/hub',
    tag: 'hub',
    summary: 'What this hub is, and whether it reaches the platform',
    documented: false,
    right: 'read',
    answer: z.object({
      hub: z.literal(true),
      name: z.string(),
      epoch: z.string(),
      upstream: upstreamSchema,
      signer: z.string().optional(),
      alsoSentBy: z.array(z.object({ device: z.string(), facts: z.number() })),
    }),
    onExpo: false,
    handle: async ({ caller: { device, expos } }) => {
      const [expo] = expos ?? [];
      const isAsked = device !== undefined && expo !== undefined;
      const alsoSentBy = isAsked ? await otherSendersOf(store, expo, device.id) : [];
      return {
        ...{ hub: true, name, epoch: hubStoreId, upstream: upstream(), alsoSentBy },
        ...(signer === undefined ? {} : { signer: signer.fingerprint }),
      };
    },
  };
}

function receiptsOperation(store: Store): Operation {
  return {
    method: 'GET',
    path: '/hub/receipts/{expoId}',
    tag: 'hub',
    summary: 'Where items are that were submitted to this hub',
    documented: false,
    right: 'read',
    query: z.object({
      ids: z.string().max(mostReceipts * 65),
      contacts: z
        .string()
        .max(mostContacts * 65)
        .optional(),
    }),
    answer: z.object({
      receipts: z.array(
        z.object({
          id: z.string(),
          state: z.enum(['at-hub', 'sent', 'confirmed', 'parked', 'unknown']),
          reason: z.string().optional(),
        }),
      ),
      /** The full records of the visitors in `contacts` whose details the device may have. */
      contacts: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
    onExpo: true,
    handle: async ({ caller, expo, query }: ExpoCall) => {
      const { device } = caller;
      const ids = listIn(query.ids);
      const visitors = listIn(query.contacts);
      if (ids.length > mostReceipts) throw badRequest(`At most ${mostReceipts} ids are asked about at once`);
      if (visitors.length > mostContacts)
        throw badRequest(`At most ${mostContacts} contacts are asked about at once`);
      const receipts = await receiptsOf(store, expo.id, ids, device ?? null);
      if (device === undefined || visitors.length === 0) return { receipts };
      const contacts = await contactsFor(store, expo.id, device, visitors);
      return new JsonText(`{"receipts":${JSON.stringify(receipts)},"contacts":[${contacts.join(',')}]}`);
    },
  };
}

/** The members of a comma-separated list in a query. */
function listIn(text: unknown): readonly string[] {
  return typeof text === 'string' ? text.split(',').filter((one) => one !== '') : [];
}

const enrolBody = z.strictObject({
  device: z.string().max(100),
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url'),
});

function enrolOperation(store: Store, now: () => Date): Operation {
  return {
    method: 'POST',
    path: '/hub/enrol',
    tag: 'hub',
    summary: 'Exchange the key of a file for the key that the device made for itself',
    documented: false,
    right: 'read',
    enrols: true,
    body: enrolBody,
    bodyShape: enrolBody,
    answer: z.object({ key: z.string() }),
    onExpo: false,
    handle: async (call) => {
      const { device, key } = call.body as z.infer<typeof enrolBody>;
      const { id } = deviceOf(call);
      if (device !== id) throw forbidden('This key belongs to another device');
      switch (await enrolDevice(store, id, key, now())) {
        case 'enrolled':
          return { key };
        case 'used':
          throw new ApiError(409, 'This device was enrolled before, with another key');
        case 'late':
          throw new ApiError(410, 'The time to enrol this device is over');
      }
    },
  };
}

const hereAnswer = z.object({ commands: z.array(z.string()) });

function hereOperation(
  store: Store,
  onReport: NonNullable<HubFacts['onReport']>,
  now: () => Date,
): Operation {
  const body = z.record(z.string(), z.unknown());
  return {
    method: 'POST',
    path: '/hub/here',
    tag: 'hub',
    summary: 'The report of a device',
    documented: false,
    right: 'read',
    body,
    bodyShape: body,
    answer: hereAnswer,
    slotless: true,
    onExpo: false,
    handle: async (call) => {
      const device = deviceOf(call);
      const report = writeJson(call.body);
      if (report.length > longestReport) throw badRequest('The report is too long');
      await keepReport(store, device.id, report, now());
      return onReport(device, report);
    },
  };
}

function countersignOperation({ sign }: HubSigner): Operation {
  const body = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });
  return {
    method: 'POST',
    path: '/hub/countersign',
    tag: 'hub',
    summary: 'The signature of the hub for the receipt of a device',
    documented: false,
    right: 'read',
    body,
    bodyShape: body,
    answer: z.record(z.string(), z.unknown()),
    slotless: true,
    onExpo: false,
    handle: async (call) => sign(deviceOf(call).id, (call.body as z.infer<typeof body>).sha256),
  };
}

/** The operations that only a hub has. */
export function ownOperations(store: Store, facts: HubFacts, now: () => Date): readonly Operation[] {
  return [
    aboutOperation(store, facts),
    receiptsOperation(store),
    enrolOperation(store, now),
    hereOperation(store, facts.onReport ?? (async () => ({ commands: [] })), now),
    teamFactsOperation(store),
    standOperation(store),
    forgetOperation(store, now),
    ...(facts.signer === undefined ? [] : [countersignOperation(facts.signer)]),
  ];
}
