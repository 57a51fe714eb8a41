/**
 * Records of pages (`page-images.ts`) as rows: each value under the name of its column, for every version of a schema.
 *
 * Invariants: the names come from the migrations, read by SQLite itself from an empty database, never from a file that
 * may be damaged; a migration may only add columns, which SQLite puts last, so a row stored before one was added is
 * short of it and has its default; promises nothing about the values. Format: sqlite.org/fileformat2.html, sections
 * 2.3 and 2.4.
 */
import { type Database, inMemory } from '../../foundations/store/database.ts';
import { type Migration, migrate } from '../../foundations/store/migrations.ts';
import type { StoredRecord, StoredValue } from './page-images.ts';

/** Values by the names of their columns. */
export type StoredRow<Column extends string> = Readonly<Record<Column, StoredValue>>;

/** How the rows of one table are stored. */
export type StoredTable<Column extends string> = {
  /** So many values the shortest row has: the columns of the table's first version. */
  readonly leastColumns: number;
  /**
   * The record as a row of this table, in those columns that were asked for; null when it cannot be one. Values beyond
   * the last known column are passed over.
   */
  readonly rowOf: (record: StoredRecord) => StoredRow<Column> | null;
};

/** Tables and the columns wanted of each. */
type Wanted = Readonly<Record<string, readonly string[]>>;

export type StoredTables<Tables extends Wanted> = {
  readonly [Table in keyof Tables]: StoredTable<Tables[Table][number]>;
};

/** A column in the order of storage. `isRowid`: it is stored as NULL and stands for the number of the row. */
type Column = { readonly name: string; readonly isRowid: boolean; readonly byDefault: StoredValue };

/**
 * How the rows of these tables are stored in any version that `migrations` make.
 *
 * @throws Error when a table or a column is in no version
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

/** The columns of a table in the order of storage; none when there is no such table. */
function columnsOf(model: Database, table: string): readonly Column[] {
  const declared = model
    .prepare<[string], { name: string; type: string; pk: number; byDefault: string | null }>(
      'SELECT name, type, pk, dflt_value AS byDefault FROM pragma_table_info(?) ORDER BY cid',
    )
    .all(table);
  const key = declared.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const withoutRowid = isWithoutRowid(model, table);
  // Without a row number the key is what the tree is sorted by, so it is stored first (section 2.4).
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

/** The value of a default, which is SQL of our own migrations. */
function defaultOf(model: Database, byDefault: string): StoredValue {
  return model.prepare<[], { value: StoredValue }>(`SELECT (${byDefault}) AS value`).get()?.value ?? null;
}
