/** Reads the mirror without the app, for support: its event, records, detailed forms and stored texts. */
import { openReadOnly } from '../../foundations/store/database.ts';
import type { ResourceName } from './resources.ts';

export type MirrorReading = {
  readonly expoId: string | null;
  /** Living records by id: body as JSON text. */
  readonly bodies: (resource: ResourceName) => ReadonlyMap<string, string>;
  /** Detailed forms: the body as JSON text, or null if the platform never returned one. */
  readonly details: () => readonly DetailReading[];
  /** A text stored beside the records, or null. */
  readonly metadata: (key: string) => string | null;
  readonly close: () => void;
};

export type DetailReading = {
  readonly resource: ResourceName;
  readonly id: string;
  readonly body: string | null;
};

/** The mirror at `path`, or null when there is none. @throws StartRefusal when it is not a database */
export function readMirror(path: string): MirrorReading | null {
  const database = openReadOnly(path);
  if (database === null) return null;
  const living = database.prepare<[string], { id: string; body: string }>(
    'SELECT id, body FROM record WHERE resource = ? AND deleted = 0',
  );
  const hasDetails = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'detail'`);
  const metadata = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  return {
    expoId: metadata.get('expo')?.value ?? null,
    metadata: (key) => metadata.get(key)?.value ?? null,
    bodies: (resource) => new Map(living.all(resource).map(({ id, body }) => [id, body])),
    // A mirror of an earlier version has no table of detailed forms.
    details: () =>
      hasDetails.get() === undefined
        ? []
        : database
            .prepare<[], DetailReading>(
              `SELECT resource, id, detail.body FROM detail JOIN record USING (resource, id) WHERE record.deleted = 0`,
            )
            .all(),
    close: () => database.close(),
  };
}
