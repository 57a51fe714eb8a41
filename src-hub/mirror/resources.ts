/**
 * The lists that the hub mirrors from the platform, and the kind of record that it serves for each list.
 *
 * Invariants
 * - The order is that of the first sync. The actions come last: they only prove delivery.
 * - A snapshot holds no list of which devices see different records (`src-platform/hub/narrowing.ts`).
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

/** The lists of a snapshot: every device reads the same records of them, by revision. */
export const SNAPSHOT_RESOURCES: readonly Resource[] = RESOURCES.filter(
  ({ name, byRevision, ofOwnPartner }) => byRevision && !ofOwnPartner && name !== 'participants',
);

/** Lists whose single read returns more fields than the list. */
export const DETAILED: readonly ResourceName[] = ['partners', 'contents', 'activities'];

/** How the hub serves the records of a mirrored list. The path segment is the same on both sides. */
export function servedAs(name: ResourceName): Served {
  const served = [...forwardedResources, registrationTypes].find(({ folder }) => folder === name);
  if (served === undefined) throw new Error(`The hub does not serve ${name}.`);
  return served;
}
