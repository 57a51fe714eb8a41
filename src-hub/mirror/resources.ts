/**
 * What the hub mirrors of upstream, and as which kind of record it is served: a table, one row each.
 *
 * Invariant: the order is that of the first sync; the actions come last, they only prove.
 */
import {
  RESOURCES,
  type Resource,
  type ResourceName,
  usualResource,
} from '../../src-main/core/event/mirror/resources.ts';
import { forwardedResources } from '../../src-platform/hub/operations.ts';
import { registrationTypes } from '../../src-platform/resources/registration-types.ts';
import type { Resource as Served } from '../../src-platform/resources/resource.ts';

/** Everything the kiosk mirrors, the connections of all partners, and the actions. */
export const HUB_RESOURCES: readonly Resource[] = [
  ...RESOURCES.map((resource) => ({ ...resource, ofOwnPartner: false })),
  { ...usualResource, name: 'actions', path: 'actions', awaited: false },
];

/** Lists whose single read says more than the list. */
export const DETAILED: readonly ResourceName[] = ['partners', 'contents', 'activities'];

/** How records of a mirrored list are served; the folder in the path names them on both sides. */
export function servedAs(name: ResourceName): Served {
  const served = [...forwardedResources, registrationTypes].find(({ folder }) => folder === name);
  if (served === undefined) throw new Error(`The hub does not serve ${name}.`);
  return served;
}
