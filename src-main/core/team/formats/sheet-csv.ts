/**
 * The sheet as CSV for spreadsheets: RFC 4180 with the byte order mark by which Excel detects UTF-8.
 *
 * Invariants:
 * - No spreadsheet evaluates a cell as a formula, even one that ignores quotes: a text that starts like a formula
 *   gets a leading apostrophe (OWASP, CSV injection). Only this profile does so, because a CRM would keep the
 *   apostrophe.
 * - A cell never exceeds the limit of a spreadsheet.
 */
import { type Cell, cellText } from './cell.ts';
import { MOST_IN_A_CELL } from './clean-text.ts';
import { csvRow } from './csv.ts';
import {
  type Counting,
  countPerson,
  type ExportPieces,
  type ExportSetting,
  inPieces,
  type LeadSource,
  startCounting,
} from './profile.ts';
import { plainText, sheetColumns } from './sheet.ts';
import { separatorOf } from './sheet-words.ts';

/** First characters that make a cell a formula, including the full-width forms of East Asia. */
const DANGEROUS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20\u2212]/u;

/** Quotes, line breaks, and every character that a program may read as a separator or a quote. */
const QUOTED = /["\r\n,;\t']/u;

/** Whatever `cellText` or `guarded` may change, and any first character except letters and digits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const SPECIAL = /^[^\p{L}\p{N}]|[\u0000-\u001f\u007f\u202d\u202e\ud800-\udfff\ufffe\uffff]/u;

/** Whether a text needs no change. With this check, most texts of a sheet need one search instead of six. */
function isPlain(text: string): boolean {
  return text.length < MOST_IN_A_CELL && !SPECIAL.test(text);
}

/** A text that no spreadsheet evaluates as a formula. */
function guarded(text: string): string {
  return DANGEROUS.test(text.replace(/^[\s\p{Cf}]+/u, '')) || DANGEROUS.test(text) ? `'${text}` : text;
}

/** The sheet of all leads as CSV. */
export function* sheetCsv(leads: LeadSource, setting: ExportSetting): ExportPieces {
  const counting = startCounting();
  yield* inPieces(lines(leads, setting, counting));
  return counting;
}

function* lines(leads: LeadSource, setting: ExportSetting, counting: Counting): Generator<string> {
  const columns = sheetColumns(setting);
  const separator = setting.separator ?? separatorOf(setting.language);
  const row = (texts: readonly string[]): string => csvRow(texts, separator, QUOTED);
  yield `\ufeff${row(columns.map(({ title }) => guarded(cellText(title).text)))}`;
  for (const lead of leads.all()) {
    yield row(columns.map((column) => safeText(column.cell(lead), counting)));
    countPerson(counting, lead);
  }
}

function safeText(cell: Cell, counting: Counting): string {
  if (cell.kind !== 'text' || isPlain(cell.text)) return plainText(cell);
  // One less, because of the apostrophe.
  const { text, isCut } = cellText(cell.text, MOST_IN_A_CELL - 1);
  if (isCut) counting.cut += 1;
  return guarded(text);
}
