/**
 * The resources the kiosk mirrors: a table, one row each. To mirror another resource, add a row.
 *
 * Invariants: the order is the order of the first sync (small things that the screen needs first, then people);
 * page sizes are the documented maxima (API document, "Limits"; silences where it is silent).
 */

/** One resource of the event. */
export type Resource = {
  readonly name: ResourceName;
  /** Path segment of its list. */
  readonly path: string;
  readonly idField: string;
  readonly pageSize: number;
  /** Whether its list takes `showDeleted` (documented for activities, labels, partners; visitors by the silences). */
  readonly showsDeleted: boolean;
};

export const RESOURCE_NAMES = [
  'touchpoints',
  'partners',
  'contents',
  'activities',
  'visitors',
  'participants',
] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

export const RESOURCES: readonly Resource[] = [
  { name: 'touchpoints', path: 'touchpoints', idField: 'id', pageSize: 1000, showsDeleted: false },
  { name: 'partners', path: 'partners', idField: 'id', pageSize: 100, showsDeleted: true },
  { name: 'contents', path: 'contents', idField: 'id', pageSize: 100, showsDeleted: false },
  { name: 'activities', path: 'activities', idField: 'id', pageSize: 100, showsDeleted: true },
  { name: 'visitors', path: 'visitors', idField: 'id', pageSize: 100, showsDeleted: true },
  { name: 'participants', path: 'participants', idField: 'visitorID', pageSize: 100, showsDeleted: false },
];
