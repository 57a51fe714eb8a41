/**
 * The card port on top of nfc-pcsc.
 *
 * The native reader ends a connection, because nfc-pcsc never resets the card. After a failed disconnect, nfc-pcsc
 * also assumes that it is still connected.
 */
import type { Reader } from 'nfc-pcsc';
import { hexOf } from './apdu.ts';
import type { CardPort } from './card-port.ts';

/** Longest short answer: 256 bytes and a status word (ISO/IEC 7816-4, 5.1). */
const maxResponseBytes = 258;

/** Wraps nfc-pcsc's reader as a card port. */
export function createPcscCard(reader: Reader): CardPort {
  const native = reader.reader;

  const end = (disposition: number): Promise<void> =>
    new Promise((resolve) => {
      // An error here means that the card or the reader is gone, so there is no connection to end.
      native.disconnect(disposition, () => {
        reader.connection = null;
        resolve();
      });
    });

  return {
    connect: async () => {
      await reader.connect('CONNECT_MODE_CARD');
      reader.card = {};
      return hexOf(native.atr);
    },
    transmit: async (command) => {
      const answer = await reader.transmit(Buffer.from(command), maxResponseBytes);
      return new Uint8Array(answer);
    },
    disconnect: (how) => end(how === 'reset' ? native.SCARD_RESET_CARD : native.SCARD_LEAVE_CARD),
    control: async (command) => {
      await reader.connect('CONNECT_MODE_DIRECT');
      try {
        return await controlOnce(reader, command);
      } finally {
        await end(native.SCARD_LEAVE_CARD);
      }
    },
  };
}

/** The control code of a CCID escape: 3500 on Windows, 1 elsewhere (ccid README, SCardControl). */
export function escapeFunction(os: NodeJS.Platform): number {
  return os === 'win32' ? 3500 : 1;
}

function controlOnce({ reader: native }: Reader, command: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const code = native.SCARD_CTL_CODE(escapeFunction(process.platform));
    native.control(command, code, maxResponseBytes, (error, answer) =>
      error === null ? resolve(new Uint8Array(answer ?? [])) : reject(error),
    );
  });
}
