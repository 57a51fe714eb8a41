/**
 * Converts records of pages (`page-images.ts`) to rows, with values by column name, for every version of a schema.
 *
 * Invariants:
 * - The names come from the migrations, applied by SQLite to an empty database, never from a file that may be
 *   damaged.
 * - A migration may only add columns. SQLite puts them last, so an older row is shorter and gets the defaults.
 * - Values are not verified.
 *
 * Format: sqlite.org/fileformat2.html, sections 2.3 and 2.4.
 */
import { type Database, inMemory } from '../../foundations/store/database.ts';
import { type Migration, migrate } from '../../foundations/store/migrations.ts';
import type { StoredRecord, StoredValue } from './page-images.ts';

/** Values by column name. */
export type StoredRow<Column extends string> = Readonly<Record<Column, StoredValue>>;

/** How the rows of one table are stored. */
type StoredTable<Column extends string> = {
  /** Number of values in the shortest row: the columns of the table's first version. */
  readonly leastColumns: number;
  /**
   * The requested columns of the record as a row of this table. Null when it cannot be one. Values beyond the last
   * known column are ignored.
   */
  readonly rowOf: (record: StoredRecord) => StoredRow<Column> | null;
};

/** Tables and the wanted columns of each. */
type Wanted = Readonly<Record<string, readonly string[]>>;

type StoredTables<Tables extends Wanted> = {
  readonly [Table in keyof Tables]: StoredTable<Tables[Table][number]>;
};

/** A column in storage order. `isRowid`: it is stored as NULL and stands for the rowid. */
type Column = { readonly name: string; readonly isRowid: boolean; readonly byDefault: StoredValue };

/**
 * How these tables store rows in any version that `migrations` produce.
 * @throws Error when the latest version lacks a table or a column
 */
export function storedTables<const Tables extends Wanted>(
  migrations: readonly Migration[],
  tables: Tables,
): StoredTables<Tables> {
  return inMemory((model) => {
    const least = new Map<string, number>();
    for (const [index] of migrations.entries()) {
      migrate(model, migrations.slice(0, index + 1));
      for (const table of Object.keys(tables)) {
        const columns = least.has(table) ? 0 : columnsOf(model, table).length;
        if (columns > 0) least.set(table, columns);
      }
    }
    const entries = Object.entries(tables).map(([table, wanted]) => {
      const columns = columnsOf(model, table);
      const known = { columns, hasRowid: !isWithoutRowid(model, table), leastColumns: least.get(table) ?? 0 };
      return [table, storedTable(table, known, wanted)];
    });
    return Object.fromEntries(entries) as StoredTables<Tables>;
  });
}

function storedTable(
  table: string,
  known: { readonly columns: readonly Column[]; readonly hasRowid: boolean; readonly leastColumns: number },
  wanted: readonly string[],
): StoredTable<string> {
  const { columns, hasRowid, leastColumns } = known;
  const places = wanted.map((name) => {
    const place = columns.findIndex((column) => column.name === name);
    const column = columns[place];
    if (column === undefined) throw new Error(`Expected a table ${table} with a column ${name}`);
    return { place, ...column };
  });
  return {
    leastColumns,
    rowOf: ({ rowid, values }) => {
      if ((rowid !== null) !== hasRowid || values.length < leastColumns) return null;
      const row: Record<string, StoredValue> = {};
      for (const { name, place, isRowid, byDefault } of places) {
        if (isRowid) row[name] = rowid;
        else row[name] = place < values.length ? (values[place] ?? null) : byDefault;
      }
      return row;
    },
  };
}

/** The columns of a table in storage order. Empty when there is no such table. */
function columnsOf(model: Database, table: string): readonly Column[] {
  const declared = model
    .prepare<[string], { name: string; type: string; pk: number; byDefault: string | null }>(
      'SELECT name, type, pk, dflt_value AS byDefault FROM pragma_table_info(?) ORDER BY cid',
    )
    .all(table);
  const key = declared.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const withoutRowid = isWithoutRowid(model, table);
  // A table without rowid is sorted by its key, so the key is stored first (section 2.4).
  const stored = withoutRowid ? [...key, ...declared.filter(({ pk }) => pk === 0)] : declared;
  return stored.map(({ name, type, pk, byDefault }) => ({
    name,
    isRowid: !withoutRowid && pk > 0 && key.length === 1 && type.toUpperCase() === 'INTEGER',
    byDefault: byDefault === null ? null : defaultOf(model, byDefault),
  }));
}

function isWithoutRowid(model: Database, table: string): boolean {
  return model.prepare<[string], { wr: number }>('SELECT wr FROM pragma_table_list(?)').get(table)?.wr === 1;
}

/** The value of a default, which is SQL from our own migrations. */
function defaultOf(model: Database, byDefault: string): StoredValue {
  return model.prepare<[], { value: StoredValue }>(`SELECT (${byDefault}) AS value`).get()?.value ?? null;
}
