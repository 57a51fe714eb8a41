/**
 * The sheet as an Excel file, written as a stream. Format: ECMA-376 part 1, SpreadsheetML, with inline strings.
 *
 * Invariants:
 * - Every cell has a type and none is a formula (no `f` element is ever written), so texts need no guard.
 * - Characters that XML does not allow are removed.
 * - Text that looks like an escape of the format (`_x000D_`) is escaped, so that it stays text.
 */
import { type Cell, cellText, EMPTY } from './cell.ts';
import { MOST_IN_A_CELL } from './clean-text.ts';
import {
  type Counting,
  countPerson,
  type ExportPieces,
  type ExportSetting,
  inPieces,
  type LeadSource,
  startCounting,
} from './profile.ts';
import { type Column, sheetColumns } from './sheet.ts';
import { sheetWords } from './sheet-words.ts';
import { zip } from './zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Indexes in `cellXfs` of `styles.xml`. */
const STYLE = { header: 1, time: 2, day: 3, text: 4 } as const;

/** The sheet of all leads as XLSX. */
export function* sheetXlsx(leads: LeadSource, setting: ExportSetting): ExportPieces {
  const counting = startCounting();
  const columns = sheetColumns(setting);
  const file = (name: string, texts: Iterable<string>) => ({ name, pieces: inPieces(texts) });
  yield* zip(
    [
      file('[Content_Types].xml', [CONTENT_TYPES]),
      file('_rels/.rels', [relations([['officeDocument', 'xl/workbook.xml']])]),
      file('xl/_rels/workbook.xml.rels', [
        relations([
          ['worksheet', 'worksheets/sheet1.xml'],
          ['styles', 'styles.xml'],
        ]),
      ]),
      file('xl/styles.xml', [STYLES]),
      file('xl/worksheets/sheet1.xml', sheet(leads, columns, counting)),
      // Written after the sheet, because the range of the filter needs the number of rows.
      {
        name: 'xl/workbook.xml',
        get pieces() {
          return inPieces([workbook(sheetWords(setting.language).sheet, columns.length, counting.count + 1)]);
        },
      },
    ],
    setting.at,
  );
  return counting;
}

function* sheet(leads: LeadSource, columns: readonly Column[], counting: Counting): Generator<string> {
  const widths = columns.map(({ width }, index) => {
    const place = index + 1;
    return `<col min="${place}" max="${place}" width="${width}" customWidth="1"/>`;
  });
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`;
  const names = columns.map((_, index) => columnName(index));
  const titles = columns.map(({ title }, index) =>
    textXml(`${names[index]}1`, cellText(title).text, STYLE.header),
  );
  yield `<row r="1">${titles.join('')}</row>`;
  const serialOf = createSerials();
  let row = 1;
  for (const lead of leads.all()) {
    row += 1;
    const cells: string[] = [];
    for (let index = 0; index < columns.length; index += 1) {
      const cell = columns[index]?.cell(lead) ?? EMPTY;
      if (cell.kind !== 'empty') cells.push(cellXml(`${names[index]}${row}`, cell, counting, serialOf));
    }
    yield `<row r="${row}">${cells.join('')}</row>`;
    countPerson(counting, lead);
  }
  yield `</sheetData><autoFilter ref="A1:${names.at(-1)}${row}"/></worksheet>`;
}

function cellXml(
  place: string,
  cell: Exclude<Cell, typeof EMPTY>,
  counting: Counting,
  serialOf: (text: string) => number,
): string {
  switch (cell.kind) {
    case 'number':
      return `<c r="${place}"><v>${cell.number}</v></c>`;
    case 'time':
      return `<c r="${place}" s="${STYLE.time}"><v>${serialOf(cell.wall)}</v></c>`;
    case 'day':
      return `<c r="${place}" s="${STYLE.day}"><v>${serialOf(cell.day)}</v></c>`;
    case 'text': {
      if (cell.text.length <= MOST_IN_A_CELL && !SPECIAL.test(cell.text)) return plainXml(place, cell.text);
      const { text, isCut } = cellText(cell.text);
      if (isCut) counting.cut += 1;
      return textXml(place, text, STYLE.text);
    }
  }
}

function textXml(place: string, text: string, style: number): string {
  // Only white space that a reader may trim or join needs the attribute, which would be a third of the bytes to
  // compress.
  const space = TENDER_SPACE.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
}

/** The text of a cell in which nothing needs escaping. */
function plainXml(place: string, text: string): string {
  return `<c r="${place}" s="${STYLE.text}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

const TENDER_SPACE = /^\s|\s$|\s\s|[^\S ]/u;

/**
 * Matches every text that `cellText`, `textXml` or `escaped` may change. One search takes a quarter of the time of
 * all three.
 */
const SPECIAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[&<>_\u0000-\u001f\u007f\u00a0\u1680\u2000-\u202f\u205f\u3000\ud800-\udfff\ufeff\ufffe\uffff]|^ | $| {2}/;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/gu, '_x005F_')
    .replace(/[&<>\r]/gu, (character) => ESCAPES[character] ?? '');
}

/**
 * Days since 30 December 1899 (ECMA-376 part 1, 18.17.4.1) of `2026-11-22` or `2026-11-22 17:05`. Leads in order share
 * their minutes, so the last result is kept.
 */
function createSerials(): (text: string) => number {
  let last = { text: '', serial: 0 };
  return (text) => {
    if (text !== last.text) {
      const [day = '', time = '00:00'] = text.split(' ');
      last = { text, serial: (Date.parse(`${day}T${time}:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000 };
    }
    return last.serial;
  };
}

/** `A` to `Z`, then `AA` and so on. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function workbook(name: string, columns: number, rows: number): string {
  const range = `'${name}'!$A$1:$${columnName(columns - 1)}$${rows}`;
  return (
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
    `<sheet name="${name}" sheetId="1" r:id="rId1"/></sheets><definedNames>` +
    `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${range}</definedName>` +
    `<definedName name="_xlnm.Print_Titles" localSheetId="0">'${name}'!$1:$1</definedName></definedNames></workbook>`
  );
}

function relations(targets: readonly (readonly [string, string])[]): string {
  const rows = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`;
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES =
  `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/></Types>`;

const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
