/**
 * `npm run leads -- export`: exports leads of a data folder to a file for another program.
 *
 * Invariants:
 * - it only reads the data folder;
 * - the file is complete or absent;
 * - exit codes: 0 done, 1 nothing matched, 2 refused with one sentence.
 */
import { resolve } from 'node:path';
import type { LeadFilter } from '../../contract/leads.ts';
import { readEventNames } from '../../core/team/exports/event-names.ts';
import { type Exported, type ExportKind, runExport } from '../../core/team/exports/export-run.ts';
import type { Receipt } from '../../core/team/exports/receipt.ts';
import type { NoLetter } from '../../core/team/formats/follow-up.ts';
import { PROFILES } from '../../core/team/formats/profile.ts';
import { MOST_FOR_SALESFORCE } from '../../core/team/formats/salesforce.ts';
import { createWallClock } from '../../core/team/formats/wall-clock.ts';
import { dataFolderPath } from '../../data-folder/data-folder.ts';
import { realClock } from '../../machine/real-time.ts';
import { readOptions, refuse } from '../command-line.ts';
import { FILTER_HELP, FILTER_NAMES, readFilter } from './filter.ts';
import { type KnownFolder, readKnownFolder } from './known-folder.ts';

export const EXPORT_HELP = `npm run leads -- export [--data DIR] [--profile PROFILE] [--out FILE] [--filter EXPR] [--one-per-file]
                            [--with-files] [--partner ID] [--language TAG] [--separator , or ;] [--json]

Writes leads into FILE, and FILE.receipt.json beside it (count, sha256, head of the chain, signed by this device; for the hub's signature
export on the page Hand over). It only reads the data folder,
needs no platform, and may run beside the app. Profiles: sheet-csv (default), sheet-xlsx, salesforce, hubspot, vcf, ics (a calendar of
the next steps), jsonl (the facts, for leads import), follow-up (drafts of letters to the hot ones who agreed to e-mail), proof (the signed count,
for verify.html). --one-per-file: cards as files in
the folder FILE; letters always are. --with-files: the folder FILE with the sheet and the leads' photos and voice notes. Without --data: the folder of the demo event. Without --partner: this device's.
Exit code: 0 done, 1 nothing matched, 2 refused, with one sentence.

${FILTER_HELP}`;

const ENDINGS: Readonly<Record<ExportKind, string>> = {
  'sheet-csv': '.csv',
  'sheet-xlsx': '.xlsx',
  salesforce: '-salesforce.csv',
  hubspot: '-hubspot.csv',
  vcf: '.vcf',
  ics: '-calendar.ics',
  jsonl: '.jsonl',
  'follow-up': '-letters',
  proof: '.proof.json',
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  data: text,
  profile: text,
  out: text,
  filter: text,
  partner: text,
  language: text,
  separator: text,
  'one-per-file': flag,
  'with-files': flag,
  json: flag,
};

/** Runs the command with the arguments after `export`. */
export function exportLeads(args: readonly string[]): void {
  const options = readOptions(OPTIONS, EXPORT_HELP, args);
  const kinds: readonly ExportKind[] = [...PROFILES, 'follow-up', 'proof'];
  const kind = kinds.find((known) => known === (options.profile ?? 'sheet-csv'));
  if (kind === undefined) refuse(`There is no profile ${options.profile}; there are ${kinds.join(', ')}.`);
  const separator = separatorIn(options.separator);
  const path = dataFolderPath({ data: options.data ?? null, platform: null });
  const folder = knownFolder(path, options.partner ?? null);
  const withFiles = options['with-files'] === true && !['follow-up', 'jsonl', 'proof'].includes(kind);
  const isFolder = withFiles || kind === 'follow-up' || (kind === 'vcf' && options['one-per-file'] === true);
  const at = realClock.now();
  const today = createWallClock(readEventNames(`${path}/mirror.db`).timezone).day(at);
  const ending = isFolder && kind === 'vcf' ? '-cards' : ENDINGS[kind];
  const usual = `leads-${today}${withFiles ? '-files' : ending}`;
  if (kind === 'proof' && options.filter !== undefined)
    refuse('A proof covers every lead, so --filter does not apply.');
  const target = resolve(options.out ?? usual);
  const result = runExport(
    {
      dataFolder: folder.path,
      kind,
      target,
      as: isFolder ? 'folder' : 'one',
      sheetName: withFiles ? `leads${ENDINGS[kind]}` : null,
      isDownload: false,
      at,
      event: folder.event,
      partner: folder.partner,
      rule: folder.rule,
      filter: options.filter === undefined ? null : filterOf(options.filter, path),
      filterText: options.filter ?? null,
      language: options.language ?? 'en',
      separator,
      questions: folder.stand.questions,
      form: folder.stand.form,
      consents: folder.stand.consents,
      letter: folder.stand.letter,
    },
    () => undefined,
  );
  report(result, target, options.json === true);
}

