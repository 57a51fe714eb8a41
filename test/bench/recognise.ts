/**
 * `npm run bench -- recognise [--pictures 200]`: badges and business cards in five scripts, drawn and photographed by
 * a program, and read as the app reads them. It measures hits at first place and within three, with and without the
 * event's names, seconds and memory per picture, and the longest delay of a tap during that time.
 *
 * Invariants:
 * - The processes are the app's. Taps come every 100 ms to a real journal in this process.
 * - All pictures are drawn before the first tap, and the people are in the mirror only: Chromium and the garbage
 *   collection of this process would delay the taps more than the reading does.
 * - Without the names, a hit at first place is the name that the card's rules find. A hit within three is also a name
 *   in one or two of the three tallest lines. Diacritics and case are ignored.
 * - The app has no language data for Cyrillic. The Cyrillic pictures show the result without such data.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { foldForSearch } from '../../src-main/core/foundations/text/fold.ts';
import { readBusinessCard } from '../../src-main/core/team/recognition/business-card.ts';
import type { ReadLine, ReadPicture } from '../../src-main/core/team/recognition/read-line.ts';
import { createRecognition } from '../../src-main/core/team/recognition/recognition.ts';
import { createPictureDrawer, forkDrawingProcess } from '../../src-main/drawing/picture-drawer.ts';
import { createTextReader } from '../../src-main/reading/text-reader.ts';
import { createRandom } from '../../src-platform/seed/random.ts';
import { pageOf, realClock } from '../core/real-parts.ts';
import { startBrowser } from '../renderer/browser.ts';
import { quantile, quantileRows, type Row } from './figures.ts';
import { type DrawnPerson, personOf, SCRIPTS, type Script } from './recognise/people.ts';
import { openPhotographs } from './recognise/pictures.ts';
import type { BenchOptions } from './row.ts';
import { openTimedTaps, uidOf } from './timed-taps.ts';

const PEOPLE = 100_000;
/** People in one transaction of the mirror. */
const PAGE = 1_000;
/** Taps before each picture: two seconds. So both kinds of taps meet the same load of the machine. */
const IDLE_TAPS = 20;
const SEED = 25;

/** `pictures`: how many of each kind. The target applies to 200. */
export const options: BenchOptions = { pictures: { type: 'string', default: '20' } };

const source = (path: string): URL => new URL(`../../src-main/${path}`, import.meta.url);
const plain = (text: string): string => foldForSearch(text).replace(/[^\p{L}\p{N}]/gu, '');

/** At which place the right person was found: 1 to 3, or null. */
type Read = {
  readonly kind: 'badge' | 'card';
  readonly script: Script;
  readonly seconds: number;
  readonly withNames: number | null;
  readonly without: number | null;
  /** The number of fields of a card that were filled, and how many of them are correct. */
  readonly filled: number;
  readonly right: number;
};

