/**
 * The receipt of an export: what it contains, for which partner, and the hash of its file.
 *
 * Invariants:
 * - A receipt contains no personal data.
 * - The device signs it if the data folder has a key. The hub also signs it if the device uses a hub that answers.
 */
import type { ExportTally } from '../formats/profile.ts';
import type { Signed } from './signature.ts';

/** The content that the signatures cover. */
export type ReceiptContent = ExportTally & {
  readonly format: 'touchpoint-receipt-2';
  /** Name of the file or folder. */
  readonly file: string;
  readonly profile: string;
  readonly event: string;
  readonly partner: string;
  /** The filter as text. Null means everything. */
  readonly filter: string | null;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly bytes: number;
  /** Hash of the file. For a folder: hash of the list of its files, one `sha256  name` per line in order. */
  readonly sha256: string;
  /** Hash of the last fact that the export could include. Empty without facts. */
  readonly chainHead: string;
};

export type Receipt = Signed<ReceiptContent>;

/** The text of a receipt. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
