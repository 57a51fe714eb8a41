/**
 * `npm run leads -- list|export|import`: lists and exports leads, and imports facts of another device.
 *
 * Invariants:
 * - it may run beside the app and without a platform;
 * - exit codes: 0 done, 1 nothing matched, 2 refused, with one sentence.
 */
import { refuse } from './command-line.ts';
import { EXPORT_HELP, exportLeads } from './leads/export.ts';
import { IMPORT_HELP, importLeads } from './leads/import.ts';
import { LIST_HELP, listLeads } from './leads/list.ts';

const [what, ...args] = process.argv.slice(2);
switch (what) {
  case 'list':
    await listLeads(args);
    break;
  case 'export':
    exportLeads(args);
    break;
  case 'import':
    await importLeads(args);
    break;
  case '--help':
  case '-h':
    process.stdout.write([LIST_HELP, EXPORT_HELP, IMPORT_HELP].join('\n'));
    break;
  default:
    refuse('leads needs one of list, export and import. Try --help.');
}