/** The figures of this bench. */
export async function* bench(given: Readonly<Record<string, string>> = {}): AsyncGenerator<Row> {
  const count = Number(given.pictures);
  const folder = mkdtempSync(join(import.meta.dirname, '../../.bench-'));
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const { durable, tapUntil } = openTimedTaps(folder, mirror, () => undefined);
  const readAll = createTextReader(
    () => forkDrawingProcess(fileURLToPath(source('reading/reading-process.ts'))),
    realClock,
  );
  let lines: readonly ReadLine[] = [];
  const readPicture: ReadPicture = async (picture) => {
    const read = await readAll(picture);
    if (read !== 'unavailable') lines = [...lines, ...read.lines];
    return read;
  };
  const drawing = fileURLToPath(source('drawing/drawing-process.ts'));
  const recognise = createRecognition({
    draw: createPictureDrawer(() => forkDrawingProcess(drawing), realClock),
    readPicture,
    mirror: join(folder, 'mirror.db'),
    isComplete: () => true,
  });
  try {
    const photographs = await takePhotographs(fill(mirror), count);
    const idle: number[] = [];
    const busy: number[] = [];
    const reads: Read[] = [];
    let memory = 0;
    for (const { kind, visitor, person, picture } of photographs) {
      lines = [];
      idle.push(...(await tapUntil((made) => made === IDLE_TAPS)));
      let isDone = false;
      const tapping = tapUntil(() => isDone);
      const start = performance.now();
      const found = await recognise(picture);
      const seconds = (performance.now() - start) / 1_000;
      isDone = true;
      busy.push(...(await tapping));
      if (found.kind !== 'read') throw new Error(`Expected a reading, got ${found.reason}`);
      const place = found.candidates.findIndex((candidate) => candidate.visitor === visitor);
      const fields = kind === 'card' ? fieldsOf(found.card?.contact ?? {}, person) : { filled: 0, right: 0 };
      const without = placeWithout(lines, person);
      reads.push({
        kind,
        script: person.script,
        seconds,
        withNames: place < 0 ? null : place + 1,
        without,
        ...fields,
      });
      memory = Math.max(memory, readerMemory());
    }
    yield* rowsOf(reads);
    yield {
      bench: 'recognise',
      metric: 'memory of the reading process, most',
      value: Math.round(memory),
      unit: 'MB',
    };
    yield* quantileRows('recognise', 'delay of a tap during recognition, beside idle', 'ms', busy, idle);
    const delays = [Math.max(...busy), Math.max(...idle)] as const;
    yield {
      bench: 'recognise',
      metric: 'longest delay of a tap meanwhile, beside idle',
      ...{ value: delays[0], unit: 'ms', baseline: delays[1], ratio: delays[0] / delays[1] },
    };
  } finally {
    durable.journal.close();
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Photograph = {
  readonly kind: Read['kind'];
  readonly visitor: string;
  readonly person: DrawnPerson;
  readonly picture: Buffer;
};

/** `count` badges and `count` cards, with the scripts alternating. */
async function takePhotographs(
  people: readonly DrawnPerson[],
  count: number,
): Promise<readonly Photograph[]> {
  const browser = await startBrowser();
  try {
    const photograph = await openPhotographs(browser);
    const random = createRandom(SEED);
    const taken: Photograph[] = [];
    for (let at = 0; at < 2 * count; at += 1) {
      const kind = at % 2 === 0 ? 'badge' : 'card';
      const wanted = Math.floor(at / 2) % SCRIPTS.length;
      const visitor = random.below(PEOPLE / SCRIPTS.length) * SCRIPTS.length + wanted;
      const person = people[visitor];
      if (person === undefined) throw new Error('Expected a person');
      taken.push({ kind, visitor: `v${visitor}`, person, picture: await photograph(kind, person, random) });
    }
    return taken;
  } finally {
    await browser.close();
  }
}

function* rowsOf(reads: readonly Read[]): Generator<Row> {
  const groups = [
    ...(['badge', 'card'] as const).map(
      (kind) => [`${kind}s`, reads.filter((read) => read.kind === kind)] as const,
    ),
    ...SCRIPTS.map((script) => [script, reads.filter((read) => read.script === script)] as const),
  ];
  for (const [name, group] of groups) {
    for (const [within, words] of [
      [1, 'first'],
      [3, 'within three'],
    ] as const) {
      const share = (field: 'withNames' | 'without'): number =>
        group.filter((read) => (read[field] ?? 9) <= within).length / group.length;
      const [value, baseline] = [share('withNames'), share('without')];
      const metric = `${name}, ${words}, beside without the names`;
      yield { bench: 'recognise', metric, value, unit: 'share', baseline, ratio: value / baseline };
    }
  }
  const sum = (field: 'filled' | 'right'): number => reads.reduce((total, read) => total + read[field], 0);
  yield {
    bench: 'recognise',
    metric: 'fields filled from cards that are right',
    value: sum('right') / sum('filled'),
    unit: 'share',
  };
  yield {
    bench: 'recognise',
    metric: 'fields filled from cards, of all',
    value: sum('filled') / (reads.filter(({ kind }) => kind === 'card').length * 7),
    unit: 'share',
  };
  const seconds = reads.map((read) => read.seconds);
  for (const share of [0.5, 0.95])
    yield {
      bench: 'recognise',
      metric: `a picture p${share * 100}`,
      value: quantile(seconds, share),
      unit: 's',
    };
}

/** The people of the event in the mirror, a fifth of them in each script. */
function fill(mirror: ReturnType<typeof openMirror>): readonly DrawnPerson[] {
  const random = createRandom(SEED + 1);
  const people = Array.from({ length: PEOPLE }, (_, index) =>
    personOf(SCRIPTS[index % SCRIPTS.length] ?? 'latin', random),
  );
  for (let from = 0; from < PEOPLE; from += PAGE) {
    const page = people.slice(from, from + PAGE).map(({ first, last, company, jobTitle }, at) => {
      const index = from + at;
      const id = `v${index}`;
      const body = {
        id,
        revision: index,
        firstName: first,
        lastName: last,
        company,
        jobTitle,
        badges: [{ code: uidOf(index) }],
      };
      return { id, revision: BigInt(index), deleted: false, body };
    });
    mirror.applyPage('visitors', pageOf('visitors', page), BigInt(from + PAGE));
  }
  return people;
}

/** The place of the name in the recognised text, without a list of names. */
function placeWithout(lines: readonly ReadLine[], { name, first, last }: DrawnPerson): number | null {
  const wanted = [name, `${first}${last}`, `${last}${first}`].map(plain);
  const { firstName, lastName } = readBusinessCard(lines)?.contact ?? {};
  if (wanted.includes(plain(`${firstName ?? ''}${lastName ?? ''}`))) return 1;
  const tallest = lines.toSorted((one, other) => other.height - one.height).slice(0, 3);
  const texts = tallest.map(({ text }) => plain(text));
  const pairs = texts.flatMap((one) => texts.map((other) => one + other));
  return [...texts, ...pairs].some((text) => wanted.includes(text)) ? 3 : null;
}

function fieldsOf(
  contact: Readonly<Record<string, string | null>>,
  person: DrawnPerson,
): { readonly filled: number; readonly right: number } {
  const [firstName, lastName] = [
    person.name.split(' ').slice(0, -1).join(' '),
    person.name.split(' ').at(-1),
  ];
  const wanted: Readonly<Record<string, string | undefined>> = { ...person, firstName, lastName };
  const filled = Object.entries(contact).filter(([, value]) => value !== null);
  const right = filled.filter(([field, value]) => written(value ?? '') === written(wanted[field] ?? ''));
  return { filled: filled.length, right: right.length };
}

/** The text without spaces, which a phone number may have anywhere. */
function written(text: string): string {
  return text.replaceAll(' ', '');
}

/** The most memory that the reading process has used, in MB. Only children of this process are examined. */
function readerMemory(): number {
  const own = `/proc/${process.pid}/task/${process.pid}/children`;
  const sizes = readFileSync(own, 'utf8')
    .split(' ')
    .map((pid) => {
      try {
        const isReader = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reading-process');
        return isReader
          ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
          : 0;
      } catch {
        return 0;
      }
    });
  return Math.max(0, ...sizes);
}
