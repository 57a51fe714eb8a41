/**
 * All operations of the interface in one list, in the order of docs/interface/endpoints.md.
 */
import type { Operation } from './http/operation.ts';
import { writeOperation } from './interactions/accept.ts';
import type { Mailer } from './mail/mailer.ts';
import { sendEmailOperation } from './mail/operation.ts';
import { webhooks } from './notifications/webhooks.ts';
import { visitors } from './registration/visitors.ts';
import { activities } from './resources/activities.ts';
import { narrowToCompany } from './resources/company-scope.ts';
import { contents } from './resources/contents.ts';
import { actions, connections, participants, touchpoints } from './resources/derived.ts';
import { expoOperations } from './resources/expos.ts';
import { labels } from './resources/labels.ts';
import { licenses } from './resources/licenses.ts';
import { listOperation } from './resources/list.ts';
import { orders, payments } from './resources/orders.ts';
import { partners } from './resources/partners.ts';
import { registrationTypesOperation } from './resources/registration-types.ts';
import type { Resource } from './resources/resource.ts';
import { type ResourcePorts, singleOperations } from './resources/single.ts';
import { uploadOperation } from './uploads/operation.ts';

const resources: readonly Resource[] = [
  actions,
  activities,
  connections,
  contents,
  labels,
  licenses,
  orders,
  participants,
  partners,
  payments,
  touchpoints,
  visitors,
  webhooks,
];

/**
 * Every operation this platform has. `onMailFailure`: called when the mailer refuses an e-mail. `bagUrl`: the base
 * address of the bag pages of an event, or null if there are no such pages.
 */
export function allOperations(
  ports: ResourcePorts,
  mailer: Mailer,
  onMailFailure: (error: unknown) => void,
  bagUrl: ((expoId: string) => string) | null,
): readonly Operation[] {
  return [
    ...expoOperations(ports.store, bagUrl),
    ...resources.flatMap((resource) =>
      [
        ...(resource.list ? [listOperation(ports.store, resource, resource.list)] : []),
        ...singleOperations(ports, resource),
      ].map((operation) => narrowToCompany(operation, resource)),
    ),
    writeOperation(ports.store, ports.newId),
    registrationTypesOperation(ports.store),
    sendEmailOperation(ports, mailer, onMailFailure),
    uploadOperation(ports),
  ];
}
