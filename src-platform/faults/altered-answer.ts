/** How faults change an answer before it is sent. Pure. */
import { parseJson } from '../http/json.ts';
import { writeJson } from '../store/json.ts';
import type { Fault } from './fault.ts';

type Row = Readonly<Record<string, unknown>>;

function revisionOf(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n;
}

/** The revision that represents a whole group of `width`. */
function tied(revision: bigint, width: number): bigint {
  return revision - (revision % BigInt(width));
}

/** The first real revision shown as `from` or higher when revisions are tied. */
export function untie(from: bigint, width: number): bigint {
  const rest = from % BigInt(width);
  return rest === 0n ? from : from - rest + BigInt(width);
}

/** An action as shown by a platform that stores nothing about its sender. */
function withoutClientId(row: Row): Row {
  const { clientID: _forgotten, ...rest } = row;
  return rest;
}

function alterList(rows: readonly Row[], fault: Fault): readonly Row[] {
  if (fault.kind === 'reorder') return rows.toReversed();
  if (fault.kind === 'forgetIds') return rows.map(withoutClientId);
  if (fault.kind === 'late') {
    return rows.filter((row) => !fault.ids.includes(String(row.id ?? row.visitorID)));
  }
  if (fault.kind === 'ties') {
    return rows.map((row) => ({ ...row, revision: tied(revisionOf(row.revision), fault.width) }));
  }
  return rows;
}

/** Faults that change records, not only the text of an answer. */
const changesRecords: readonly string[] = ['reorder', 'late', 'ties', 'forgetIds'];

/** The body after all faults that change it; a text that is no JSON list is only shortened. */
export function alterAnswer(text: string, faults: readonly Fault[]): string {
  let body = text;
  if (faults.some(({ kind }) => changesRecords.includes(kind))) {
    const value = text.startsWith('[') || text.startsWith('{') ? parseJson(text) : null;
    if (Array.isArray(value)) {
      body = writeJson(faults.reduce<readonly Row[]>(alterList, value as readonly Row[]));
    } else if (value !== null) {
      body = writeJson(faults.reduce<readonly Row[]>(alterList, [value as Row])[0] ?? value);
    }
  }
  if (!faults.some(({ kind }) => kind === 'truncate')) return body;
  return body.slice(0, Math.floor(body.length / 2));
}
