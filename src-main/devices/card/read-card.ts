/**
 * What is asked of a card and what is made of its answers, as exchanges: a generator yields a command and is
 * given the response. Pure; never throws, whatever a card answers; strictly one command after the other.
 *
 * Invariants: every exchange ends, because each command moves forward inside a stated size; no command asks
 * past the size that the card's capability container names, which wedges some readers.
 */
import { readType2Container, walkType2 } from '../../core/badge/type2-memory.ts';
import { readType4Container, readType4Length, type4ContainerLength } from '../../core/badge/type4-file.ts';
import type { NdefReading } from '../../core/ports.ts';
import {
  type CardResponse,
  getUid,
  hexOf,
  parseResponse,
  readFile,
  readPages,
  type StatusMeaning,
  selectFile,
  selectNdefApplication,
} from './apdu.ts';

/** An exchange: yields commands, receives raw responses, ends with `T`. */
export type Exchange<T> = Generator<Uint8Array, T, Uint8Array>;

/** Most bytes a UID has; longer answers are garbage (ISO/IEC 14443-3: 10; FeliCa and ISO/IEC 15693: 8). */
const maxUidBytes = 16;

/** The UID, empty when the card has none to give; or why the card could not be asked. */
export type UidReading =
  | { readonly kind: 'uid'; readonly uid: string }
  | { readonly kind: 'failed'; readonly why: StatusMeaning };

/** Asks for the UID; the same command for every type of card. */
export function* readUid(): Exchange<UidReading> {
  const response = parseResponse(yield getUid());
  if (response.kind === 'ok') {
    return response.data.length > maxUidBytes
      ? { kind: 'failed', why: 'garbage' }
      : { kind: 'uid', uid: hexOf(response.data) };
  }
  return response.why === 'unsupported' || response.why === 'missing'
    ? { kind: 'uid', uid: '' }
    : { kind: 'failed', why: response.why };
}

/** Reads the NDEF message of the kind of tag that the ATR announces. */
export function* readNdef(atr: string): Exchange<NdefReading> {
  switch (tagTypeOfAtr(atr)) {
    case 'type2':
      return yield* readType2();
    case 'type4':
      return yield* readType4();
    case 'other':
      return { state: 'none' };
  }
}

/** Kinds of tags whose NDEF message is read. MIFARE Classic needs keys and is not. */
export type TagType = 'type2' | 'type4' | 'other';

/**
 * PC/SC part 3, 3.1.3.2.3: storage cards say `4F 0C A0 00 00 03 06`, then the standard (03: ISO/IEC 14443-3 A)
 * and the card's name (part 3 supplemental: 0003 Ultralight and NTAG, 003A Ultralight C, 003D Ultralight EV1).
 * Anything else that begins `3B 8n 80 01` speaks ISO/IEC 14443-4.
 */
export function tagTypeOfAtr(atr: string): TagType {
  const storage = /^3B8F8001804F0CA000000306(..)(....)/.exec(atr);
  if (storage !== null) {
    return storage[1] === '03' && /^00(?:03|3A|3D)$/.test(storage[2] ?? '') ? 'type2' : 'other';
  }
  return /^3B8[0-9A-F]8001/.test(atr) ? 'type4' : 'other';
}

/**
 * MIFARE DESFire EV1 to EV3: one historical byte, 80 (NXP AN10833: ATS `06 75 77 81 02 80`; PC/SC part 3, 3.1.3.2.3.1).
 * Such a card may be set to a random UID, as phones have it, and is none.
 */
export function isDesfireAtr(atr: string): boolean {
  return atr === '3B8180018080';
}

/** Page of a Type 2 tag that holds the capability container; data follows it (Type 2 Tag 1.1, 2.1). */
const containerPage = 3;
const pageBytes = 4;
const maxBytesPerRead = 16;

function* readType2(): Exchange<NdefReading> {
  const first = parseResponse(yield readPages(containerPage, maxBytesPerRead));
  if (first.kind === 'refused') return ndefRefused(first);
  if (first.data.length < maxBytesPerRead) return failed('short');
  const container = readType2Container(first.data);
  if (container.kind !== 'area') return container.kind === 'none' ? { state: 'none' } : failed('locked');
  const area = new Uint8Array(container.size);
  area.set(first.data.subarray(pageBytes, Math.min(maxBytesPerRead, pageBytes + container.size)));
  let have = Math.min(container.size, maxBytesPerRead - pageBytes);
  for (;;) {
    const walk = walkType2(area.subarray(0, have), container.size);
    if (walk.kind === 'message') return { state: 'read', bytes: area.slice(walk.from, walk.to) };
    if (walk.kind === 'none') return { state: 'none' };
    if (walk.kind === 'malformed') return failed('malformed');
    const length = Math.min(maxBytesPerRead, container.size - have);
    const response = parseResponse(yield readPages(containerPage + 1 + have / pageBytes, length));
    if (response.kind === 'refused') return ndefRefused(response);
    if (response.data.length < length) return failed('short');
    area.set(response.data.subarray(0, length), have);
    have += length;
  }
}

/** Id of the capability container file (Type 4 Tag 2.0, 5.1). */
const containerFile = [0xe1, 0x03] as const;

function* readType4(): Exchange<NdefReading> {
  const application = parseResponse(yield selectNdefApplication());
  if (application.kind === 'refused') return ndefRefused(application);
  const container = yield* readContainer();
  if ('state' in container) return container;
  const selected = parseResponse(yield selectFile(...container.id));
  if (selected.kind === 'refused') return ndefRefused(selected);
  const head = parseResponse(yield readFile(0, 2));
  if (head.kind === 'refused') return ndefRefused(head);
  const stated = readType4Length(head.data, container.size);
  if (stated.kind !== 'message') return stated.kind === 'none' ? { state: 'none' } : failed('malformed');
  const bytes = new Uint8Array(stated.length);
  for (let have = 0; have < bytes.length; ) {
    const length = Math.min(container.chunk, bytes.length - have);
    const response = parseResponse(yield readFile(2 + have, length));
    if (response.kind === 'refused') return ndefRefused(response);
    if (response.data.length !== length) return failed('short');
    bytes.set(response.data, have);
    have += length;
  }
  return { state: 'read', bytes };
}

type ContainerFile = Extract<ReturnType<typeof readType4Container>, { kind: 'file' }>;

function* readContainer(): Exchange<NdefReading | ContainerFile> {
  const selected = parseResponse(yield selectFile(...containerFile));
  if (selected.kind === 'refused') return ndefRefused(selected);
  const response = parseResponse(yield readFile(0, type4ContainerLength));
  if (response.kind === 'refused') return ndefRefused(response);
  const container = readType4Container(response.data);
  if (container.kind === 'file') return container;
  return container.kind === 'none' ? { state: 'none' } : failed('locked');
}

function failed(reason: string): NdefReading {
  return { state: 'failed', reason };
}

/** A card without the application, file or command has no NDEF message; everything else is a failure. */
function ndefRefused(response: Extract<CardResponse, { kind: 'refused' }>): NdefReading {
  return response.why === 'missing' || response.why === 'unsupported'
    ? { state: 'none' }
    : failed(response.why);
}
