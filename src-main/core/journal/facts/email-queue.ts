/**
 * Confirmation e-mails that visitors asked for and the platform has not been asked for yet.
 *
 * Invariants: one row per visitor; only the visitor's id, never an address; a row goes when the platform has spoken,
 * or with the visitor.
 */
import type { Database } from '../../foundations/store/database.ts';

export type EmailQueue = {
  /** Remembers the wish; asking again changes nothing. */
  readonly add: (visitor: string, at: number) => void;
  readonly remove: (visitor: string) => void;
  /** Visitors whose e-mail is still to be asked for, longest waiting first. */
  readonly waiting: () => readonly string[];
};

/** The one kind of e-mail the platform sends (docs/interface/resources.md#send-email). */
const EMAIL_TYPE = 'confirmation';

/** The queue over the journal's database. */
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
