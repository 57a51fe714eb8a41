/**
 * The resources that a device mirrors: a table with one row each. To mirror another resource, add a row.
 *
 * Invariants:
 * - The order is the order of the first sync: small resources that the screen needs first, then people.
 * - Page sizes are the documented maxima (docs/interface/limits.md#records-per-answer). Undocumented maxima are in
 *   docs/interface/undocumented.md#lists.
 * - A device does not mirror actions. The outbox reads them for confirmation (`outbox/read-back.ts`).
 */

/** One resource of the event. */
export type Resource = {
  readonly name: ResourceName;
  /** Path segment of its list. */
  readonly path: string;
  readonly idField: string;
  readonly pageSize: number;
  /**
   * Whether its list accepts `showDeleted` (documented for activities, labels, partners; visitors:
   * docs/interface/undocumented.md#lists).
   */
  readonly showsDeleted: boolean;
  /** Whether its list accepts `fromRevision` and `limit`. If not, one answer contains the whole list. */
  readonly byRevision: boolean;
  /** Whether it is filtered by our own partner (`partnerId`). */
  readonly ofOwnPartner: boolean;
  /**
   * Whether a key may lack the right to it (docs/decisions/key-of-one-company.md). Then this list stays unchanged,
   * and the others continue.
   */
  readonly optional: boolean;
  /** Whether the mirror counts as complete only with this list. */
  readonly awaited: boolean;
};

export const RESOURCE_NAMES = [
  'touchpoints',
  'partners',
  'contents',
  'activities',
  'labels',
  'registrationTypes',
  'visitors',
  'participants',
  'connections',
  // Only the hub mirrors actions (`src-hub/mirror/resources.ts`).
  'actions',
] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

/** Default values of a row in this table. */
export const usualResource = {
  idField: 'id',
  pageSize: 100,
  showsDeleted: false,
  byRevision: true,
  ofOwnPartner: false,
  optional: true,
  awaited: true,
} as const;

export const RESOURCES: readonly Resource[] = [
  { ...usualResource, name: 'touchpoints', path: 'touchpoints', pageSize: 1000, optional: false },
  { ...usualResource, name: 'partners', path: 'partners', showsDeleted: true },
  { ...usualResource, name: 'contents', path: 'contents' },
  { ...usualResource, name: 'activities', path: 'activities', showsDeleted: true },
  { ...usualResource, name: 'labels', path: 'labels', showsDeleted: true },
  { ...usualResource, name: 'registrationTypes', path: 'registrationTypes', byRevision: false },
  { ...usualResource, name: 'visitors', path: 'visitors', showsDeleted: true },
  { ...usualResource, name: 'participants', path: 'participants', idField: 'visitorID' },
  { ...usualResource, name: 'connections', path: 'connections', ofOwnPartner: true, awaited: false },
];
