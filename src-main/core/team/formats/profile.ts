/**
 * What every profile is: leads in, pieces of a file out, and what came of them.
 *
 * Invariants: nothing is held beyond the piece that is being made, unless a receiver needs one row per person; a profile
 * knows nothing of files, and does not look anything up.
 */
import type { ExportLead } from './export-lead.ts';
import type { WallClock } from './wall-clock.ts';

/** Names of the profiles, as commands and screens say them. */
export const PROFILES = ['sheet-csv', 'sheet-xlsx', 'salesforce', 'hubspot', 'vcf', 'jsonl'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Profiles that hand over people; `jsonl` hands over facts. */
export type PeopleProfile = Exclude<ProfileName, 'jsonl'>;

/** What the file says of the stand, and how it is written. */
export type ExportSetting = {
  /** Name of the event and of the stand, as far as known. */
  readonly event: string;
  readonly stand: string;
  /** BCP 47 tag: the words of the headers, and what separates the cells of a sheet. */
  readonly language: string;
  /** Separator of the cells of a CSV sheet; null: the one that Excel expects in this language. */
  readonly separator: ',' | ';' | null;
  /** Questions and consents of the stand in order, so that each has its column. */
  readonly questions: readonly { readonly id: string; readonly text: string }[];
  readonly consents: readonly { readonly id: string; readonly text: string }[];
  /** By which times and days are written. */
  readonly clock: WallClock;
  /** When the export began, epoch milliseconds. */
  readonly at: number;
};

/** What stands in a file, in numbers that its receipt repeats. */
export type ExportTally = {
  /** Rows or cards. */
  readonly count: number;
  readonly withoutEmail: number;
  readonly withoutCompany: number;
  /** Leads that became part of another row, because they share its e-mail address. */
  readonly merged: number;
  /** Leads that were left out: nobody knows who it was, or the visitor took it back. */
  readonly unknown: number;
  readonly takenBack: number;
  /** Texts cut because the receiver takes no more. */
  readonly cut: number;
  /** Values left out because the receiver refuses them, such as an e-mail address that is none. */
  readonly leftOut: number;
};

/** Leads as often as they are asked for. */
export type LeadSource = {
  readonly all: () => Iterable<ExportLead>;
  readonly one: (id: string) => ExportLead | null;
};

/** Pieces of a file; at the end, what is in it. */
export type ExportPieces = Generator<Uint8Array, ExportTally>;

/** Counts while a file is being made. */
export type Counting = { -readonly [Name in keyof ExportTally]: number };

export function startCounting(): Counting {
  return {
    count: 0,
    withoutEmail: 0,
    withoutCompany: 0,
    merged: 0,
    unknown: 0,
    takenBack: 0,
    cut: 0,
    leftOut: 0,
  };
}

/** Counts a person that stands in the file. */
export function countPerson(counting: Counting, lead: ExportLead): void {
  counting.count += 1;
  if (lead.email === null) counting.withoutEmail += 1;
  if (lead.company === null) counting.withoutCompany += 1;
}

/** Texts gathered to pieces of a useful size, so that neither disk nor deflate works in crumbs. */
export function* inPieces(texts: Iterable<string>): Generator<Uint8Array> {
  let gathered = '';
  for (const text of texts) {
    gathered += text;
    if (gathered.length < PIECE) continue;
    yield Buffer.from(gathered, 'utf8');
    gathered = '';
  }
  if (gathered !== '') yield Buffer.from(gathered, 'utf8');
}

const PIECE = 128 * 1024;

/** Rows of a CSV file that are put into words together. */
export const ROWS_AT_ONCE = 200;
