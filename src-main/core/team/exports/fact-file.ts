/**
 * Facts as a file: JSON lines that another machine can import and anybody can verify.
 *
 *     {"touchpoint":"facts","version":1,"event":"…","partner":"…","count":2}
 *     {"seq":1,"id":"…",…,"payload":{…},"payloadSha256":"…","previousHash":"…","hash":"…","delivery":{…},"visitor":{…}}
 *     {"seq":2,…,"visitor":"<id of a visitor of an earlier line>"}
 *     {"head":"<hash of the last fact>","count":2,"breaks":0,"sha256":"<of every byte before this line>"}
 *
 * Invariants:
 * - A fact is unchanged, with the number and the hashes of the device that captured it.
 * - The same facts with the same delivery give the same bytes. The file contains nothing about its export.
 * - The last line describes everything before it, so that a truncated or changed file is detected.
 * - The file is read line by line, so memory use does not grow with its size.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import { type Fact, isSound } from '../../journal/facts/fact.ts';
import { OUTBOX_STATES, type OutboxState } from '../../journal/facts/transitions.ts';

/** Version of the format. A file of a higher version is refused. */
const FACT_FILE_VERSION = 1;

export type FactFileHeader = {
  readonly event: string;
  readonly partner: string | null;
  readonly count: number;
};

/** Delivery of a fact. `revision` in decimal digits, because it may exceed 2^53. `changedAt` in Unix milliseconds. */
export type FactDelivery = {
  readonly state: OutboxState;
  readonly attempts: number;
  readonly reason: string | null;
  readonly action: string | null;
  readonly revision: string | null;
  readonly changedAt: number;
};

/**
 * One fact of a file. `visitor`: the full record in the visitor's first fact, only the id after that. Null if
 * unknown.
 */
export type FactLine = Fact & {
  readonly delivery: FactDelivery;
  readonly visitor: VisitorSnapshot | string | null;
};

export type FactFileEnd = {
  readonly head: string;
  readonly count: number;
  readonly breaks: number;
  readonly sha256: string;
};

/** Why a file cannot be imported. */
export type FactFileFault = 'unreadable' | 'notOurs' | 'newer' | 'cut' | 'altered';

/** Thrown by the reader. `line` is the line number, from 1. It is 0 if no line is at fault. */
export class FactFileError extends Error {
  override readonly name = 'FactFileError';
  readonly fault: FactFileFault;
  readonly line: number;
  constructor(fault: FactFileFault, line: number) {
    super(`${fault} at line ${line}`);
    this.fault = fault;
    this.line = line;
  }
}

/** Writes the lines of a file and computes the totals of its last line. */
export function createFactFileWriter(): {
  readonly header: (header: FactFileHeader) => string;
  readonly line: (line: FactLine) => string;
  /** Returns the last line and its totals. */
  readonly end: () => { readonly text: string; readonly end: FactFileEnd };
} {
  const account = createAccount();
  const text = (value: unknown): string => {
    const line = `${JSON.stringify(value)}\n`;
    account.bytes(Buffer.from(line, 'utf8'));
    return line;
  };
  return {
    header: ({ event, partner, count }) =>
      text({ touchpoint: 'facts', version: FACT_FILE_VERSION, event, partner, count }),
    line: (line) => {
      account.fact(line);
      return text(line);
    },
    end: () => {
      const end = account.end();
      return { text: `${JSON.stringify(end)}\n`, end };
    },
  };
}

/** The totals in the last line of a file. */
function createAccount() {
  const hash = createHash('sha256');
  let count = 0;
  let breaks = 0;
  let last: Pick<Fact, 'seq' | 'hash'> | null = null;
  return {
    bytes: (bytes: Uint8Array) => void hash.update(bytes),
    fact: (fact: Fact) => {
      if (last !== null && (fact.seq !== last.seq + 1 || fact.previousHash !== last.hash)) breaks += 1;
      count += 1;
      last = fact;
    },
    end: (): FactFileEnd => ({ head: last?.hash ?? '', count, breaks, sha256: hash.digest('hex') }),
  };
}

/**
 * Reads a file: its header, then each verified fact, then the totals of the last line after they are verified.
 *
 * @throws FactFileError if the file is not valid
 */
