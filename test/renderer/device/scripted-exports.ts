/**
 * The exports of a scripted device: the test sets the targets, the state of an export and the letters.
 *
 * Invariant: `keep` receives the calls of `start`, `letters` and `cancel`, and no file is written.
 */
import { implement } from '@orpc/server';
import { contract } from '../../../src-main/contract/contract.ts';
import type {
  ExportJobState,
  ExportPlace,
  ExportResult,
  Letter,
} from '../../../src-main/contract/exports.ts';

/** State that a test sets. */
export type ExportScript = {
  places: readonly ExportPlace[];
  /** The state of the next export right after its start. */
  job: ExportJobState;
  letters: { letters: Letter[]; count: number; why: 'nobodyHot' | 'noAddress' | 'nobodyAgreed' | null };
};

/** A successful export of twelve leads. */
export const exportedTwelve: ExportResult = {
  kind: 'done',
  receipt: {
    format: 'touchpoint-receipt-2',
    ...{ file: 'Northwind 2026-11-21.csv', count: 12, withoutEmail: 1, withoutCompany: 2, merged: 1 },
    ...{ profile: 'sheet-csv', event: 'demo', partner: 'northwind', filter: null },
    exportedAt: '2026-11-21T17:05:00.000Z',
    ...{
      unknown: 3,
      takenBack: 1,
      cut: 0,
      leftOut: 2,
      files: 0,
      filesMissing: 0,
      bytes: 4_711,
      sha256: 'a'.repeat(64),
      chainHead: 'b'.repeat(64),
      signedBy: 'this device only',
      signature: null,
    },
  },
};

/** A stick and a folder, and a finished export. */
export const someExports = (): ExportScript => ({
  places: [
    { id: 'stick:FAIR', kind: 'stick', name: 'FAIR', free: 8_000_000_000 },
    { id: 'downloads:Downloads', kind: 'downloads', name: 'Downloads', free: null },
  ],
  job: { id: 'job1', done: 12, of: 12, left: 0, result: exportedTwelve, download: null },
  letters: {
    count: 2,
    why: null,
    letters: [
      {
        to: 'amelie@example.org',
        name: 'Amélie Beaumont',
        subject: 'Merci de votre visite chez Northwind',
        body: 'Bonjour Amélie Beaumont,\r\n\r\nmerci de votre visite.\r\n\r\nJonas W.\r\nNorthwind Robotics',
        by: 'Jonas W.',
        language: 'fr',
        appointment: true,
      },
      {
        to: 'hassan@example.org',
        name: 'حسن المنصوري',
        subject: 'شكرًا لزيارتكم',
        body: 'مرحبًا حسن المنصوري،\r\n\r\nسعدنا بلقائكم.',
        by: null,
        language: 'ar',
        appointment: false,
      },
    ],
  },
});

/** The calls of `exports`. */
export const scriptedExports = (script: () => ExportScript, keep: (call: string, input: unknown) => void) => {
  const os = implement(contract).exports;
  return {
    places: os.places.handler(() => [...script().places]),
    signer: os.signer.handler(() => ({
      fingerprint: 'AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34',
      hub: { name: 'Hall 7', fingerprint: 'CD34 EF56 AB12 CD34 EF56 AB12 CD34 EF56' },
    })),
    start: os.start.handler(({ input }) => {
      keep('exports.start', input);
      return { kind: 'started', job: script().job };
    }),
    watch: os.watch.handler(async function* () {
      yield await Promise.resolve(script().job);
    }),
    letters: os.letters.handler(({ input }) => {
      keep('exports.letters', input);
      return script().letters;
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
