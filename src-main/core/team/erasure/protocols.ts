/**
 * Protocols of erasures, stored with the journal.
 *
 * Invariant: a protocol contains nothing about a person.
 */
import type { ErasureProtocol } from '../../../contract/erasure.ts';
import type { Database } from '../../foundations/store/database.ts';

export type ErasureProtocols = {
  readonly add: (protocol: ErasureProtocol) => void;
  /** Latest first. */
  readonly list: (limit: number) => readonly ErasureProtocol[];
};

/** Protocols in the journal's database. */
export function createErasureProtocols(database: Database): ErasureProtocols {
  const insert = database.prepare('INSERT INTO erasure_protocol (id, at, protocol) VALUES (?, ?, ?)');
  const latest = database.prepare<[number], { protocol: string }>(
    'SELECT protocol FROM erasure_protocol ORDER BY at DESC, id DESC LIMIT ?',
  );
  return {
    add: (protocol) => void insert.run(protocol.id, protocol.at, JSON.stringify(protocol)),
    list: (limit) => latest.all(limit).map(({ protocol }) => JSON.parse(protocol) as ErasureProtocol),
  };
}
