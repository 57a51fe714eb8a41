/**
 * `npm run leads -- import FILE`: imports facts of another device (`leads export --profile jsonl`) into a data folder.
 *
 * Invariants:
 * - no fact is written before the whole file was verified;
 * - it may run beside the app, and sends nothing;
 * - exit codes: 0 done, even if all facts exist already; 2 refused with one sentence.
 */
import { join, resolve } from 'node:path';
import type { Log } from '../../core/foundations/ports.ts';
import { StartRefusal } from '../../core/foundations/refusal.ts';
import { type Database, openDatabase, storageFault } from '../../core/foundations/store/database.ts';
import { createJournal, type Journal } from '../../core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../core/journal/facts/schema.ts';
import { createStamper } from '../../core/journal/facts/stamp.ts';
import { openDurableJournal } from '../../core/journal/recovery/durable-journal.ts';
import { type Imported, importFacts } from '../../core/team/exports/fact-import.ts';
import { createTakeFacts } from '../../core/team/exports/take-facts.ts';
import { dataFolderPath, openDataFolder } from '../../data-folder/data-folder.ts';
import { realClock, realRandom } from '../../machine/real-time.ts';
import { readWords, refuse } from '../command-line.ts';

export const IMPORT_HELP = `npm run leads -- import FILE [--data DIR] [--partner ID] [--json]

Imports facts that another Touchpoint wrote with leads export --profile jsonl into a data folder. It checks all of them first
and sends nothing. A repeated import changes nothing. It may run beside the app, and needs no platform. --partner: refuse facts of others.
Without --data: the folder of the demo event. Exit code: 0 done, 2 refused, with one sentence.
`;

const options = {
  data: { type: 'string' },
  partner: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const quiet: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** Runs the command with the arguments after `import`. */
export async function importLeads(args: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(options, IMPORT_HELP, args);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) return refuse('leads import needs one FILE. Try --help.');
  const path = dataFolderPath({ data: values.data ?? null, platform: null });
  try {
    const { journal, database, close } = await openJournalOf(path);
    try {
      const result = importFacts(resolve(file), {
        database,
        leads: journal.leads,
        take: createTakeFacts(database, journal.leads),
        event: journal.settings.get('expo'),
        partner: (values.partner ?? journal.settings.get('partner')) || null,
      });
      if (result.kind === 'imported' && journal.settings.get('expo') === null)
        journal.settings.set('expo', result.header.event);
      report(result, file, values.json === true);
    } finally {
      close();
    }
  } catch (error) {
    if (error instanceof StartRefusal || storageFault(error) === 'full')
      refuse(String((error as Error).message));
    throw error;
  }
}

type Opened = { readonly journal: Journal; readonly database: Database; readonly close: () => void };

/** Opens the journal of a folder. Checks its integrity first, unless a running app uses the folder. */
async function openJournalOf(path: string): Promise<Opened> {
  const stamper = createStamper(realClock, realRandom);
  try {
    const folder = await openDataFolder(path);
    try {
      const durable = openDurableJournal({ folder: folder.path, stamper, clock: realClock, log: quiet });
      const { database, journal } = durable.current();
      const close = (): void => {
        durable.journal.close();
        folder.release();
      };
      return { journal, database, close };
    } catch (error) {
      folder.release();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof StartRefusal && error.reason === 'options')) throw error;
    const database = openDatabase(join(path, 'journal.db'), {
      durability: 'full',
      migrations: JOURNAL_MIGRATIONS,
    });
    return { journal: createJournal(database, stamper), database, close: () => void database.close() };
  }
}

function report(result: Imported, file: string, isJson: boolean): void {
  if (result.kind === 'refused') refuse(`${sentenceOf(result, file)} Nothing was changed.`);
  const { facts, taken, header, end } = result;
  if (isJson) process.stdout.write(`${JSON.stringify({ facts, taken, ...header, chainHead: end.head })}\n`);
  else
    process.stdout.write(
      `${taken} of ${facts} facts are new here; the others existed already. Nothing is sent.\n`,
    );
}

function sentenceOf({ reason, line, header }: Extract<Imported, { kind: 'refused' }>, file: string): string {
  switch (reason) {
    case 'unreadable':
      return `${file} cannot be read.`;
    case 'notOurs':
      return `${file} is not an export of facts by Touchpoint.`;
    case 'newer':
      return `${file} was written by a newer Touchpoint.`;
    case 'cut':
      return `${file} ends too early, at line ${line}; copy it once more.`;
    case 'altered':
      return `${file} is not as it was written, at line ${line}; copy it once more.`;
    case 'otherEvent':
      return `${file} holds facts of event ${header?.event}, but this data folder belongs to another event.`;
    case 'otherPartner':
      return `${file} holds facts of partner ${header?.partner}, but this device belongs to another partner.`;
  }
}
