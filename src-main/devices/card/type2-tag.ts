/**
 * Reads a Type 2 tag (NTAG21x, Ultralight). The first pages contain the length of the message. The rest is read with
 * as few commands as the reader supports.
 *
 * Invariants:
 * - The invariants of `exchange.ts` hold.
 * - A refused bulk read is never repeated. The rest is read page by page.
 */

import type { NdefReading } from '../../core/foundations/badge/nfc-card.ts';
import { readType2Container, type Type2Walk, walkType2 } from '../../core/foundations/badge/type2-memory.ts';
import { type CardResponse, handThrough, parseResponse, parseThrough, readPages } from './apdu.ts';
import { type Exchange, failed, type MessageReading, ndefRefused, type ReadStrategy } from './exchange.ts';

/** Page of a Type 2 tag with the capability container. Data follows it (Type 2 Tag 1.1, 2.1). */
const containerPage = 3;
const pageBytes = 4;
/** READ always returns four pages (Type 2 Tag 1.1, 5.1). */
const smallBytes = 16;
/** Largest bulk read in bytes: complete pages that fit, with status words, into the 255 bytes of every buffer. */
const bulkBytes = 240;
/**
 * Smallest data area, in bytes, for which FAST_READ is used. Smaller tags (Ultralight) do not support it, and stop
 * answering after an unknown command (NXP MF0ICU1, 7.4).
 */
const smallestForFastRead = 144;

/** Reads the message of a Type 2 tag. */
export function* readType2(strategy: ReadStrategy): Exchange<MessageReading> {
  const first = parseResponse(yield readPages(containerPage, smallBytes));
  if (first.kind === 'refused') return { ndef: ndefRefused(first), bulk: 'fine' };
  if (first.data.length < smallBytes) return { ndef: failed('short'), bulk: 'fine' };
  const container = readType2Container(first.data);
  if (container.kind !== 'area') {
    return { ndef: container.kind === 'none' ? { state: 'none' } : failed('locked'), bulk: 'fine' };
  }
  const { size } = container;
  const area = new Uint8Array(size);
  area.set(first.data.subarray(pageBytes, Math.min(smallBytes, pageBytes + size)));
  const have = Math.min(size, smallBytes - pageBytes);
  return yield* readOn(area, have, strategy === 'through' && size < smallestForFastRead ? 'small' : strategy);
}

/** Reads more bytes into `area`, which already holds `begun` bytes, until the message in it is complete. */
function* readOn(area: Uint8Array, begun: number, strategy: ReadStrategy): Exchange<MessageReading> {
  let have = begun;
  let how = strategy;
  let bulk: MessageReading['bulk'] = 'fine';
  for (;;) {
    const walk = walkType2(area.subarray(0, have), area.length);
    if (walk.kind !== 'need') return { ndef: ndefOf(walk, area), bulk };
    const missing = walk.bytes - have;
    const inBulk = how !== 'small' && missing > smallBytes;
    const length = Math.min(inBulk ? bulkOf(missing) : smallBytes, area.length - have);
    const read: CardResponse = yield* readArea(have, length, inBulk ? how : 'small');
    if (read.kind === 'ok' && read.data.length >= length) {
      area.set(read.data.subarray(0, length), have);
      have += length;
    } else if (!inBulk) {
      return { ndef: read.kind === 'ok' ? failed('short') : ndefRefused(read), bulk };
    } else if (read.kind === 'refused' && read.why === 'lost') {
      return { ndef: failed('lost'), bulk: 'lost' };
    } else {
      how = 'small';
      bulk = 'refused';
    }
  }
}

function ndefOf(walk: Exclude<Type2Walk, { kind: 'need' }>, area: Uint8Array): NdefReading {
  switch (walk.kind) {
    case 'message':
      return { state: 'read', bytes: area.slice(walk.from, walk.to) };
    case 'none':
      return { state: 'none' };
    case 'malformed':
      return failed('malformed');
  }
}

/** Number of bytes in complete pages, limited to one bulk read. */
function bulkOf(bytes: number): number {
  return Math.min(Math.ceil(bytes / pageBytes) * pageBytes, bulkBytes);
}

/** Reads `length` bytes of the data area from offset `from`. Both are multiples of a page. */
function* readArea(from: number, length: number, strategy: ReadStrategy): Exchange<CardResponse> {
  const page = containerPage + 1 + from / pageBytes;
  if (strategy !== 'through') return parseResponse(yield readPages(page, length));
  return parseThrough(yield handThrough(fastRead(page, page + length / pageBytes - 1)));
}

/** NTAG21x data sheet, 10.3: FAST_READ, the first and the last page. */
function fastRead(first: number, last: number): Uint8Array {
  return Uint8Array.of(0x3a, first, last);
}