export function* readFactFile(
  path: string,
): Generator<{ readonly header: FactFileHeader } | { readonly fact: FactLine }, FactFileEnd> {
  const account = createAccount();
  let number = 0;
  let header: FactFileHeader | null = null;
  let end: FactFileEnd | null = null;
  for (const { bytes, isWhole } of linesOf(path)) {
    number += 1;
    if (end !== null) throw new FactFileError('altered', number);
    const value = objectIn(bytes, isWhole, number);
    if (header === null) {
      header = headerIn(value, number);
      yield { header };
    } else if ('head' in value) {
      end = account.end();
      const holds = isWhole && end.count === header.count && JSON.stringify(value) === JSON.stringify(end);
      if (!holds) throw new FactFileError('altered', number);
      continue;
    } else {
      const fact = factIn(value, number);
      account.fact(fact);
      yield { fact };
    }
    account.bytes(bytes);
  }
  if (end !== null) return end;
  throw new FactFileError(number === 0 ? 'notOurs' : 'cut', number);
}

const PIECE = 64 * 1024;
/** Longer than any line that we write: a note of a megabyte plus the record of its visitor. */
const LONGEST_LINE = 8 * 1024 * 1024;

/** The lines of a file with their line breaks. `isWhole`: it ends with a line break. */
function* linesOf(path: string): Generator<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const file = reading(() => openSync(path, 'r'));
  try {
    let rest: Buffer[] = [];
    let length = 0;
    let line = 1;
    for (;;) {
      const piece = Buffer.alloc(PIECE);
      let bytes = piece.subarray(
        0,
        reading(() => readSync(file, piece)),
      );
      if (bytes.length === 0) break;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
        yield { bytes: Buffer.concat([...rest, bytes.subarray(0, end + 1)]), isWhole: true };
        line += 1;
        rest = [];
        length = 0;
        bytes = bytes.subarray(end + 1);
      }
      rest.push(bytes);
      length += bytes.length;
      if (length > LONGEST_LINE) throw new FactFileError(line === 1 ? 'notOurs' : 'altered', line);
    }
    if (length > 0) yield { bytes: Buffer.concat(rest), isWhole: false };
  } finally {
    closeSync(file);
  }
}

/** A read error counts as an unreadable file. */
function reading<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new FactFileError('unreadable', 0);
    throw error;
  }
}

type Value = Readonly<Record<string, unknown>>;

function objectIn(bytes: Buffer, isWhole: boolean, line: number): Value {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Value;
  } catch {
    // This is reported below as a fault of this file.
  }
  if (line === 1) throw new FactFileError('notOurs', line);
  throw new FactFileError(isWhole ? 'altered' : 'cut', line);
}

function headerIn(value: Value, line: number): FactFileHeader {
  const { touchpoint, version, event, partner, count } = value;
  if (touchpoint !== 'facts' || typeof version !== 'number') throw new FactFileError('notOurs', line);
  if (version > FACT_FILE_VERSION) throw new FactFileError('newer', line);
  if (typeof event !== 'string' || !Number.isSafeInteger(count)) throw new FactFileError('altered', line);
  if (partner !== null && typeof partner !== 'string') throw new FactFileError('altered', line);
  return { event, partner, count: count as number };
}

function factIn(value: Value, line: number): FactLine {
  const { delivery, visitor, payload } = value;
  const isFact =
    Number.isSafeInteger(value.seq) &&
    ['id', 'boot', 'payloadSha256', 'previousHash', 'hash'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    ['at', 'mono'].every((name) => Number.isSafeInteger(value[name])) &&
    FACT_KINDS.some((kind) => kind === value.kind) &&
    ['touchpoint', 'partner', 'reader', 'source', 'staff'].every((name) => isTextOrNull(value[name])) &&
    (value.clockOffset === null || Number.isSafeInteger(value.clockOffset)) &&
    (payload === null || (typeof payload === 'object' && !Array.isArray(payload))) &&
    isDelivery(delivery) &&
    isVisitor(visitor);
  const fact = value as unknown as FactLine;
  const text = payload === null ? null : JSON.stringify(payload);
  if (!isFact || !isSound(fact, text)) throw new FactFileError('altered', line);
  return fact;
}

function isDelivery(value: unknown): value is FactDelivery {
  if (typeof value !== 'object' || value === null) return false;
  const { state, attempts, reason, action, revision, changedAt } = value as Value;
  return (
    OUTBOX_STATES.some((known) => known === state) &&
    Number.isSafeInteger(attempts) &&
    Number.isSafeInteger(changedAt) &&
    isTextOrNull(reason) &&
    isTextOrNull(action) &&
    (revision === null || (typeof revision === 'string' && /^-?\d{1,19}$/u.test(revision)))
  );
}

function isVisitor(value: unknown): value is FactLine['visitor'] {
  if (value === null || typeof value === 'string') return true;
  if (typeof value !== 'object') return false;
  const { id, name, record, company, jobTitle, place } = value as Value;
  return (
    [id, name, record].every((text) => typeof text === 'string') &&
    [company, jobTitle, place].every((text) => isTextOrNull(text))
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
