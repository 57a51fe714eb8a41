/**
 * Commands to contactless cards and the meaning of their answers. Pure; never throws.
 *
 * Sources: PC/SC part 3 (2.01), 3.2.2, for class FF, which the reader itself answers. ISO/IEC 7816-4 for class 00,
 * which the card answers. NFC Forum, Type 4 Tag 2.0, for the application's name.
 */

/** PC/SC part 3, 3.2.2.1.3: GET DATA, the complete UID. The same command for every contactless card. */
export function getUid(): Uint8Array {
  return Uint8Array.of(0xff, 0xca, 0x00, 0x00, 0x00);
}

/** PC/SC part 3, 3.2.2.1.8: READ BINARY of a storage card. On Type 2 tags the address is a page of 4 bytes. */
export function readPages(page: number, length: number): Uint8Array {
  return Uint8Array.of(0xff, 0xb0, page >> 8, page & 0xff, length);
}

/**
 * Wraps a command for the tag: direct transmit to the reader's chip and its InCommunicateThru (ACR122U API 2.04, 6.1;
 * PN532 user manual, 7.3.9). Only for readers with this chip (`knowsHandThrough`).
 */
export function handThrough(command: Uint8Array): Uint8Array {
  return Uint8Array.of(0xff, 0x00, 0x00, 0x00, command.length + 2, 0xd4, 0x42, ...command);
}

/** True for readers with that chip. */
export function knowsHandThrough(reader: string): boolean {
  return /ACR122/i.test(reader);
}

/** Type 4 Tag 2.0, 5.4.2: SELECT the NDEF application by name. */
export function selectNdefApplication(): Uint8Array {
  return Uint8Array.of(0x00, 0xa4, 0x04, 0x00, 0x07, 0xd2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00);
}

/** Type 4 Tag 2.0, 5.4.3: SELECT an elementary file by its id. */
export function selectFile(high: number, low: number): Uint8Array {
  return Uint8Array.of(0x00, 0xa4, 0x00, 0x0c, 0x02, high, low);
}

/** Type 4 Tag 2.0, 5.4.4: READ BINARY of the selected file. */
export function readFile(offset: number, length: number): Uint8Array {
  return Uint8Array.of(0x00, 0xb0, offset >> 8, offset & 0xff, length);
}

/** A response APDU without its status word, or the meaning of the status word. `sw` is four hex digits. */
export type CardResponse =
  | { readonly kind: 'ok'; readonly data: Uint8Array }
  | { readonly kind: 'refused'; readonly why: StatusMeaning; readonly sw: string };

/**
 * Meaning of a status word other than 90 00.
 *
 * - `lost`: the reader could not reach the card. This lasts until the card is reset or presented again.
 * - `unsupported`: the card or reader does not support the command or data.
 * - `missing`: no such file, application or address.
 * - `denied`: protected.
 * - `garbage`: not a status word.
 */
export type StatusMeaning = 'lost' | 'unsupported' | 'missing' | 'denied' | 'other' | 'garbage';

/** PC/SC part 3, table 3-9 and following; ISO/IEC 7816-4, 5.1.3. */
const meaningBySw: ReadonlyMap<string, StatusMeaning> = new Map([
  ['6300', 'lost'],
  ['6400', 'lost'],
  ['6401', 'lost'],
  ['6581', 'lost'],
  ['6800', 'unsupported'],
  ['6881', 'unsupported'],
  ['6A81', 'unsupported'],
  ['6D00', 'unsupported'],
  ['6E00', 'unsupported'],
  ['6A82', 'missing'],
  ['6A83', 'missing'],
  ['6A88', 'missing'],
  ['6B00', 'missing'],
  ['6982', 'denied'],
  ['6985', 'denied'],
  ['6986', 'denied'],
]);

/** Splits a response APDU into data and status word. */
export function parseResponse(response: Uint8Array): CardResponse {
  if (response.length < 2) return { kind: 'refused', why: 'garbage', sw: '' };
  const sw = hexOf(response.subarray(-2));
  if (sw === '9000') return { kind: 'ok', data: response.subarray(0, -2) };
  return { kind: 'refused', why: meaningBySw.get(sw) ?? 'other', sw };
}

/** Unwraps the tag's answer from the chip's: `D5 43`, its status (0: the tag answered), then the answer. */
export function parseThrough(response: Uint8Array): CardResponse {
  const parsed = parseResponse(response);
  if (parsed.kind === 'refused') return parsed;
  const [code, command, status] = parsed.data;
  if (code !== 0xd5 || command !== 0x43) return { kind: 'refused', why: 'garbage', sw: '9000' };
  // After an unsupported command a tag does not answer until it is reset.
  return status === 0x00
    ? { kind: 'ok', data: parsed.data.subarray(3) }
    : { kind: 'refused', why: 'lost', sw: '9000' };
}

/** Upper-case hex without separators. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}
