/**
 * What is asked of a card and what is made of its answers, as conversations: a generator yields a command and is
 * given the answer. Pure; never throws, whatever a card answers; strictly one command after the other.
 *
 * Invariants: every conversation ends, because each command moves forward inside a stated size; no command asks
 * past the size that the card's capability container names, which wedges some readers.
 */
import { readType2Container, walkType2 } from '../../core/badge/type2-memory.ts';
import { readType4Container, readType4Length, type4ContainerLength } from '../../core/badge/type4-file.ts';
import type { NdefReading } from '../../core/ports.ts';
import {
  type Answer,
  getUid,
  hexOf,
  type Refusal,
  readAnswer,
  readFile,
  readPages,
  selectFile,
  selectNdefApplication,
} from './apdu.ts';

/** A conversation: yields commands, receives raw answers, ends with `T`. */
export type Talk<T> = Generator<Uint8Array, T, Uint8Array>;

/** Most bytes a UID has; longer answers are garbage (ISO/IEC 14443-3: 10; FeliCa and ISO/IEC 15693: 8). */
const mostUidBytes = 16;

/** The UID, empty when the card has none to give; or why the card could not be asked. */
export type UidReading =
  | { readonly kind: 'uid'; readonly uid: string }
  | { readonly kind: 'failed'; readonly why: Refusal };

/** Asks for the UID; the same command for every type of card. */
export function* readUid(): Talk<UidReading> {
  const answer = readAnswer(yield getUid());
  if (answer.kind === 'ok') {
    return answer.data.length > mostUidBytes
      ? { kind: 'failed', why: 'garbage' }
      : { kind: 'uid', uid: hexOf(answer.data) };
  }
  return answer.why === 'unsupported' || answer.why === 'missing'
    ? { kind: 'uid', uid: '' }
    : { kind: 'failed', why: answer.why };
}

/** Reads the NDEF message of the kind of tag that the ATR announces. */
export function* readNdef(atr: string): Talk<NdefReading> {
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

/** Page of a Type 2 tag that holds the capability container; data follows it (Type 2 Tag 1.1, 2.1). */
const containerPage = 3;
const pageBytes = 4;
const mostBytesPerRead = 16;

function* readType2(): Talk<NdefReading> {
  const first = readAnswer(yield readPages(containerPage, mostBytesPerRead));
  if (first.kind === 'refused') return ndefRefused(first);
  if (first.data.length < mostBytesPerRead) return failed('short');
  const container = readType2Container(first.data);
  if (container.kind !== 'area') return container.kind === 'none' ? { state: 'none' } : failed('locked');
  const area = new Uint8Array(container.size);
  area.set(first.data.subarray(pageBytes, Math.min(mostBytesPerRead, pageBytes + container.size)));
  let have = Math.min(container.size, mostBytesPerRead - pageBytes);
  for (;;) {
    const walk = walkType2(area.subarray(0, have), container.size);
    if (walk.kind === 'message') return { state: 'read', bytes: area.slice(walk.from, walk.to) };
    if (walk.kind === 'none') return { state: 'none' };
    if (walk.kind === 'malformed') return failed('malformed');
    const length = Math.min(mostBytesPerRead, container.size - have);
    const answer = readAnswer(yield readPages(containerPage + 1 + have / pageBytes, length));
    if (answer.kind === 'refused') return ndefRefused(answer);
    if (answer.data.length < length) return failed('short');
    area.set(answer.data.subarray(0, length), have);
    have += length;
  }
}

/** Id of the capability container file (Type 4 Tag 2.0, 5.1). */
const containerFile = [0xe1, 0x03] as const;

function* readType4(): Talk<NdefReading> {
  const application = readAnswer(yield selectNdefApplication());
  if (application.kind === 'refused') return ndefRefused(application);
  const container = yield* readContainer();
  if ('state' in container) return container;
  const selected = readAnswer(yield selectFile(...container.id));
  if (selected.kind === 'refused') return ndefRefused(selected);
  const head = readAnswer(yield readFile(0, 2));
  if (head.kind === 'refused') return ndefRefused(head);
  const stated = readType4Length(head.data, container.size);
  if (stated.kind !== 'message') return stated.kind === 'none' ? { state: 'none' } : failed('malformed');
  const bytes = new Uint8Array(stated.length);
  for (let have = 0; have < bytes.length; ) {
    const length = Math.min(container.chunk, bytes.length - have);
    const answer = readAnswer(yield readFile(2 + have, length));
    if (answer.kind === 'refused') return ndefRefused(answer);
    if (answer.data.length !== length) return failed('short');
    bytes.set(answer.data, have);
    have += length;
  }
  return { state: 'read', bytes };
}

type ContainerFile = Extract<ReturnType<typeof readType4Container>, { kind: 'file' }>;

function* readContainer(): Talk<NdefReading | ContainerFile> {
  const selected = readAnswer(yield selectFile(...containerFile));
  if (selected.kind === 'refused') return ndefRefused(selected);
  const answer = readAnswer(yield readFile(0, type4ContainerLength));
  if (answer.kind === 'refused') return ndefRefused(answer);
  const container = readType4Container(answer.data);
  if (container.kind === 'file') return container;
  return container.kind === 'none' ? { state: 'none' } : failed('locked');
}

function failed(reason: string): NdefReading {
  return { state: 'failed', reason };
}

/** A card without the application, file or command has no NDEF message; everything else is a failure. */
function ndefRefused(answer: Extract<Answer, { kind: 'refused' }>): NdefReading {
  return answer.why === 'missing' || answer.why === 'unsupported' ? { state: 'none' } : failed(answer.why);
}
