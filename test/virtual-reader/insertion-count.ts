/**
 * Runs inside a test's namespace: prints the card service's own counts as one JSON object `{ "<reader>": <insertions
 * and removals> }`, and ends. It connects to no card.
 */
import { NFC, type Reader } from 'nfc-pcsc';

const counts: Record<string, number> = {};
const nfc = new NFC();

nfc.on('reader', (reader: Reader) => {
  reader.reader.removeAllListeners('status');
  reader.reader.on('status', (status: { readonly state: number }) => {
    counts[reader.name] = (status.state >>> 16) & 0xffff;
    if (Object.keys(counts).length < 2) return;
    process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
  });
});
