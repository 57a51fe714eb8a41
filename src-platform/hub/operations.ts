/**
 * All operations of a hub: the event's lists as upstream shows them, narrowed to the device that asks, and items taken
 * in to be sent on.
 *
 * Invariant: nothing of the event is changed at a hub; what is no item for upstream is refused (405, or 404).
 */
import { z } from 'zod';
import { ApiError, notFound } from '../http/errors.ts';
import { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { type ItemResult, itemSchema, resultSchema } from '../interactions/item.ts';
import { isRevoked } from '../keys/devices.ts';
import { visitors } from '../registration/visitors.ts';
import { activities } from '../resources/activities.ts';
import { contents } from '../resources/contents.ts';
import { actions, connections, participants, touchpoints } from '../resources/derived.ts';
import { expoOperations } from '../resources/expos.ts';
import { labels } from '../resources/labels.ts';
import { listOperation } from '../resources/list.ts';
import { partners } from '../resources/partners.ts';
import { registrationTypes, registrationTypesOperation } from '../resources/registration-types.ts';
import type { Resource } from '../resources/resource.ts';
import { type ResourcePorts, singleOperations } from '../resources/single.ts';
import { type Submission, takeIn } from './accept.ts';
import { createBatcher } from './batcher.ts';
import { type AskForEmail, forwardedEmailOperation } from './email.ts';
import { type HubFacts, ownOperations } from './hub-operations.ts';
import { newsOperation } from './news.ts';
import { type SnapshotSource, snapshotOperations } from './snapshot-operations.ts';

/** What upstream has that devices read at the hub, beside the registration types. */
export const forwardedResources: readonly Resource[] = [
  touchpoints,
  partners,
  contents,
  activities,
  labels,
  visitors,
  participants,
  connections,
  actions,
];

export type HubPorts = HubFacts & {
  /** When this hub began with an empty store, in epoch milliseconds. */
  readonly since: number;
  /** The platform's time in epoch milliseconds; null while it is not known, absent: the machine's. */
  readonly platformTime?: () => number | null;
  /** Whether all of a list of the event is here, or was once; absent: it is. */
  readonly isServed?: (list: string) => boolean;
  /** Has the platform behind the hub send an e-mail; absent: none is sent. */
  readonly askForEmail?: AskForEmail;
  /** Items were kept that are to be sent on. */
  readonly onTaken: () => void;
  /** First copies of the event for fresh devices; absent: they page. */
  readonly snapshots?: SnapshotSource;
};

const most = 100;

/** So many items are taken in in one transaction at most: one statement must hold them. */
const MOST_IN_BATCH = 1_000;

/** A device learns at once of what is gone, also of what upstream only leaves out: nobody else at a hub would tell it. */
const SHOWS_DELETED = { alwaysShowsDeleted: true } as const;

/**
 * A list is shown whole or not yet: a hub that began anew is still reading it, and a device would take what is missing for
 * gone. The actions only prove, and what proves nothing does no harm.
 */
function shownWhole(operation: Operation, list: string, { isServed }: HubPorts): Operation {
  if (isServed === undefined || !operation.onExpo || list === 'actions') return operation;
  return {
    ...operation,
    handle: (call: ExpoCall) => {
      if (!isServed(list))
        throw new ApiError(429, 'This hub is still reading this list', undefined, { 'retry-after': '2' });
      return operation.handle(call);
    },
  };
}

/**
 * Leads and what made them are read only for the partner of the device that asks. Others' are not there at all: a refusal
 * would stop the queue of a device that stood elsewhere yesterday.
 */
function narrowToDevice(operation: Operation, { kind, noun }: Resource): Operation {
  if (!operation.onExpo || (kind !== 'connection' && kind !== 'action')) return operation;
  return {
    ...operation,
    handle: async (call: ExpoCall) => {
      const { device } = call.caller;
      if (device === undefined) return operation.handle(call);
      const { partnerId } = device;
      if (operation.query !== undefined) {
        const isTheirs = partnerId !== null && (call.query.partnerId ?? partnerId) === partnerId;
        return isTheirs
          ? operation.handle({ ...call, query: { ...call.query, partnerId } })
          : new JsonText('[]');
      }
      const answer = await operation.handle(call);
      const { partnerID } = JSON.parse((answer as JsonText).text) as { readonly partnerID?: unknown };
      if (partnerID === undefined || partnerID !== partnerId) throw notFound(`There is no such ${noun}`);
      return answer;
    },
  };
}

/** `again`: for items that may have been handed over before, to a hub that has lost them or to upstream itself. */
function takeOperation(
  take: (submission: Submission) => Promise<readonly ItemResult[]>,
  { now }: ResourcePorts,
  { since, onTaken }: HubPorts,
  again: boolean,
): Operation {
  return {
    method: 'POST',
    path: again ? '/hub/again/{expoId}' : '/actions/{expoId}',
    tag: again ? 'hub' : 'actions',
    summary: again
      ? 'Hand items to the hub that may have been handed over before'
      : 'Hand items to the hub, which sends them on',
    documented: false,
    right: 'write',
    body: z.array(z.unknown()).max(most),
    bodyShape: z.array(itemSchema).max(most),
    answer: z.array(resultSchema),
    onExpo: true,
    handle: async ({ caller, expo, body }) => {
      const scope = { expoId: expo.id, device: caller.device ?? null, wereOut: again, since };
      const results = await take({ scope, entries: body as unknown[], now: now() });
      if (results.some(({ result }) => result === 'created')) onTaken();
      return results;
    },
  };
}

/** Every operation of a hub. */
export function hubOperations(around: ResourcePorts, hub: HubPorts): readonly Operation[] {
  const { store, now } = around;
  const take = createBatcher<Submission, readonly ItemResult[]>({
    run: (submissions) => takeIn(store, submissions),
    sizeOf: ({ entries }) => entries.length,
    most: MOST_IN_BATCH,
  });
  return [
    ...ownOperations(store, hub, now),
    newsOperation(store, hub.epoch, forwardedResources),
    ...expoOperations(store),
    ...forwardedResources.flatMap((resource) =>
      [
        ...(resource.list
          ? [
              shownWhole(
                listOperation(store, resource, { ...resource.list, ...SHOWS_DELETED }),
                resource.folder,
                hub,
              ),
            ]
          : []),
        ...singleOperations(around, resource).filter(({ method }) => method === 'GET'),
      ].map((operation) => narrowToDevice(operation, resource)),
    ),
    shownWhole(registrationTypesOperation(store), registrationTypes.folder, hub),
    takeOperation(take, around, hub, false),
    takeOperation(take, around, hub, true),
    ...(hub.askForEmail ? [forwardedEmailOperation(hub.askForEmail)] : []),
    ...(hub.snapshots ? snapshotOperations(hub.snapshots, now, (id) => isRevoked(store.db, id)) : []),
  ];
}
