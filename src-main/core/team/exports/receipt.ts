/**
 * The receipt beside an export: what stands in it, whose it is, and what proves that it is whole.
 *
 * Invariant: no personal data.
 */
import type { ExportTally } from '../formats/profile.ts';

export type Receipt = ExportTally & {
  /** Name of the file or folder it belongs to. */
  readonly file: string;
  readonly profile: string;
  readonly event: string;
  readonly partner: string;
  /** What narrowed it, as it was written; null: everything. */
  readonly filter: string | null;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly bytes: number;
  /** Of the file; of a folder, of the list of its files, one `sha256  name` a line in their order. */
  readonly sha256: string;
  /** Hash of the last fact that could have had a part in it; empty while there is none. */
  readonly chainHead: string;
};

/** The text of a receipt. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
