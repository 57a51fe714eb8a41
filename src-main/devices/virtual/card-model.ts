/**
 * Cards as pure models: a command goes in, an answer comes out. For the virtual reader, in tests and for `npm run
 * tap`.
 *
 * Invariants:
 * - A model behaves like a real card where our code could see a difference. After a read beyond the end it answers 63
 *   00 until it is reset. A mute card does not answer.
 * - Card and reader are one model, because both limit the size of an answer.
 */

/** A card on the virtual reader. */
export type CardModel = {
  /** Response to reset, as PC/SC shows it. */
  readonly atr: Uint8Array;
  /** The answer to a command with its status word. Null for no answer. */
  readonly answer: (command: Uint8Array) => Uint8Array | null;
  /** Called when the card is powered off or reset. */
  readonly reset: () => void;
};

/**
 * The behaviour of a reader at a request for more than four pages: supports it, refuses it, or loses the card until
 * the next reset. `through`: it supports the tag's own commands, and otherwise four pages.
 */
export type Carries = 'bulk' | 'refuses' | 'loses' | 'through';

/** Status words (ISO/IEC 7816-4, 5.1.3; PC/SC part 3, 3.2.2). */
const ok = Uint8Array.of(0x90, 0x00);
const operationFailed = Uint8Array.of(0x63, 0x00);
const notFound = Uint8Array.of(0x6a, 0x82);
const unknownInstruction = Uint8Array.of(0x6d, 0x00);
const unknownClass = Uint8Array.of(0x6e, 0x00);
const wrongOffset = Uint8Array.of(0x6b, 0x00);
const wrongLength = Uint8Array.of(0x67, 0x00);
/** PN532 user manual, 7.3.9: the tag answered. */
const handedThrough = Uint8Array.of(0xd5, 0x43, 0x00);

/** NXP NTAG213 behind an ACR122U (PC/SC part 3 supplemental, card name 0003). */
const type2Atr = bytesOf('3B8F8001804F0CA0000003060300030000000068');
/** MIFARE DESFire EV1, historical byte 80. */
const type4Atr = bytesOf('3B8180018080');
/** Host card emulation without historical bytes. */
const phoneAtr = bytesOf('3B80800101');

/** A Type 2 tag with `size` bytes of data area (NTAG213: 144). `ndef` is its message. */
export function createType2Card(
  uid: string,
  ndef: Uint8Array | null,
  size = 144,
  carries: Carries = 'bulk',
): CardModel {
  const memory = type2Memory(ndef, size);
  let lost = false;
  const read = (page: number, length: number): Uint8Array => {
    const from = (page - 3) * 4;
    lost = from < 0 || from + length > memory.length;
    return lost ? operationFailed : joined(memory.subarray(from, from + length), ok);
  };
  const readThrough = (command: Uint8Array): Uint8Array => {
    const [first = 0, last = 0] = command.subarray(8);
    const isFastRead = hexOf(command.subarray(0, 8)) === 'FF00000005D4423A';
    return isFastRead ? joined(handedThrough, read(first, (last - first + 1) * 4)) : unknownInstruction;
  };
  return {
    atr: type2Atr,
    reset: () => {
      lost = false;
    },
    answer: (command) => {
      if (lost) return operationFailed;
      const [cla, ins, , page = 0, length = 0] = command;
      if (cla !== 0xff) return unknownClass;
      if (ins === 0xca) return joined(bytesOf(uid), ok);
      if (ins === 0x00 && carries === 'through') return readThrough(command);
      if (ins !== 0xb0) return unknownInstruction;
      if (length <= 16 || carries === 'bulk') return read(page, length);
      lost = carries === 'loses';
      return lost ? operationFailed : wrongLength;
    },
  };
}

/** Pages from 3 on: capability container, then the data area with one NDEF TLV and a terminator. */
function type2Memory(ndef: Uint8Array | null, size: number): Uint8Array {
  const memory = new Uint8Array(4 + size);
  memory.set([0xe1, 0x10, size / 8, 0x00]);
  if (ndef === null) {
    memory.set([0x03, 0x00, 0xfe], 4);
    return memory;
  }
  const head = ndef.length < 0xff ? [0x03, ndef.length] : [0x03, 0xff, ndef.length >> 8, ndef.length & 0xff];
  memory.set([...head, ...ndef, 0xfe], 4);
  return memory;
}

/**
 * A Type 4 tag: application, capability container and one NDEF file (NFC Forum, Type 4 Tag 2.0). `mostAnswer`:
 * maximum bytes per answer (DESFire EV1: 59; NTAG 424: 256).
 */
export function createType4Card(uid: string, ndef: Uint8Array | null, mostAnswer = 59): CardModel {
  const mle = mostAnswer.toString(16).padStart(4, '0');
  const files: ReadonlyMap<string, Uint8Array> = new Map([
    ['E103', bytesOf(`000F20${mle}00340406E10404000000`)],
    ['E104', type4File(ndef)],
  ]);
  let application = false;
  let file: Uint8Array | null = null;
  const select = (command: Uint8Array): Uint8Array => {
    if (command[2] === 0x04) {
      application = hexOf(command.subarray(5, 12)) === 'D2760000850101';
      return application ? ok : notFound;
    }
    file = application ? (files.get(hexOf(command.subarray(5, 7))) ?? null) : null;
    return file === null ? notFound : ok;
  };
  const read = (command: Uint8Array): Uint8Array => {
    if (file === null) return notFound;
    const from = ((command[2] ?? 0) << 8) | (command[3] ?? 0);
    const to = from + (command[4] ?? 0);
    return to > file.length ? wrongOffset : joined(file.subarray(from, to), ok);
  };
  return {
    atr: type4Atr,
    reset: () => {
      application = false;
      file = null;
    },
    answer: (command) => {
      if (command[0] === 0xff) return command[1] === 0xca ? joined(bytesOf(uid), ok) : unknownInstruction;
      if (command[0] !== 0x00) return unknownClass;
      if (command[1] === 0xa4) return select(command);
      return command[1] === 0xb0 ? read(command) : unknownInstruction;
    },
  };
}

function type4File(ndef: Uint8Array | null): Uint8Array {
  const length = ndef?.length ?? 0;
  const file = new Uint8Array(1024);
  file.set([length >> 8, length & 0xff, ...(ndef ?? [])]);
  return file;
}

/** A phone with card emulation: a random UID that starts with 08, and no supported application. */
export function createPhoneCard(uid: string): CardModel {
  return {
    atr: phoneAtr,
    reset: () => undefined,
    answer: (command) => (command[0] === 0xff && command[1] === 0xca ? joined(bytesOf(uid), ok) : notFound),
  };
}

/** A card that answers only its reset: badly placed or broken. */
export function createMuteCard(): CardModel {
  return {
    atr: type2Atr,
    reset: () => undefined,
    answer: () => null,
  };
}

/** A badge that leaves too early: it answers with its UID and nothing more. */
export function createFadingCard(uid: string): CardModel {
  return {
    atr: type2Atr,
    reset: () => undefined,
    answer: (command) => (command[1] === 0xca ? joined(bytesOf(uid), ok) : null),
  };
}

/** A card that answers every command with bytes of `noise` (its argument is the requested length). */
export function createGarbageCard(noise: (length: number) => Uint8Array): CardModel {
  return {
    atr: type2Atr,
    reset: () => undefined,
    answer: () => noise(1 + ((noise(1)[0] ?? 0) % 64)),
  };
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
