/**
 * A bare nfc-pcsc program beside the app: prints the wall time of every card event. Nothing but the library.
 *
 * Invariant: does no more than connect, as any program that uses the library must.
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
