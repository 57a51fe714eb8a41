/**
 * The exports of a scripted device: two places, and an export that ends at once as the script says.
 *
 * Invariant: what is asked is kept by the device; no file is made.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type { ExportJobState, ExportPlace, ExportResult } from '../../../src-main/contract/exports.ts';

/** What a test puts there. */
export type ExportScript = {
  places: readonly ExportPlace[];
  /** How the next export stands as soon as it began. */
  job: ExportJobState;
};

/** An export of twelve leads that went well. */
export const exportedTwelve: ExportResult = {
  kind: 'done',
  receipt: {
    ...{ file: 'Northwind 2026-11-21.csv', count: 12, withoutEmail: 1, withoutCompany: 2, merged: 1 },
    ...{ profile: 'sheet-csv', event: 'demo', partner: 'northwind', filter: null },
    exportedAt: '2026-11-21T17:05:00.000Z',
    ...{ unknown: 3, takenBack: 1, cut: 0, bytes: 4_711, sha256: 'a'.repeat(64), chainHead: 'b'.repeat(64) },
  },
};

/** A stick and a folder, and an export that is done. */
export const someExports = (): ExportScript => ({
  places: [
    { id: 'stick:FAIR', kind: 'stick', name: 'FAIR', free: 8_000_000_000 },
    { id: 'downloads:Downloads', kind: 'downloads', name: 'Downloads', free: null },
  ],
  job: { id: 'job1', done: 12, of: 12, left: 0, result: exportedTwelve, download: null },
});

/** The calls of `exports`. */
export const scriptedExports = (script: () => ExportScript, keep: (call: string, input: unknown) => void) => {
  const os = implement(contract).exports;
  return {
    places: os.places.handler(() => [...script().places]),
    start: os.start.handler(({ input }) => {
      keep('exports.start', input);
      return { kind: 'started', job: script().job };
    }),
    watch: os.watch.handler(async function* () {
      yield await Promise.resolve(script().job);
    }),
    cancel: os.cancel.handler(({ input }) => {
      keep('exports.cancel', input);
      return { done: true };
    }),
    download: os.download.handler(async function* () {
      yield await Promise.resolve({ bytes: Buffer.from('Name\r\n').toString('base64') });
    }),
  };
};