/** Reads the data folder at `path`; ends the command with one sentence when it cannot be used. */
export function knownFolder(path: string, partner: string | null): KnownFolder {
  try {
    const folder = readKnownFolder(path, partner);
    return typeof folder === 'string' ? refuse(folder) : folder;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function separatorIn(given: string | undefined): ',' | ';' | null {
  if (given === undefined || given === ',' || given === ';') return given ?? null;
  return refuse('--separator is a comma or a semicolon.');
}

/** Parses a filter expression, with labels by name; ends the command with one sentence when it is invalid. */
export function filterOf(expression: string, path: string): LeadFilter {
  const { labels } = readEventNames(`${path}/mirror.db`);
  const idsOf = (name: string) =>
    Object.keys(labels).filter((id) => labels[id]?.toLowerCase() === name.toLowerCase());
  const read = readFilter(expression, idsOf);
  return read.kind === 'fault'
    ? refuse(`The filter does not know "${read.term}"; it knows ${FILTER_NAMES}, and words to search for.`)
    : read.filter;
}

const NO_LETTER: Readonly<Record<NoLetter, string>> = {
  nobodyHot: 'Nobody among these leads is hot (rate them, or change the rule of hot)',
  noAddress: 'None of the hot ones has an e-mail address',
  nobodyAgreed: 'None of the hot ones agreed to e-mail, and letters to others are not allowed',
};

function report(result: Exported, target: string, isJson: boolean): void {
  if (result.kind === 'refused') refuse(sentenceOf(result.reason, target));
  if (result.kind === 'cancelled') refuse('The export was cancelled; no file was made.');
  if (result.kind === 'nothing') {
    const words = result.why === null ? 'Nothing matched' : NO_LETTER[result.why];
    process.stderr.write(`${words}; no file was made.\n`);
    process.exitCode = 1;
    return;
  }
  const { path, receipt } = result;
  const sentence = `${receipt.count} written to ${path}, with its receipt beside it.${leftOutOf(receipt)}`;
  process.stdout.write(`${isJson ? JSON.stringify({ path, ...receipt }) : sentence}\n`);
}

/** A sentence about the leads that are not in the file; empty when all are in it. */
function leftOutOf({ unknown, takenBack, merged }: Receipt): string {
  const parts = [
    unknown === 0 ? null : `${unknown} without a known name`,
    takenBack === 0 ? null : `${takenBack} taken back`,
  ].filter((part) => part !== null);
  const left = parts.length === 0 ? '' : ` Left out: ${parts.join(', ')}.`;
  return merged === 0 ? left : `${left} ${merged} with the e-mail of another row are in that row.`;
}

function sentenceOf(reason: Extract<Exported, { kind: 'refused' }>['reason'], target: string): string {
  const sentences: Readonly<Record<typeof reason, string>> = {
    exists: `${target} or its receipt exists already and is not replaced. Choose another name with --out.`,
    link: `${target} is a link, and links are not followed. Choose another name with --out.`,
    dataFolder: `${target} lies in Touchpoint's data folder. Choose a place outside of it with --out.`,
    name: `${target} has a name that some computer cannot open. Choose another with --out.`,
    noFolder: `The folder of ${target} does not exist.`,
    readOnly: `${target} cannot be written: its disk or folder is read-only for you.`,
    full: `The disk of ${target} is full; no file was made.`,
    gone: `The disk of ${target} was removed; no file was made.`,
    failing: `The disk of ${target} failed; no file was made.`,
    noJournal: 'There is no journal in the data folder. Choose it with --data.',
    noKey: 'There is no key to sign with in the data folder. The app makes one at its first export.',
    broken:
      'The chain of the journal does not hold, so nothing can be proven. Start the app; it repairs the journal.',
    tooMany: `Salesforce takes at most ${MOST_FOR_SALESFORCE} rows a file. Export fewer with --filter, e.g. one day at a time.`,
  };
  return sentences[reason];
}
