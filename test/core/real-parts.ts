/**
 * The machine's own clock and randomness, and functions for journals and mirrors, for tests and their child processes.
 *
 * Invariant: it does not import vitest, so that plain Node can run whatever imports it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeadDetail } from '../../src-main/contract/leads.ts';
import type { ResourceName } from '../../src-main/core/event/mirror/resources.ts';
import { type MirrorRow, rowsOf } from '../../src-main/core/event/mirror/rows.ts';
import { stringifyJson } from '../../src-main/core/foundations/api/json.ts';
import type { WireRecord } from '../../src-main/core/foundations/api/page.ts';
import type { Clock, Random } from '../../src-main/core/foundations/ports.ts';
import { openDatabase, openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { type ChainGap, readChainGaps } from '../../src-main/core/journal/facts/chain-gaps.ts';
import { CHAIN_START } from '../../src-main/core/journal/facts/fact.ts';
import { type FactRow, isTrueToItself } from '../../src-main/core/journal/facts/fact-rows.ts';
import { createJournal, type Journal } from '../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../src-main/core/journal/facts/schema.ts';
import { createStamper, type Stamper } from '../../src-main/core/journal/facts/stamp.ts';
import { foldLead } from '../../src-main/core/team/leads/fold.ts';
import { USUAL_HOT_RULE } from '../../src-main/core/team/leads/hot.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
};

export const realRandom: Random = {
  fraction: () => Math.random(),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};

/** A page of these records, as the mirror accepts it. */
export const pageOf = (resource: ResourceName, records: readonly WireRecord[]): readonly MirrorRow[] => {
  const bytes = Buffer.from(stringifyJson(records.map(({ body }) => body)));
  return rowsOf(resource, bytes, { records, places: [...records.keys()] });
};

/** A stamper for one run, with the machine's clock or `clock`. */
export const stamperOf = (clock: Clock = realClock): Stamper => createStamper(clock, realRandom);

/** Opens or creates the journal at `path`, without recovery. */
export const openJournal = (path: string, stamper: Stamper): Journal =>
  createJournal(openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS }), stamper);

/** Result of verifying the chain. `brokenAt`: the first `seq` that does not fit. */
type ChainCheck = { readonly facts: number; readonly brokenAt: number | null };

/** Verifies rows in order of `seq`. An erased payload and a known gap are not breaks, but a changed row is. */
const verifyChain = (rows: Iterable<FactRow>, gaps: readonly ChainGap[]): ChainCheck => {
  const begins = new Map(gaps.map((gap) => [gap.seq, gap.previousHash]));
  let previous = { seq: 0, hash: CHAIN_START };
  let facts = 0;
  for (const row of rows) {
    const follows = row.seq === previous.seq + 1 && row.previous_hash === previous.hash;
    if (!(follows || begins.get(row.seq) === row.previous_hash) || !isTrueToItself(row)) {
      return { facts, brokenAt: row.seq };
    }
    previous = row;
    facts += 1;
  }
  return { facts, brokenAt: null };
};

/** Verifies the whole chain of the journal at `path` on disk. */
export const chainAt = (path: string): ChainCheck => {
  const database = openReadOnly(path);
  if (database === null) throw new Error('Expected a journal');
  try {
    const rows = database.prepare<[], FactRow>('SELECT * FROM fact ORDER BY seq').iterate();
    return verifyChain(rows, readChainGaps(database));
  } finally {
    database.close();
  }
};

/** Leads of a partner in the journal, latest first. */
export const leadsIn = (
  { leadSources }: Pick<Journal, 'leadSources'>,
  partner = 'p1',
): readonly LeadDetail[] =>
  leadSources.ids(partner).flatMap((id) => {
    const source = leadSources.of(id);
    return source === null ? [] : [foldLead(source, USUAL_HOT_RULE)];
  });
