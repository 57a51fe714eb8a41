/**
 * Writes the leads of a folder into a file in one of several ways, in a separate process, so that its memory can be
 * measured: `node export-child.ts <bare|sheet-csv|sheet-xlsx|jsonl> FOLDER FILE`. Prints `{ ms, peakBytes, bytes }`.
 *
 * Invariant: `bare` reads the same rows (leads with their facts) from the same database and writes each as JSON.
 */
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../../../src-main/core/foundations/store/database.ts';
import { type ExportKind, runExport } from '../../../src-main/core/team/exports/export-run.ts';
import { USUAL_HOT_RULE } from '../../../src-main/core/team/leads/hot.ts';

const [way = '', folder = '', target = ''] = process.argv.slice(2);

const bare = (): void => {
  const database = openReadOnly(join(folder, 'journal.db'));
  if (database === null) throw new Error('Expected a journal');
  const rows = database.prepare(
    `SELECT lead.*, fact.* FROM lead JOIN lead_fact ON lead_fact.lead = lead.id JOIN fact USING (seq)
     WHERE lead.partner = 'p1' ORDER BY lead.last_at DESC, lead.id, fact.seq`,
  );
  const file = openSync(target, 'wx');
  let gathered = '';
  for (const row of rows.iterate()) {
    gathered += `${JSON.stringify(row)}\n`;
    if (gathered.length < 131_072) continue;
    writeSync(file, gathered);
    gathered = '';
  }
  writeSync(file, gathered);
  fsyncSync(file);
  closeSync(file);
  database.close();
};

const start = performance.now();
if (way === 'bare') bare();
else {
  const { kind } = runExport(
    {
      ...{
        dataFolder: folder,
        kind: way as ExportKind,
        target,
        as: 'one',
        sheetName: null,
        isDownload: false,
        at: Date.now(),
      },
      ...{ event: 'E1', partner: 'p1', filter: null, filterText: null, rule: USUAL_HOT_RULE },
      ...{
        language: 'en',
        separator: null,
        questions: [],
        form: [],
        consents: [],
        letter: { subject: null, text: null, signatures: [] },
      },
    },
    () => undefined,
  );
  if (kind !== 'done') throw new Error(`Expected an export, got ${kind}`);
}
const ms = performance.now() - start;
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, peakBytes, bytes: statSync(target).size }));
