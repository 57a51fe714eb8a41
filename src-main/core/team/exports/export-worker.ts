/**
 * The thread that writes an export, so that no tap waits for it. It has its own read-only connections.
 *
 * Invariant: ends when its one order is done. Stopping it earlier leaves no file.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  Cancelled,
  type Exported,
  type ExportOrder,
  type LetterPreview,
  previewLetters,
  runExport,
} from './export-run.ts';

/** Start data of the thread. `stop` holds 1 after a cancel. `preview`: the most letters to show instead of a file. */
export type ExportWork = {
  readonly order: ExportOrder;
  readonly stop: Int32Array;
  readonly preview?: number;
};

/** Messages of the thread. */
export type ExportNews =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'preview'; readonly preview: LetterPreview }
  | { readonly kind: 'end'; readonly result: Exported };

/** Interval between progress messages. */
const TOLD_EVERY_MS = 100;

function work(tell: (news: ExportNews) => void, { order, stop, preview }: ExportWork): void {
  if (preview !== undefined) {
    tell({ kind: 'preview', preview: previewLetters(order, preview) });
    return;
  }
  let told = Number.NEGATIVE_INFINITY;
  const result = runExport(order, (done, of) => {
    if (Atomics.load(stop, 0) === 1) throw new Cancelled();
    const now = performance.now();
    if (now - told < TOLD_EVERY_MS) return;
    told = now;
    tell({ kind: 'progress', done, of });
  });
  tell({ kind: 'end', result });
}

if (parentPort !== null) {
  const port = parentPort;
  work((news) => port.postMessage(news), workerData as ExportWork);
}
