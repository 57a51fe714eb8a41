/**
 * Records of erasures ("protocols"), stored with the journal.
 *
 * Invariants:
 * - A protocol contains no personal data.
 * - The platform's answers are read from the outbox when a protocol is listed, so they are current.
 */
import type { ErasureProtocol } from '../../../contract/erasure.ts';
import type { Database } from '../../foundations/store/database.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';

/**
 * The stored protocol. `undos`: ids of the facts that ask the platform to undo something; earlier versions stored
 * none.
 */
type KeptProtocol = Omit<ErasureProtocol, 'platform'> & { readonly undos?: readonly string[] };

export type ErasureProtocols = {
  /** Stores a protocol. Returns it as `list` does. */
  readonly add: (protocol: KeptProtocol) => ErasureProtocol;
  /** Latest first. */
  readonly list: (limit: number) => readonly ErasureProtocol[];
};

/** Protocols in the journal's database. */
export function createErasureProtocols(database: Database): ErasureProtocols {
  const insert = database.prepare('INSERT INTO erasure_protocol (id, at, protocol) VALUES (?, ?, ?)');
  const latest = database.prepare<[number], { protocol: string }>(
    'SELECT protocol FROM erasure_protocol ORDER BY at DESC, id DESC LIMIT ?',
  );
  const states = database.prepare<[string], { state: OutboxState; count: number }>(
    `SELECT state, count(*) AS count FROM fact JOIN outbox USING (seq)
     WHERE fact.id IN (SELECT value FROM json_each(?)) GROUP BY state`,
  );
  const withAnswers = ({ undos = [], ...protocol }: KeptProtocol): ErasureProtocol => {
    if (undos.length === 0) return protocol;
    const counts = new Map(states.all(JSON.stringify(undos)).map(({ state, count }) => [state, count]));
    const taken = (counts.get('sent') ?? 0) + (counts.get('confirmed') ?? 0);
    const refused = counts.get('parked') ?? 0;
    const asked = undos.length;
    return { ...protocol, platform: { asked, taken, refused, waiting: asked - taken - refused } };
  };
  return {
    add: (protocol) => {
      insert.run(protocol.id, protocol.at, JSON.stringify(protocol));
      return withAnswers(protocol);
    },
    list: (limit) => latest.all(limit).map((row) => withAnswers(JSON.parse(row.protocol) as KeptProtocol)),
  };
}
