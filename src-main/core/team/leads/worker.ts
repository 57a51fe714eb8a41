/**
 * The thread that reads leads, so that no search delays a tap. It has its own read-only connection.
 *
 * Invariants:
 * - The index is read in small parts, and questions are answered in between.
 * - An error in a question becomes its answer. An error while opening or reading the index ends the thread.
 */
import { parentPort } from 'node:worker_threads';
import { type Database, openReadOnly } from '../../foundations/store/database.ts';
import { whyOf } from '../../foundations/trace.ts';
import { createLeadReader, type LeadReader } from './lead-reader.ts';
import { createPersonSearch, type PersonSearch } from './persons.ts';
import type { Opening, Question, Reply } from './worker-calls.ts';

type Open = {
  readonly database: Database;
  readonly reader: LeadReader;
  readonly persons: PersonSearch;
};

function serve(port: NonNullable<typeof parentPort>): void {
  let open: Open | null = null;
  const reply = (message: Reply): void => port.postMessage(message);

  const readOn = (of: Open): void => {
    if (open !== of) return;
    if (of.reader.read()) setImmediate(() => readOn(of));
    else reply({ kind: 'ready' });
  };
  const begin = (opening: Opening): void => {
    open?.database.close();
    open = null;
    open = openFiles(opening);
    readOn(open);
  };
  const answer = ({ number, call, args }: Extract<Question, { kind: 'ask' }>): void => {
    if (open === null) throw new Error('Expected an open journal');
    const { reader, persons } = open;
    const ask = { ...reader, persons }[call] as (...given: readonly unknown[]) => unknown;
    reply({ kind: 'answer', number, result: ask(...args) });
  };

  port.on('message', (question: Question) => {
    if (question.kind === 'open') {
      begin(question.opening);
      return;
    }
    try {
      answer(question);
    } catch (error) {
      reply({ kind: 'fault', number: question.number, message: whyOf(error) });
    }
  });
}

function openFiles({ journal, mirror, settings }: Opening): Open {
  const database = openReadOnly(journal);
  if (database === null) throw new Error('Expected a journal in the data folder');
  return {
    database,
    reader: createLeadReader(database, settings),
    persons: createPersonSearch(mirror),
  };
}

if (parentPort !== null) serve(parentPort);
