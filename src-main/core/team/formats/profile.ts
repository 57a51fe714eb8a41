/**
 * The interface of every export profile: leads in, pieces of a file and a tally out.
 *
 * Invariants:
 * - Only the current piece is in memory, unless a receiver needs one row per person.
 * - A profile does no file access and no lookups.
 */
import type { StandSettings } from '../../stand/visit/settings.ts';
import type { ExportLead } from './export-lead.ts';
import type { WallClock } from './wall-clock.ts';

/** Names of the profiles in commands and on screens. */
export const PROFILES = ['sheet-csv', 'sheet-xlsx', 'salesforce', 'hubspot', 'vcf', 'ics', 'jsonl'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Properties of the stand, and options of the file. */
export type ExportSetting = {
  /** Name of the event and of the stand, if known. */
  readonly event: string;
  readonly stand: string;
  /** BCP 47 tag. It selects the header texts and the separator of a sheet. */
  readonly language: string;
  /** Separator of a CSV sheet. Null means the one that Excel expects in this language. */
  readonly separator: ',' | ';' | null;
  /** Questions and consents of the stand in order. Each gets a column. */
  readonly questions: readonly { readonly id: string; readonly text: string }[];
  readonly consents: readonly { readonly id: string; readonly text: string }[];
  /** The stand's own text of letters, and the signatures of its team. */
  readonly letter: StandSettings['letter'];
  /** The clock of all times and days in the file. */
  readonly clock: WallClock;
  /** Start of the export in Unix milliseconds. */
  readonly at: number;
};

/** Counts of a file's content, which its receipt repeats. */
export type ExportTally = {
  /** Rows, cards, letters, calendar events or facts in the file. */
  readonly count: number;
  readonly withoutEmail: number;
  readonly withoutCompany: number;
  /** Leads merged into another row with the same e-mail address. */
  readonly merged: number;
  /** Leads that were left out, because the visitor is unknown or undid the tap. */
  readonly unknown: number;
  readonly takenBack: number;
  /** Texts cut because the receiver takes no more. */
  readonly cut: number;
  /** Values left out because the receiver refuses them, such as an invalid e-mail address. */
  readonly leftOut: number;
  /** Photos and voice notes beside the sheet, and those that are not on this device or damaged. */
  readonly files: number;
  readonly filesMissing: number;
};

/** A collection of leads that can be read repeatedly. */
export type LeadSource = {
  readonly all: () => Iterable<ExportLead>;
  readonly one: (id: string) => ExportLead | null;
};

/** Pieces of a file. Returns its tally. */
export type ExportPieces = Generator<Uint8Array, ExportTally>;

/** Counts during an export. */
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
    files: 0,
    filesMissing: 0,
  };
}

/** Counts a person in the file. */
export function countPerson(counting: Counting, lead: ExportLead): void {
  counting.count += 1;
  if (lead.email === null) counting.withoutEmail += 1;
  if (lead.company === null) counting.withoutCompany += 1;
}

/** Collects texts into pieces of a useful size for disk and deflate. */
export function* inPieces(texts: Iterable<string>): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(PIECE);
  let used = 0;
  for (const text of texts) {
    // Each text is one row. In UTF-8 it takes at most three bytes for each UTF-16 unit.
    if (used + 3 * text.length > piece.length) {
      if (used > 0) yield piece.subarray(0, used);
      piece = Buffer.allocUnsafe(Math.max(PIECE, 3 * text.length));
      used = 0;
    }
    used += piece.write(text, used, 'utf8');
  }
  if (used > 0) yield piece.subarray(0, used);
}

const PIECE = 128 * 1024;
