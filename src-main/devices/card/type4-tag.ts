/**
 * Reads a Type 4 tag (DESFire, NTAG 424): the application, its capability container, then the NDEF file.
 *
 * Invariants:
 * - The invariants of `exchange.ts` hold.
 * - A refused bulk read is never repeated. The rest is read in small pieces.
 */

import type { NdefReading } from '../../core/foundations/badge/nfc-card.ts';
import {
  readType4Container,
  readType4Length,
  type4ContainerLength,
} from '../../core/foundations/badge/type4-file.ts';
import { type CardResponse, parseResponse, readFile, selectFile, selectNdefApplication } from './apdu.ts';
import { type Exchange, failed, type MessageReading, ndefRefused, type ReadStrategy } from './exchange.ts';

/** Id of the capability container file (Type 4 Tag 2.0, 5.1). */
const containerFile = [0xe1, 0x03] as const;
/** NLEN (Type 4 Tag 2.0, 5.2). */
const lengthBytes = 2;
/** Fits into 64 bytes together with the status word; every driver supports that. */
const smallBytes = 60;
/** Fits into the 255 bytes of every reader's buffer together with the status word. */
const bulkBytes = 240;

/** Reads the message of a Type 4 tag. */
export function* readType4(strategy: ReadStrategy): Exchange<MessageReading> {
  const container = yield* readContainer();
  if ('state' in container) return { ndef: container, bulk: 'fine' };
  const selected = parseResponse(yield selectFile(...container.id));
  if (selected.kind === 'refused') return { ndef: ndefRefused(selected), bulk: 'fine' };
  const small = Math.min(container.mostAnswer, smallBytes);
  // The first read includes the length, and for most badges the whole message. Some tags refuse to read beyond the
  // data.
  let head = parseResponse(yield readFile(0, Math.min(small, container.size)));
  if (head.kind === 'refused' && head.why !== 'lost') head = parseResponse(yield readFile(0, lengthBytes));
  if (head.kind === 'refused') return { ndef: ndefRefused(head), bulk: 'fine' };
  const stated = readType4Length(head.data, container.size);
  if (stated.kind !== 'message') {
    return { ndef: stated.kind === 'none' ? { state: 'none' } : failed('malformed'), bulk: 'fine' };
  }
  const bytes = new Uint8Array(stated.length);
  const begun = head.data.subarray(lengthBytes, lengthBytes + bytes.length);
  bytes.set(begun);
  return yield* readRest(bytes, begun.length, small, strategy === 'small' ? small : container.mostAnswer);
}

/** Fills `bytes` from offset `begun`, in pieces of `most` bytes, or of `small` bytes after a refusal. */
function* readRest(bytes: Uint8Array, begun: number, small: number, most: number): Exchange<MessageReading> {
  let have = begun;
  let atOnce = Math.min(most, bulkBytes);
  let bulk: MessageReading['bulk'] = 'fine';
  while (have < bytes.length) {
    const length = Math.min(atOnce, bytes.length - have);
    const read: CardResponse = parseResponse(yield readFile(lengthBytes + have, length));
    if (read.kind === 'ok' && read.data.length === length) {
      bytes.set(read.data, have);
      have += length;
    } else if (length <= small) {
      return { ndef: read.kind === 'ok' ? failed('short') : ndefRefused(read), bulk };
    } else if (read.kind === 'refused' && read.why === 'lost') {
      return { ndef: failed('lost'), bulk: 'lost' };
    } else {
      atOnce = small;
      bulk = 'refused';
    }
  }
  return { ndef: { state: 'read', bytes }, bulk };
}

type ContainerFile = Extract<ReturnType<typeof readType4Container>, { kind: 'file' }>;

function* readContainer(): Exchange<NdefReading | ContainerFile> {
  const application = parseResponse(yield selectNdefApplication());
  if (application.kind === 'refused') return ndefRefused(application);
  const selected = parseResponse(yield selectFile(...containerFile));
  if (selected.kind === 'refused') return ndefRefused(selected);
  const response = parseResponse(yield readFile(0, type4ContainerLength));
  if (response.kind === 'refused') return ndefRefused(response);
  const container = readType4Container(response.data);
  if (container.kind === 'file') return container;
  return container.kind === 'none' ? { state: 'none' } : failed('locked');
}
