/**
 * All operations of a hub: the event's lists as upstream shows them, narrowed to the calling device, and items that
 * the hub accepts and sends on.
 *
 * Invariants
 * - A hub does not change the event. Of the interface's writes it accepts only items and requests for e-mails, and
 *   refuses the others (405, or 404).
 * - The hub sends no e-mail itself: "sent" is always the platform's answer. While the platform cannot be reached the
 *   answer is 503, so the device keeps the request.
 */
import { z } from 'zod';
import { ApiError, badRequest, forbidden, notFound } from '../http/errors.ts';
import { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { type ItemResult, itemSchema, resultSchema } from '../interactions/item.ts';
import { isRevoked } from '../keys/devices.ts';
import { emailRequest, emailResult } from '../mail/operation.ts';
import { visitors } from '../registration/visitors.ts';
import { activities } from '../resources/activities.ts';
import { contents } from '../resources/contents.ts';
import { actions, connections, participants, touchpoints } from '../resources/derived.ts';
import { expoOperations } from '../resources/expos.ts';
import { labels } from '../resources/labels.ts';
import { listOperation } from '../resources/list.ts';
import { partners } from '../resources/partners.ts';
import { registrationTypes, registrationTypesOperation } from '../resources/registration-types.ts';
import type { ListRule, Resource } from '../resources/resource.ts';
import { type ResourcePorts, singleOperations } from '../resources/single.ts';
import { writeJson } from '../store/json.ts';
import { basicText, findRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { acceptAll, type Submission } from './accept.ts';
import { createBatcher } from './batcher.ts';
import { destinationOperations, type LentDestinations } from './destinations.ts';
import { type HubFacts, ownOperations } from './hub-operations.ts';
import { createIntake, type Intake } from './intake.ts';
import { type DeviceView, formOf, shownTo, viewOf } from './narrowing.ts';
import { newsOperation } from './news.ts';
import { type SnapshotSource, snapshotOperations } from './snapshot-operations.ts';
import { type EventStreams, streamOperation } from './stream.ts';

/** The lists of upstream that devices read at the hub, in addition to the registration types. */
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

/** Requests the confirmation e-mail of a visitor from the platform. `away`: the platform cannot be reached now. */
export type AskForEmail = (
  visitorId: string,
  force: boolean,
) => Promise<'sent' | 'notSent' | 'refused' | 'away'>;

/** The additional parts that turn a platform's server into a hub. */
export type HubParameters = HubFacts & {
  /** When the hub's store began, in epoch milliseconds. */
  readonly since: number;
  /** The platform's time in epoch milliseconds; null while unknown. If absent, the machine's clock is used. */
  readonly platformTime?: () => number | null;
  /** Whether a list of the event is or was complete here. If absent, every list is complete. */
  readonly isServed?: (list: string) => boolean;
  /** Absent if no e-mail can be requested. */
  readonly askForEmail?: AskForEmail;
  /** Destinations of leads whose token is here; absent if there are none. */
  readonly destinations?: LentDestinations;
  /** Snapshots for new devices; absent if they read page by page. */
  readonly snapshots?: SnapshotSource | undefined;
  /** The event streams of devices; absent if devices poll. */
  readonly streams?: EventStreams | undefined;
};

/** Maximum number of items in one request. */
const most = 100;

/** Maximum number of items in one transaction, because the size of a statement is limited. */
const MOST_IN_BATCH = 1_000;

/**
 * The lists always show deletions, even of records that upstream only omits, because a device has no other source for
 * them.
 */
const SHOWS_DELETED = { alwaysShowsDeleted: true } as const;

/**
 * Refuses a list (429) until it is complete: while a new hub still reads it, a device would take missing records for
 * deleted ones. The actions are always shown: they only prove delivery, and a missing proof does no harm.
 */
function shownWhole(operation: Operation, list: string, isServed: HubParameters['isServed']): Operation {
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
 * Refuses the attendance to a device that is not a check-in, as for a key without the right. The device continues
 * without it.
 */
function mustShow(view: DeviceView, kind: string): void {
  if (kind === 'participant' && formOf(view, kind) === null)
    throw forbidden('The attendance is for check-ins only');
}

/**
 * The list of a kind of record, narrowed to the calling device (`narrowing.ts`). Leads and actions of another partner
 * are left out of it. A refusal would stop the queue of a device that worked for another partner yesterday.
 */
function listForDevices(store: Store, resource: Resource, list: ListRule): Operation {
  const { kind } = resource;
  const operation = listOperation(store, resource, { ...list, ...SHOWS_DELETED }, async ({ caller }) => {
    if (caller.device === undefined) return basicText;
    const view = await viewOf(store.db, caller.device);
    mustShow(view, kind);
    return (row) => shownTo(view, row);
  });
  if (!operation.onExpo || (kind !== 'connection' && kind !== 'action')) return operation;
  return {
    ...operation,
    // The filter finds the rows of the partner by an index.
    handle: async (call: ExpoCall) => {
      const { device } = call.caller;
      if (device === undefined) return operation.handle(call);
      const { partnerId } = device;
      const isTheirs = partnerId !== null && (call.query.partnerId ?? partnerId) === partnerId;
      return isTheirs
        ? operation.handle({ ...call, query: { ...call.query, partnerId } })
        : new JsonText('[]');
    },
  };
}

/** The single read of a kind of record, narrowed to the calling device. */
function singleForDevices(store: Store, operation: Operation, resource: Resource): Operation {
  const { kind, noun, parameter } = resource;
  if (!operation.onExpo) return operation;
  return {
    ...operation,
    handle: async (call: ExpoCall) => {
      const { device } = call.caller;
      if (device === undefined) return operation.handle(call);
      const view = await viewOf(store.db, device);
      mustShow(view, kind);
      const answer = await operation.handle(call);
      const row = await findRow(store.db, kind, call.expo.id, call.params[parameter] ?? '');
      const shown = row === undefined ? null : shownTo(view, row);
      if (row === undefined || shown === null) throw notFound(`There is no such ${noun}`);
      // A record that the view does not narrow is answered with its details.
      return shown === basicText(row) ? answer : new JsonText(shown);
    },
  };
}

/** Accepts items. `again`: they may have been submitted before, to a hub that lost them or directly to the platform. */
function acceptOperation(
  accept: (submission: Submission) => Promise<readonly ItemResult[]>,
  intake: Intake,
  { now }: ResourcePorts,
  { since }: Pick<HubParameters, 'since'>,
  again: boolean,
): Operation {
  return {
    method: 'POST',
    path: again ? '/hub/again/{expoId}' : '/actions/{expoId}',
    tag: again ? 'hub' : 'actions',
    summary: again
      ? 'Submit items to the hub that may have been submitted before'
      : 'Submit items to the hub, which sends them on',
    documented: false,
    right: 'write',
    body: z.array(z.unknown()).max(most),
    bodyShape: z.array(itemSchema).max(most),
    answer: z.array(resultSchema),
    onExpo: true,
    handle: async ({ caller, expo, body }) => {
      const entries = body as unknown[];
      if (caller.device !== undefined)
        intake(caller.device.id, entries.length, entries.map(writeJson).join().length);
      const scope = { expoId: expo.id, device: caller.device ?? null, wereOut: again, since };
      return accept({ scope, entries, now: now() });
    },
  };
}

/** Forwards the request for an e-mail to the platform behind the hub. */
function emailOperation(ask: AskForEmail): Operation {
  return {
    method: 'POST',
    path: '/sendemail/{expoId}',
    tag: 'sendemail',
    summary: 'Have the platform behind the hub send the confirmation e-mail of a visitor',
    documented: false,
    right: 'write',
    body: emailRequest,
    answer: emailResult,
    onExpo: true,
    handle: async ({ body }) => {
      const { visitorId, type, force = false } = body as z.infer<typeof emailRequest>;
      const became = await ask(visitorId, force);
      if (became === 'away') throw new ApiError(503, 'The platform behind this hub cannot be asked now');
      if (became === 'refused') throw badRequest('The platform sends this visitor no e-mail');
      return { visitorId, type, force, sent: became === 'sent' };
    },
  };
}

/** The list and the single read of one kind of record, for devices. */
function forwardedOperations(
  around: ResourcePorts,
  resource: Resource,
  hub: HubParameters,
): readonly Operation[] {
  const { store } = around;
  const list =
    resource.list === undefined
      ? []
      : [shownWhole(listForDevices(store, resource, resource.list), resource.folder, hub.isServed)];
  const single = singleOperations(around, resource)
    .filter(({ method }) => method === 'GET')
    .map((operation) => singleForDevices(store, operation, resource));
  return [...list, ...single];
}

/** Every operation of a hub. */
export function hubOperations(around: ResourcePorts, hub: HubParameters): readonly Operation[] {
  const { store, now } = around;
  const intake = createIntake(() => now().getTime());
  const accept = createBatcher<Submission, readonly ItemResult[]>({
    run: (submissions) => acceptAll(store, submissions),
    sizeOf: ({ entries }) => entries.length,
    most: MOST_IN_BATCH,
  });
  return [
    ...ownOperations(store, hub, now),
    newsOperation(store, hub.hubStoreId, forwardedResources),
    ...expoOperations(store, null),
    ...forwardedResources.flatMap((resource) => forwardedOperations(around, resource, hub)),
    shownWhole(registrationTypesOperation(store), registrationTypes.folder, hub.isServed),
    acceptOperation(accept, intake, around, hub, false),
    acceptOperation(accept, intake, around, hub, true),
    ...(hub.streams ? [streamOperation(hub.streams)] : []),
    ...(hub.askForEmail ? [emailOperation(hub.askForEmail)] : []),
    ...(hub.destinations ? destinationOperations(hub.destinations) : []),
    ...(hub.snapshots ? snapshotOperations(hub.snapshots, now, (id) => isRevoked(store.db, id)) : []),
  ];
}
