/**
 * The resources the kiosk mirrors: a table, one row each. To mirror another resource, add a row.
 *
 * Invariants: the order is the order of the first sync (small things that the screen needs first, then people);
 * page sizes are the documented maxima (docs/interface/limits.md#records-per-answer; the others
 * docs/interface/undocumented.md#lists). Actions are not kept: the outbox reads them for confirmation (see
 * `outbox/read-back.ts`).
 */

/** One resource of the event. */
export type Resource = {
  readonly name: ResourceName;
  /** Path segment of its list. */
  readonly path: string;
  readonly idField: string;
  readonly pageSize: number;
  /**
   * Whether its list takes `showDeleted` (documented for activities, labels, partners; visitors:
   * docs/interface/undocumented.md#lists).
   */
  readonly showsDeleted: boolean;
  /** Whether its list takes `fromRevision` and `limit`; otherwise one answer holds it all. */
  readonly byRevision: boolean;
  /** Narrowed to our own partner by `partnerId`. */
  readonly ofOwnPartner: boolean;
  /** A key may lack the right to it (docs/decisions/key-of-one-company.md); then its mirror stays unchanged, and the others continue. */
  readonly optional: boolean;
  /** The mirror is not complete without it. */
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
  // No kiosk mirrors these; the hub does (`src-hub/mirror/resources.ts`).
  'actions',
] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

/** Defaults of a row. */
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
