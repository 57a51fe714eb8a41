/**
 * `npm run bench -- capture`: the cost of a durable capture, compared with the bare SQLite commit in it. Also the
 * time from the bare nfc-pcsc card event to the painted result, for badges known by their UID and by their NDEF
 * message.
 *
 * Invariants:
 * - Both sides run in turn in one process on one disk, or receive the same card on the same reader.
 * - Without a virtual reader, the second half reports that and has no figures.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { badgeOfText } from '../../src-main/core/foundations/badge/decode.ts';
import { openProfile } from '../../src-main/core/foundations/badge/profile.ts';
import { openDatabase } from '../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../src-main/core/journal/facts/schema.ts';
import { openDurableJournal } from '../../src-main/core/journal/recovery/durable-journal.ts';
import { createTaps } from '../../src-main/core/stand/taps/taps.ts';
import { cardReading } from '../card-reading.ts';
import { pageOf, realClock, stamperOf } from '../core/real-parts.ts';
import { tapParts } from '../core/stand/taps/tap-parts.ts';
import { virtualReader } from '../virtual-reader/virtual-reader.ts';
import { quantileRows, type Row } from './figures.ts';
import { KNOWN_BY, measurePaint, type PaintTimes } from './paint.ts';

const CAPTURES = 3_000;
const WARM_UP = 200;
const VISITORS = 100_000;
const TAPS = 40;

const uidOf = (index: number): string => `04${index.toString(16).padStart(12, '0')}`.toUpperCase();

const visitorOf = (index: number) => ({
  id: `v${index}`,
  revision: index,
  firstName: 'Amélie',
  lastName: 'Beaumont',
  badges: [{ code: uidOf(index) }],
});

const recordOf = (index: number): string => JSON.stringify(visitorOf(index));

/** The rows of a capture in one commit, into the same schema with the same indexes. Nothing else is done. */
const createBareCommit = (path: string): ((visitor: number) => void) => {
  const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
  const fact = database.prepare(
    `INSERT INTO fact (seq, id, kind, at, mono, boot, touchpoint, partner, reader, source, payload,
       payload_sha256, previous_hash, hash)
     VALUES (@seq, @id, 'tap', @at, 1, 'b00700000000', 'tp1', 'p1', 'r', 'nfc', @payload, @hash, @hash, @hash)`,
  );
  const outbox = database.prepare(`INSERT INTO outbox (seq, state, changed_at) VALUES (@seq, 'due', @at)`);
  const lead = database.prepare(
    `INSERT INTO lead (id, badge, visitor, first_at, last_at, taps, name, company, search, record)
     VALUES (@id, @badge, @visitor, @at, @at, 1, 'Amélie Beaumont', NULL, '', @record)`,
  );
  const key = database.prepare(
    `INSERT INTO lead_key (kind, code, partner, lead) VALUES (@kind, @code, 'p1', @id)`,
  );
  const link = database.prepare('INSERT INTO lead_fact (seq, lead) VALUES (@seq, @id)');
  const { stamp } = stamperOf();
  const hash = randomBytes(32).toString('hex');
  let seq = 0;
  const commit = database.transaction((row: Record<string, unknown>) => {
    for (const write of [fact, outbox, lead, link]) write.run(row);
    key.run({ kind: 'badge', code: row.badge, id: row.id });
    key.run({ kind: 'visitor', code: row.visitor, id: row.id });
  });
  return (index) => {
    seq += 1;
    const { id, at } = stamp();
    const badge = uidOf(index);
    const visitor = `v${index}`;
    const payload = JSON.stringify({ badge, visitor });
    commit.immediate({ seq, id, at, badge, visitor, hash, payload, record: recordOf(index) });
  };
};

const measureCapture = (folder: string): readonly Row[] => {
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  for (let start = 0; start < VISITORS; start += 1_000) {
    const page = Array.from({ length: 1_000 }, (_, offset) => {
      const index = start + offset;
      const id = `v${index}`;
      return { id, revision: BigInt(index), deleted: false, body: visitorOf(index) };
    });
    mirror.applyPage('visitors', pageOf('visitors', page), BigInt(start + 999));
  }
  let captured = 0;
  const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const { journal } = openDurableJournal({ folder, stamper: stamperOf(), clock: realClock, log });
  const parts = { journal, mirror, clock: realClock, log };
  const taps = createTaps({
    ...parts,
    ...tapParts(parts).taps,
    place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: 12, staff: null }),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    publish: (event) => {
      if (event.kind === 'captured') captured += 1;
    },
    feedback: () => undefined,
  });
  const bareCommit = createBareCommit(join(folder, 'bare.db'));
  const capture: number[] = [];
  const bare: number[] = [];
  const timed = (into: number[], work: () => void): void => {
    const start = performance.now();
    work();
    into.push(performance.now() - start);
  };
  for (let insertion = 1; insertion <= CAPTURES + WARM_UP; insertion += 1) {
    const visitor = (insertion * 7_919) % VISITORS;
    const uid = uidOf(visitor);
    const card = cardReading(uid);
    timed(capture, () => taps.handle({ kind: 'card', reader: 'r', insertion, card }));
    timed(bare, () => bareCommit(visitor));
  }
  if (captured !== CAPTURES + WARM_UP) throw new Error(`Expected every tap to be captured, got ${captured}`);
  return quantileRows(
    'capture',
    `durable capture with ${VISITORS} visitors, beside the bare commit,`,
    'ms',
    capture.slice(WARM_UP),
    bare.slice(WARM_UP),
  );
};

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  try {
    yield* measureCapture(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (!virtualReader.present) {
    process.stderr.write(`Not measured: tap to painted result, because ${virtualReader.reason}.\n`);
    return;
  }
  const times = await measurePaint(TAPS);
  for (const by of KNOWN_BY) yield* paintRows(WORDS[by], times[by]);
}

const WORDS = { uid: 'known by UID', ndef: 'known by NDEF message' } as const;

function* paintRows(known: string, { painted, bareCard }: PaintTimes): Generator<Row> {
  const whole = `badge ${known}, laid to painted, beside the bare card event,`;
  yield* quantileRows('capture', whole, 'ms', painted, bareCard);
  const after = painted.map((ms, index) => ms - (bareCard[index] ?? Number.NaN));
  const over = `badge ${known}, painted after the bare card event,`;
  for (const { metric, value, unit } of quantileRows('capture', over, 'ms', after, after)) {
    yield { bench: 'capture', metric, value, unit };
  }
}
