/**
 * Confirmation e-mails that visitors requested and that the platform has not accepted yet.
 *
 * Invariants:
 * - One row per visitor, with the visitor's id and never an address.
 * - A row is removed after the platform answered or the visitor was erased.
 */
import type { Database } from '../../foundations/store/database.ts';

export type EmailQueue = {
  /** Queues a request. A repeated request changes nothing. */
  readonly add: (visitor: string, at: number) => void;
  readonly remove: (visitor: string) => void;
  /** Visitors whose e-mail is pending, oldest request first. */
  readonly waiting: () => readonly string[];
};

/** The one kind of e-mail the platform sends (docs/interface/resources.md#send-email). */
const EMAIL_TYPE = 'confirmation';

/** The e-mail queue in the journal's database. */
export function createEmailQueue(database: Database): EmailQueue {
  const add = database.prepare('INSERT OR IGNORE INTO email (type, visitor, asked_at) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM email WHERE visitor = ?');
  const waiting = database.prepare<[], { visitor: string }>(
    'SELECT visitor FROM email ORDER BY asked_at, id',
  );
  return {
    add: (visitor, at) => void add.run(EMAIL_TYPE, visitor, at),
    remove: (visitor) => void remove.run(visitor),
    waiting: () => waiting.all().map((row) => row.visitor),
  };
}
