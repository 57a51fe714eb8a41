/** Every planted fault. */
import { deviceMutations } from './device-list.ts';
import { fleetMutations } from './fleet-list.ts';
import { lawMutations } from './law-list.ts';
import { type Mutation, mutations } from './list.ts';
import { shellMutations } from './shell-list.ts';

export const allMutations: readonly Mutation[] = [
  ...mutations,
  ...lawMutations,
  ...deviceMutations,
  ...fleetMutations,
  ...shellMutations,
];
