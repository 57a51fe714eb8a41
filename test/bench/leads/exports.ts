/**
 * The cost of an export of all leads of a journal, compared with a bare stream of the same rows.
 *
 * Invariant: each way runs in its own process. Bare runs and exports alternate.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../row.ts';

type Taken = { readonly ms: number; readonly peakBytes: number; readonly bytes: number };

const MEGABYTE = 2 ** 20;

const take = (way: string, folder: string, out: string): Taken => {
  const child = join(import.meta.dirname, 'export-child.ts');
  const said = execFileSync(process.execPath, [child, way, folder, join(out, way)], { encoding: 'utf8' });
  return JSON.parse(said) as Taken;
};

/** Time and peak memory of each way for the journal in `folder`. Temporary files are beside it. */
export const exportRows = (folder: string): readonly Row[] =>
  (['sheet-csv', 'sheet-xlsx', 'jsonl'] as const).flatMap((way): readonly Row[] => {
    const out = mkdtempSync(`${folder}-out-`);
    try {
      const bare = take('bare', folder, out);
      const ours = take(way, folder, out);
      const row = (metric: string, unit: string, value: number, baseline: number): Row => ({
        ...{ bench: 'leads', metric: `${way} of all leads, ${metric}`, unit, value, baseline },
        ratio: value / baseline,
      });
      return [
        row('time', 'ms', ours.ms, bare.ms),
        row('peak memory of the process', 'MB', ours.peakBytes / MEGABYTE, bare.peakBytes / MEGABYTE),
      ];
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
