/**
 * The thread that writes an export, so that no tap waits for it. It has its own read-only connections.
 *
 * Invariant: the thread ends when its one task is done. Stopping it earlier leaves no file.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Countersignature } from '../../../contract/exports.ts';
import {
  Cancelled,
  type Exported,
  type ExportOrder,
  type LetterPreview,
  previewLetters,
  runExport,
} from './export-run.ts';
import type { Countersigner } from './signature.ts';

/**
 * Start data of the thread. `stop` holds 1 after a cancel. `hub`: the fingerprint of the hub that countersigns, the
 * port for its answers, and a counter that increases with each answer. `preview`: the maximum number of letters to
 * return instead of writing a file.
 */
export type ExportWork = {
  readonly order: ExportOrder;
  readonly stop: Int32Array;
  readonly hub: {
    readonly fingerprint: string;
    readonly answers: MessagePort;
    readonly answered: Int32Array;
  } | null;
  readonly preview?: number;
};

/** Messages of the thread. */
export type ExportNews =
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'preview'; readonly preview: LetterPreview }
  | { readonly kind: 'countersign'; readonly sha256: string }
  | { readonly kind: 'end'; readonly result: Exported };

/** Shortest interval between two progress messages. */
const TOLD_EVERY_MS = 100;

/** Longer than the app's own wait for the hub. */
const ANSWERED_WITHIN_MS = 10_000;

/**
 * The export runs in one transaction without an await, so this thread blocks until the app has passed on the hub's
 * answer.
 */
function countersignerOver(
  tell: (news: ExportNews) => void,
  hub: NonNullable<ExportWork['hub']>,
): Countersigner {
  const { fingerprint, answers, answered } = hub;
  return {
    fingerprint,
    sign: (sha256) => {
      const before = Atomics.load(answered, 0);
      tell({ kind: 'countersign', sha256 });
      Atomics.wait(answered, 0, before, ANSWERED_WITHIN_MS);
      return (receiveMessageOnPort(answers)?.message ?? null) as Countersignature | null;
    },
  };
}

function work(tell: (news: ExportNews) => void, { order, stop, preview, hub }: ExportWork): void {
  if (preview !== undefined) {
    tell({ kind: 'preview', preview: previewLetters(order, preview) });
    return;
  }
  let told = Number.NEGATIVE_INFINITY;
  const onProgress = (done: number, of: number): void => {
    if (Atomics.load(stop, 0) === 1) throw new Cancelled();
    const now = performance.now();
    if (now - told < TOLD_EVERY_MS) return;
    told = now;
    tell({ kind: 'progress', done, of });
  };
  const result = runExport(order, onProgress, hub === null ? null : countersignerOver(tell, hub));
  tell({ kind: 'end', result });
}

if (parentPort !== null) {
  const port = parentPort;
  work((news) => port.postMessage(news), workerData as ExportWork);
}
