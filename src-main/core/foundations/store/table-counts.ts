/**
 * Row counts of a database's tables for support, without their content.
 *
 * Invariant: opens read-only, beside a running app.
 */
import { openReadOnly } from './database.ts';

/** Rows of a table: the total, and the number for each of the 50 most frequent values of each requested column. */
type TableCount = {
  readonly rows: number;
  readonly by: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

type TableCounts = {
  readonly schemaVersion: number;
  readonly tables: Readonly<Record<string, TableCount>>;
};

/**
 * Counts every table at `path`. Null when there is no database. `columns`: columns to count by, if they exist.
 * @throws StartRefusal when it is not a database
 */
export function readTableCounts(
  path: string,
  columns: Readonly<Record<string, readonly string[]>>,
): TableCounts | null {
  const database = openReadOnly(path);
  if (database === null) return null;
  try {
    const tables = database
      .prepare<[], { name: string }>(
        `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'`,
      )
      .all();
    const counted = tables.map(({ name }) => {
      const rows = database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
      const known = database
        .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
        .all(name)
        .filter((column) => columns[name]?.includes(column.name));
      const by = known.map((column) => {
        const groups = database
          .prepare<[], { value: unknown; n: number }>(
            `SELECT "${column.name}" AS value, count(*) AS n FROM "${name}" GROUP BY 1 ORDER BY 2 DESC LIMIT 50`,
          )
          .all();
        return [column.name, Object.fromEntries(groups.map(({ value, n }) => [String(value), n]))] as const;
      });
      return [name, { rows, by: Object.fromEntries(by) }] as const;
    });
    const version = database.prepare<[], { user_version: number }>('PRAGMA user_version').get();
    return { schemaVersion: version?.user_version ?? 0, tables: Object.fromEntries(counted) };
  } finally {
    database.close();
  }
}
