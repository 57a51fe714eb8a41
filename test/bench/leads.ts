/**
 * `npm run bench -- leads`: the stand team's list of 50,000 leads. It measures the first page, a search from
 * keystroke to result and to painted lines, the statistics and chip counts, the effect of a search on a tap, and
 * exports.
 *
 * Invariants:
 * - It uses the app's own parts on one disk, including the reader thread.
 * - Taps are timed with and without searches, in turns in one run.
 * - A search is timed in the way the page sends it, letter by letter.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeadListPage } from '../../src-main/contract/leads.ts';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { createWorkerLink, type WorkerLink } from '../../src-main/core/team/leads/worker-link.ts';
import { quantile, quantileRows, type Row } from './figures.ts';
import { exportRows } from './leads/exports.ts';
import { fillJournal, LEADS, readerSettings, recordTap } from './leads/fair.ts';
import { paintedSearchRows } from './leads/painted-search.ts';

const TAPS = 300;
const TAP_EVERY_MS = 10;
const COUNTS = 50;
/** The searches, which are typed letter by letter. */
const SEARCHES = [
  'lee',
  'ng',
  '小林',
  'person 4711',
  'acme 12',
  'visitor4999',
  'müller',
  '+41 44 12',
  'gripper',
  'b0000c3',
];

const round = (value: number): number => Number(value.toPrecision(4));

const keystrokes = (text: string): readonly string[] =>
  [...text].map((_letter, index) => [...text].slice(0, index + 1).join(''));

const timed = async <Result>(into: number[], work: () => Result | Promise<Result>): Promise<Result> => {
  const start = performance.now();
  const result = await work();
  into.push(performance.now() - start);
  return result;
};

const pageOf = (link: WorkerLink, search: string): Promise<LeadListPage> =>
  link.ask('page', { filter: { search }, sort: 'latest', from: { position: 0 }, limit: 50 });

const measureSearch = async (link: WorkerLink): Promise<readonly Row[]> => {
  const short: number[] = [];
  const long: number[] = [];
  const plain: number[] = [];
  for (const search of SEARCHES) {
    for (const typed of keystrokes(search)) {
      await timed([...typed].length < 3 ? short : long, () => pageOf(link, typed));
      await timed(plain, () => pageOf(link, ''));
    }
  }
  return [
    ...quantileRows(
      'leads',
      'search of 1 or 2 letters to result, beside a page without search,',
      'ms',
      short,
      plain,
    ),
    ...quantileRows('leads', 'search of 3 letters and more to result, beside the same,', 'ms', long, plain),
  ];
};

/** A tap precedes each count, as on a busy stand, so that no cached result is measured. */
const measureCounts = async (link: WorkerLink, tap: () => void): Promise<readonly Row[]> => {
  const numbers: number[] = [];
  const chips: number[] = [];
  for (let turn = 0; turn < COUNTS; turn += 1) {
    tap();
    await timed(numbers, () => link.ask('numbers'));
    tap();
    await timed(chips, () => link.ask('facets', {}));
  }
  return [
    {
      bench: 'leads',
      metric: `numbers of ${LEADS} leads p95`,
      value: round(quantile(numbers, 0.95)),
      unit: 'ms',
    },
    {
      bench: 'leads',
      metric: `chip counts of ${LEADS} leads p95`,
      value: round(quantile(chips, 0.95)),
      unit: 'ms',
    },
  ];
};

const measureTaps = async (link: WorkerLink, tap: () => void): Promise<readonly Row[]> => {
  const idle: number[] = [];
  const searching: number[] = [];
  let isSearching = false;
  let ended = false;
  const searches = (async () => {
    for (let turn = 0; !ended; turn += 1) {
      if (isSearching)
        for (const typed of keystrokes(SEARCHES[turn % SEARCHES.length] ?? '')) await pageOf(link, typed);
      else await delay(1);
    }
  })();
  for (let turn = 0; turn < 2 * TAPS; turn += 1) {
    // Ten taps without searches, then ten during searches.
    isSearching = Math.floor(turn / 10) % 2 === 1;
    await delay(TAP_EVERY_MS);
    await timed(isSearching ? searching : idle, tap);
  }
  ended = true;
  await searches;
  return quantileRows('leads', 'tap kept while the team searches, beside idle,', 'ms', searching, idle);
};

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  // On the project's disk: /tmp may be in memory.
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const journal = fillJournal(folder);
  let ready = (): void => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const link = createWorkerLink({
    log: { error: () => undefined, warn: () => undefined, info: () => undefined },
    program: new URL('../../src-main/core/team/leads/worker.ts', import.meta.url),
    opening: () => ({
      ...{ journal: join(folder, 'journal.db'), mirror: join(folder, 'mirror.db') },
      settings: readerSettings,
    }),
    onReady: () => ready(),
  });
  // The thread does not keep the process alive.
  const alive = setInterval(() => undefined, 1_000);
  try {
    const start = performance.now();
    await pageOf(link, '');
    const first = performance.now() - start;
    yield {
      bench: 'leads',
      metric: `first page of ${LEADS} leads after a start`,
      value: round(first),
      unit: 'ms',
    };
    await isReady;
    const whole = performance.now() - start;
    yield { bench: 'leads', metric: 'whole index read after a start', value: round(whole), unit: 'ms' };
    const tail: number[] = [];
    for (let turn = 0; turn < 50; turn += 1) {
      const from = { position: LEADS - 50 };
      await timed(tail, () => link.ask('page', { filter: {}, sort: 'latest', from, limit: 50 }));
    }
    yield { bench: 'leads', metric: 'last page of all p95', value: round(quantile(tail, 0.95)), unit: 'ms' };
    yield* await measureCounts(link, () => recordTap(journal));
    yield* await measureSearch(link);
    yield* await measureTaps(link, () => recordTap(journal));
    yield* exportRows(folder);
    yield* paintedSearchRows(join(folder, 'painted'), SEARCHES);
  } finally {
    clearInterval(alive);
    await link.stop();
    mirror.close();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
