/**
 * A bare nfc-pcsc program that runs in parallel with the app. It uses only the library and prints the wall time of
 * every card event.
 *
 * Invariant: it only connects to the card, as every program that uses the library must.
 */
import { writeSync } from 'node:fs';
import { NFC } from 'nfc-pcsc';

const nfc = new NFC();
nfc.on('reader', (reader) => {
  reader.autoProcessing = false;
  reader.on('card', () => writeSync(1, `${Date.now()}\n`));
  reader.on('error', () => undefined);
});
nfc.on('error', () => undefined);
