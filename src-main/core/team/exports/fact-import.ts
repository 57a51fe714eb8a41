/**
 * Imports a file of facts into a journal (`fact-file.ts`, `take-facts.ts`).
 *
 *     read and verify all ► format, completeness, event and partner right? ► read again and import
 *
 * Invariants:
 * - Nothing is written before the whole file was verified.
 * - If the file changes between the passes, the second one fails, at its last line at the latest. It verifies each
 *   fact again before the import.
 * - Facts are imported in slices, so that a tap never waits long.
 * - A repeated import changes nothing.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import type { Leads } from '../../journal/facts/leads.ts';
import {
  type FactFileEnd,
  FactFileError,
  type FactFileFault,
  type FactFileHeader,
  type FactLine,
  readFactFile,
} from './fact-file.ts';
import type { TakeFacts } from './take-facts.ts';

/** Why nothing was imported. */
type ImportRefusal = FactFileFault | 'otherEvent' | 'otherPartner';

/** Result of an import. `facts` are in the file, `taken` of them are new here. */
export type Imported =
  | {
      readonly kind: 'imported';
      readonly header: FactFileHeader;
      readonly end: FactFileEnd;
      readonly facts: number;
      readonly taken: number;
    }
  | {
      readonly kind: 'refused';
      readonly reason: ImportRefusal;
      /** Line of the fault. 0 if no line is at fault. */
      readonly line: number;
      readonly header: FactFileHeader | null;
    };

export type ImportPorts = {
  readonly database: Database;
  readonly leads: Pick<Leads, 'adopt'>;
  readonly take: TakeFacts;
  /** The event of this folder's leads. Null if it has none yet. */
  readonly event: string | null;
  readonly partner: string | null;
};

/** Progress of an import: facts verified, then facts imported, and the total. */
type ImportStep = {
  readonly phase: 'checking' | 'taking';
  readonly done: number;
  readonly of: number;
};

const SLICE = 50;

/** Imports the facts of the file at `path` in one call. */
export function importFacts(path: string, ports: ImportPorts): Imported {
  const steps = importSteps(path, ports);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Imports the facts of the file at `path`, one slice per step. After an interruption it can be started again. */
export function* importSteps(path: string, ports: ImportPorts): Generator<ImportStep, Imported> {
  let header: FactFileHeader | null = null;
  try {
    const seen = yield* look(path, (found) => {
      header = found;
      return mismatch(found, ports);
    });
    if ('refused' in seen) return { kind: 'refused', reason: seen.refused, line: 1, header };
    const { taken, end } = yield* takeAll(path, seen.header, ports);
    if (seen.header.partner !== null) ports.leads.adopt(seen.header.partner);
    return { kind: 'imported', header: seen.header, end, facts: end.count, taken };
  } catch (error) {
    if (!(error instanceof FactFileError)) throw error;
    return { kind: 'refused', reason: error.fault, line: error.line, header };
  }
}

function mismatch(header: FactFileHeader, ports: ImportPorts): 'otherEvent' | 'otherPartner' | null {
  if (ports.event !== null && ports.event !== header.event) return 'otherEvent';
  return ports.partner !== null && ports.partner !== header.partner ? 'otherPartner' : null;
}

type Seen = { readonly refused: 'otherEvent' | 'otherPartner' } | { readonly header: FactFileHeader };

/** Verifies the whole file. @throws FactFileError if it is not valid */
function* look(
  path: string,
  check: (header: FactFileHeader) => 'otherEvent' | 'otherPartner' | null,
): Generator<ImportStep, Seen> {
  let header: FactFileHeader | null = null;
  let done = 0;
  for (const step of readFactFile(path)) {
    if ('header' in step) {
      header = step.header;
      const refused = check(header);
      if (refused !== null) return { refused };
      continue;
    }
    done += 1;
    if (done % SLICE === 0) yield { phase: 'checking', done, of: header?.count ?? done };
  }
  if (header === null) throw new FactFileError('notOurs', 0);
  return { header };
}

function* takeAll(
  path: string,
  header: FactFileHeader,
  { database, take }: ImportPorts,
): Generator<ImportStep, { readonly taken: number; readonly end: FactFileEnd }> {
  const known = database.prepare<[string, string | null], VisitorSnapshot>(
    `SELECT visitor AS id, name, company, job_title AS jobTitle, place, record
     FROM lead_key JOIN lead ON lead.id = lead_key.lead
     WHERE kind = 'visitor' AND code = ? AND lead_key.partner = ? AND record IS NOT NULL`,
  );
  let slice: FactLine[] = [];
  let done = 0;
  let taken = 0;
  const flush = (): void => {
    // Only a visitor's first fact in the file has the complete record. From the next slice on, the lead has it.
    const told = new Map<string, VisitorSnapshot>();
    const wholeOf = (visitor: FactLine['visitor']): VisitorSnapshot | null => {
      if (typeof visitor === 'string') return told.get(visitor) ?? known.get(visitor, header.partner) ?? null;
      if (visitor !== null) told.set(visitor.id, visitor);
      return visitor;
    };
    taken += take(slice.map(({ visitor, ...fact }) => ({ fact, visitor: wholeOf(visitor) })));
    done += slice.length;
    slice = [];
  };
  const steps = readFactFile(path);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) {
      flush();
      return { taken, end: step.value };
    }
    if (!('fact' in step.value)) continue;
    slice.push(step.value.fact);
    if (slice.length < SLICE) continue;
    flush();
    yield { phase: 'taking', done, of: header.count };
  }
}
