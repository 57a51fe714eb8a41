/**
 * All operations of the interface in one list, in the order of the API document.
 */
import type { Operation } from '../http/operation.ts';
import { writeOperation } from '../interactions/operations.ts';
import type { Mailer } from '../mail/mailer.ts';
import { sendEmailOperation } from '../mail/operation.ts';
import { uploadOperation } from '../uploads/operation.ts';
import { narrowToPartner } from './connection-scope.ts';
import { contents } from './contents.ts';
import { actions, connections, participants, touchpoints } from './derived.ts';
import { expoOperations } from './expos.ts';
import { listOperation } from './list.ts';
import { orders, payments } from './orders.ts';
import { partners } from './partners.ts';
import { activities, labels, licenses } from './plain.ts';
import { registrationTypesOperation } from './registration-types.ts';
import type { Resource } from './resource.ts';
import { type Surroundings, singleOperations } from './single.ts';
import { visitors } from './visitors.ts';
import { webhooks } from './webhooks.ts';

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

export type OperationPorts = Surroundings & {
  /** Folder that uploaded images lie in. */
  readonly uploads: string;
  readonly mailer: Mailer;
  /** Hears why an e-mail could not be handed on. */
  readonly onMailFailure: (error: unknown) => void;
};

/** Every operation this platform has. */
export const allOperations = (ports: OperationPorts): readonly Operation[] => [
  ...expoOperations(ports.store),
  ...resources.flatMap((resource) => [
    ...(resource.list ? [narrowToPartner(listOperation(ports.store, resource, resource.list))] : []),
    ...singleOperations(ports, resource).map(narrowToPartner),
  ]),
  writeOperation(ports.store, ports.newId),
  registrationTypesOperation(ports.store),
  sendEmailOperation(ports, ports.mailer, ports.onMailFailure),
  uploadOperation(ports, ports.uploads),
];
