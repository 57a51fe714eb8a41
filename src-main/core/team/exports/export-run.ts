/**
 * One export from start to end, in the calling thread: read, write a temporary file, rename, receipt.
 *
 * Invariants:
 * - All data of the journal is from one moment, read in one read-only transaction.
 * - If no lead matches, no file is made.
 * - An aborted export leaves no file.
 */
import { basename, join } from 'node:path';
import type { HotRule, LeadFilter } from '../../../contract/leads.ts';
import type { ConsentPurpose, FormQuestion, Question } from '../../../contract/stand.ts';
import { type Database, openReadOnly } from '../../foundations/store/database.ts';
import { createAttachmentFiles } from '../../journal/attachments/attachment-files.ts';
import { calendar } from '../formats/calendar.ts';
import {
  followUpFiles,
  type Letter,
  lettersAmong,
  letterTo,
  type NoLetter,
  whyNoLetter,
} from '../formats/follow-up.ts';
import { hubspot } from '../formats/hubspot.ts';
import {
  type ExportPieces,
  type ExportSetting,
  type ExportTally,
  type LeadSource,
  type ProfileName,
  startCounting,
} from '../formats/profile.ts';
import { MOST_FOR_SALESFORCE, salesforce } from '../formats/salesforce.ts';
import { sheetCsv } from '../formats/sheet-csv.ts';
import { sheetXlsx } from '../formats/sheet-xlsx.ts';
import { vcf, vcfFiles } from '../formats/vcard.ts';
import { createWallClock } from '../formats/wall-clock.ts';
import { nearestText } from '../formats/words.ts';
import { zip } from '../formats/zip.ts';
import { type EventNames, readEventNames } from './event-names.ts';
import {
  checkTarget,
  receiptOf,
  TargetError,
  type TargetFault,
  type Written,
  writeFolder,
  writeWhole,
} from './export-file.ts';
import { factFile } from './fact-export.ts';
import { type ChosenLeads, createLeadSource, type LeadChoice } from './lead-source.ts';
import { BrokenChain, proofOf } from './proof.ts';
import { type Receipt, type ReceiptContent, receiptText } from './receipt.ts';
import { type Countersigner, readSigningKey, withSignatures } from './signature.ts';

/** What to export: a profile, letters to people who agreed to be written to, or the proof of the count. */
export type ExportKind = ProfileName | 'follow-up' | 'proof';

/** The parameters of an export. It can be cloned to another thread. */
export type ExportOrder = {
  readonly dataFolder: string;
  readonly kind: ExportKind;
  /** Path of the file, or of the folder if `as` is `folder`. */
  readonly target: string;
  /** `one`: a single file. Several files (cards, letters, or a sheet with its attachments) are a `folder` or a ZIP. */
  readonly as: 'one' | 'folder' | 'zip';
  /** Name of the sheet in the folder that also holds the leads' photos and voice notes. Null if they are left out. */
  readonly sheetName: string | null;
  readonly event: string;
  readonly partner: string;
  readonly filter: LeadFilter | null;
  /** The filter as text, for the receipt. */
  readonly filterText: string | null;
  readonly rule: HotRule;
  readonly language: string;
  readonly separator: ExportSetting['separator'];
  readonly questions: readonly Question[];
  readonly form: readonly FormQuestion[];
  readonly consents: readonly ConsentPurpose[];
  readonly letter: ExportSetting['letter'];
  /** A browser downloads it, so it may be in the data folder for a while. */
  readonly isDownload: boolean;
  /** Unix milliseconds. */
  readonly at: number;
};

/** Result of an export. */
export type Exported =
  | { readonly kind: 'done'; readonly path: string; readonly receipt: Receipt }
  /** `why`: why there are no letters although there are leads. */
  | { readonly kind: 'nothing'; readonly why: NoLetter | null }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly reason: TargetFault | 'noJournal' | 'tooMany' | 'noKey' | 'broken' };

/** Thrown by `onProgress` to abort an export. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

class NothingMatched extends Error {
  override readonly name = 'NothingMatched';
  readonly why: NoLetter | null;
  constructor(why: NoLetter | null) {
    super();
    this.why = why;
  }
}

/**
 * Runs an export. `onProgress` receives the leads done and their total. It may throw `Cancelled`.
 *
 * @param hub signs after the device; null if only the device signs
 */
