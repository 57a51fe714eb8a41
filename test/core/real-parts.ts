/**
 * The machine's own clock and randomness, for processes that tests start.
 *
 * Invariant: free of vitest, so that plain Node can run what imports it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeadDetail } from '../../src-main/contract/leads.ts';
import type { ResourceName } from '../../src-main/core/event/mirror/resources.ts';
import { type MirrorRow, rowsOf } from '../../src-main/core/event/mirror/rows.ts';
import { stringifyJson } from '../../src-main/core/foundations/api/json.ts';
import type { WireRecord } from '../../src-main/core/foundations/api/page.ts';
import type { Clock, Random } from '../../src-main/core/foundations/ports.ts';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { readChainGaps } from '../../src-main/core/journal/facts/chain-gaps.ts';
import { type ChainCheck, type FactRow, verifyChain } from '../../src-main/core/journal/facts/fact-rows.ts';
import type { Journal } from '../../src-main/core/journal/facts/journal.ts';
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
