/**
 * `npm run leads -- list`: prints leads of a data folder, one per line.
 *
 * Invariants:
 * - it only reads, and may run beside the app;
 * - with `--json` a line has the fields of the staff page;
 * - exit codes: 0 done, 1 nothing matched, 2 refused with one sentence.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import type { LeadFilter, LeadLine, LeadPageFrom } from '../../contract/leads.ts';
import { openReadOnly } from '../../core/foundations/store/database.ts';
import { readEventNames } from '../../core/team/exports/event-names.ts';
import { createLeadReader } from '../../core/team/leads/lead-reader.ts';
import { dataFolderPath } from '../../data-folder/data-folder.ts';
import { readOptions, refuse } from '../command-line.ts';
import { filterOf, knownFolder } from './export.ts';
import { FILTER_HELP, FILTER_NAMES } from './filter.ts';
import type { KnownFolder } from './known-folder.ts';

export const LIST_HELP = `npm run leads -- list [--data DIR] [--filter EXPR] [--partner ID] [--json]

Prints leads, latest visit first, one per line. --json: as JSON with the fields of the staff page and the names of its labels. It only reads, needs no
platform, and may run beside the app. Without --data: the folder of the demo event. Without --partner: this device's.
Exit code: 0 done, 1 nothing matched, 2 refused, with one sentence.

${FILTER_HELP}`;

const PAGE = 200;
const text = { type: 'string' } as const;

/** Runs the command with the arguments after `list`. */
export async function listLeads(args: readonly string[]): Promise<void> {
  const options = readOptions(
    { data: text, filter: text, partner: text, json: { type: 'boolean' } },
    LIST_HELP,
    args,
  );
  const path = dataFolderPath({ data: options.data ?? null, platform: null });
  const folder = knownFolder(path, options.partner ?? null);
  const filter = options.filter === undefined ? {} : filterOf(options.filter, path);
  // A reader that closes the pipe (`| head`) is not a fault.
  process.stdout.on('error', () => process.exit(0));
  let printed = 0;
  const names = readEventNames(join(folder.path, 'mirror.db'));
  const labelName = (label: string) => names.labels[label] ?? label;
  for (const line of linesOf(folder, filter)) {
    printed += 1;
    const shown = options.json === true ? jsonOf(line, line.labels.map(labelName)) : inWords(line);
    if (!process.stdout.write(`${shown}\n`)) await once(process.stdout, 'drain');
  }
  if (printed > 0) return;
  process.stderr.write(`${nothingOf(filter)}\n`);
  process.exitCode = 1;
}

function nothingOf(filter: LeadFilter): string {
  if (Object.keys(filter).length === 0) return 'There are no leads of this partner here.';
  const searched = filter.search === undefined ? '' : ` "${filter.search}" was searched for as words.`;
  return `Nothing matched.${searched} Filters are ${FILTER_NAMES}.`;
}

function* linesOf(folder: KnownFolder, filter: LeadFilter): Generator<LeadLine> {
  const database = openReadOnly(join(folder.path, 'journal.db'));
  if (database === null) return refuse('There is no journal in the data folder. Choose it with --data.');
  try {
    const names = readEventNames(join(folder.path, 'mirror.db'));
    const labels = Object.entries(names.labels).map(([id, name]) => ({ id, name, colour: null }));
    const reader = createLeadReader(database, {
      partner: folder.partner,
      rule: folder.rule,
      timezone: names.timezone ?? 'UTC',
      words: { labels, questions: folder.stand.questions, form: folder.stand.form },
    });
    while (reader.read());
    let from: LeadPageFrom | null = { position: 0 };
    while (from !== null) {
      const page = reader.page({ filter, sort: 'latest', from, limit: PAGE });
      yield* page.leads;
      from = page.next === null ? null : { after: page.next };
    }
  } finally {
    database.close();
  }
}

/** The JSON contains `followUp` as well as the fields of a line, for programs that use it. */
function jsonOf(line: LeadLine, labelNames: readonly string[]): string {
  const followUp = { on: line.followUpOn, by: line.followUpBy };
  return JSON.stringify({ ...line, followUp, labelNames });
}

function inWords({ name, company, badgeTail, rating, hot, lastAt, undone }: LeadLine): string {
  const who = name ?? `unknown badge ${badgeTail}`;
  const marks = [rating === null ? '' : `${rating} of 5`, hot.is ? 'hot' : '', undone ? 'taken back' : ''];
  const parts = [new Date(lastAt).toISOString(), who, company ?? '', ...marks];
  return parts.filter((part) => part !== '').join('  ');
}