export function runExport(
  order: ExportOrder,
  onProgress: (done: number, of: number) => void,
  hub: Countersigner | null = null,
): Exported {
  const database = openReadOnly(join(order.dataFolder, 'journal.db'));
  if (database === null) return { kind: 'refused', reason: 'noJournal' };
  try {
    const target = checkTarget(order.target, order.isDownload ? null : order.dataFolder);
    database.prepare('BEGIN').run();
    return writeOut(database, target, order, onProgress, hub);
  } catch (error) {
    if (error instanceof Cancelled) return { kind: 'cancelled' };
    if (error instanceof NothingMatched) return { kind: 'nothing', why: error.why };
    if (error instanceof TargetError) return { kind: 'refused', reason: error.fault };
    if (error instanceof BrokenChain) return { kind: 'refused', reason: 'broken' };
    throw error;
  } finally {
    database.close();
  }
}

/** The first letters that an export of these leads would write, their total, and why there are none (or null). */
export type LetterPreview = {
  readonly letters: readonly Letter[];
  readonly count: number;
  readonly why: NoLetter | null;
};

/** Composes the letters of `order` and writes no file. At most `most` are returned, all are counted. */
export function previewLetters(order: ExportOrder, most: number): LetterPreview {
  const database = openReadOnly(join(order.dataFolder, 'journal.db'));
  if (database === null) return { letters: [], count: 0, why: null };
  try {
    database.prepare('BEGIN').run();
    const names = readEventNames(join(order.dataFolder, 'mirror.db'));
    const source = createLeadSource(database, choiceOf(order, names), () => undefined);
    const setting = settingOf(order, names);
    const letters: Letter[] = [];
    let count = 0;
    for (const lead of lettersAmong(source)) {
      count += 1;
      if (count <= most) letters.push(letterTo(lead, setting));
    }
    return { letters, count, why: count > 0 ? null : whyNoLetter(source) };
  } finally {
    database.close();
  }
}

function writeOut(
  database: Database,
  target: string,
  order: ExportOrder,
  onProgress: (done: number, of: number) => void,
  hub: Countersigner | null,
): Exported {
  const names = readEventNames(join(order.dataFolder, 'mirror.db'));
  const source = createLeadSource(database, choiceOf(order, names), onProgress);
  const key = readSigningKey(order.dataFolder);
  if (order.kind === 'proof' && key === null) return { kind: 'refused', reason: 'noKey' };
  // After all leads were erased, only the proof can be made.
  if (order.kind !== 'proof' && source.count === 0) return { kind: 'nothing', why: null };
  if (order.kind === 'salesforce' && source.count > MOST_FOR_SALESFORCE) {
    return { kind: 'refused', reason: 'tooMany' };
  }
  const head = database
    .prepare<[], { hash: string }>('SELECT hash FROM fact ORDER BY seq DESC LIMIT 1')
    .get()?.hash;
  const { sha256, bytes, result } =
    order.kind === 'proof'
      ? writeWhole(target, proofFile(database, order, key, onProgress, hub))
      : writeChosen(database, source, target, order, order.kind, settingOf(order, names));
  const { head: fileHead, ...tally } = result;
  const content: ReceiptContent = {
    format: 'touchpoint-receipt-2',
    file: basename(target),
    profile: order.kind,
    event: order.event,
    partner: order.partner,
    filter: order.filterText,
    exportedAt: new Date(order.at).toISOString(),
    bytes,
    sha256,
    chainHead: fileHead ?? head ?? '',
    ...tally,
  };
  const receipt = withSignatures(content, key, hub);
  writeWhole(receiptOf(target), oneText(receiptText(receipt)));
  onProgress(source.count, source.count);
  return { kind: 'done', path: target, receipt };
}

type Result = ExportTally & { readonly head?: string };

function writeChosen(
  database: Database,
  source: ChosenLeads,
  target: string,
  order: ExportOrder,
  kind: Exclude<ExportKind, 'proof'>,
  setting: ExportSetting,
): Written<Result> {
  if (kind === 'jsonl') {
    const { event, partner } = order;
    return writeWhole(target, unlessEmpty(factFile(database, { event, partner, leads: source.ids })));
  }
  if (order.sheetName !== null && kind !== 'follow-up') {
    const files = sheetAndFiles(source, order.sheetName, PIECES[kind](source, setting), order.dataFolder);
    if (order.as === 'folder') return writeFolder(target, files);
    return writeWhole(target, zipped(files, order.at));
  }
  if (kind === 'follow-up' || (kind === 'vcf' && order.as !== 'one')) {
    const files = kind === 'vcf' ? vcfFiles(source) : followUpFiles(source, setting);
    const why = () => (kind === 'follow-up' ? whyNoLetter(source) : null);
    if (order.as === 'folder') return writeFolder(target, unlessEmpty(files, why));
    return writeWhole(target, zipped(unlessEmpty(files, why), order.at));
  }
  return writeWhole(target, unlessEmpty(PIECES[kind](source, setting)));
}

