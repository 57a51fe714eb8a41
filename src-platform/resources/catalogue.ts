/**
 * All operations of the interface in one list, in the order of the API document.
 */
import type { Operation } from '../http/operation.ts';
import { writeOperation } from '../interactions/operations.ts';
import { contents } from './contents.ts';
import { actions, connections, participants, touchpoints } from './derived.ts';
import { expoOperations } from './expos.ts';
import { listOperation } from './list.ts';
import { orders, payments } from './orders.ts';
import { partners } from './partners.ts';
import { activities, labels, licenses } from './plain.ts';
import type { Resource } from './resource.ts';
import { type Surroundings, singleOperations } from './single.ts';
import { visitors } from './visitors.ts';

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
];

/** Every operation this platform has. */
export const allOperations = (around: Surroundings): readonly Operation[] => [
  ...expoOperations(around.store),
  ...resources.flatMap((resource) => [
    ...(resource.list ? [listOperation(around.store, resource, resource.list)] : []),
    ...singleOperations(around, resource),
  ]),
  writeOperation(around.store, around.newId),
];