const PIECES: Readonly<
  Record<Exclude<ProfileName, 'jsonl'>, (leads: LeadSource, setting: ExportSetting) => ExportPieces>
> = {
  'sheet-csv': sheetCsv,
  'sheet-xlsx': sheetXlsx,
  salesforce,
  hubspot,
  vcf,
  ics: calendar,
};

/** The signed proof as one line. */
function* proofFile(
  database: Database,
  { event, partner, at }: ExportOrder,
  key: ReturnType<typeof readSigningKey>,
  onProgress: (done: number, of: number) => void,
  hub: Countersigner | null,
): Generator<Uint8Array, Result> {
  const proof = proofOf(database, { event, partner, at }, () => onProgress(0, 0));
  yield Buffer.from(`${JSON.stringify(withSignatures(proof, key, hub))}\n`, 'utf8');
  return { ...startCounting(), count: proof.leads, takenBack: proof.takenBack, head: proof.chainHead };
}

/** A sheet, then the photos and voice notes of its leads, with one of them in memory at a time. */
function* sheetAndFiles(
  leads: LeadSource,
  name: string,
  pieces: ExportPieces,
  dataFolder: string,
): Generator<{ readonly name: string; readonly bytes: Uint8Array }, ExportTally> {
  const sheet: Uint8Array[] = [];
  const whole = unlessEmpty(pieces);
  let tally: ExportTally;
  for (;;) {
    const step = whole.next();
    if (step.done === true) {
      tally = step.value;
      break;
    }
    sheet.push(step.value);
  }
  yield { name, bytes: Buffer.concat(sheet) };
  const kept = createAttachmentFiles(dataFolder);
  let files = 0;
  let filesMissing = 0;
  for (const lead of leads.all()) {
    for (const file of lead.files) {
      const bytes = kept.read(file.file, file.sha256);
      if (bytes === null) filesMissing += 1;
      else {
        files += 1;
        yield { name: file.name, bytes };
      }
    }
  }
  return { ...tally, files, filesMissing };
}

/** Passes the pieces on, then throws `NothingMatched` if the file has no entries. */
function* unlessEmpty<Piece, Tally extends ExportTally>(
  pieces: Generator<Piece, Tally>,
  why: () => NoLetter | null = () => null,
): Generator<Piece, Tally> {
  const tally = yield* pieces;
  if (tally.count === 0) throw new NothingMatched(why());
  return tally;
}

function* zipped(
  files: Generator<{ readonly name: string; readonly bytes: Uint8Array }, ExportTally>,
  at: number,
): Generator<Uint8Array, ExportTally> {
  let tally: ExportTally | null = null;
  yield* zip(
    (function* () {
      for (let step = files.next(); ; step = files.next()) {
        if (step.done === true) {
          tally = step.value;
          return;
        }
        yield { name: step.value.name, pieces: [step.value.bytes] };
      }
    })(),
    at,
  );
  if (tally === null) throw new Error('Expected the files to end before their archive');
  return tally;
}

function* oneText(text: string): Generator<Uint8Array, void> {
  yield Buffer.from(text, 'utf8');
}

function choiceOf(order: ExportOrder, names: EventNames): LeadChoice {
  const { partner, filter, rule, language, questions, form, consents } = order;
  const { labels, contents, touchpoints, timezone } = names;
  const words = { language, questions, form, consents, labels, contents, touchpoints };
  return { partner, filter, rule, words, timezone: timezone ?? 'UTC' };
}

function settingOf(order: ExportOrder, names: EventNames): ExportSetting {
  const { language, separator, questions, form, consents, letter, at } = order;
  const worded = ({ id, text }: Question | FormQuestion | ConsentPurpose) => ({
    id,
    text: nearestText(text, language) ?? id,
  });
  return {
    event: names.event ?? order.event,
    stand: names.partners[order.partner] ?? '',
    language,
    separator,
    at,
    letter,
    clock: createWallClock(names.timezone),
    questions: [...questions, ...form].map(worded),
    consents: consents.map(worded),
  };
}
