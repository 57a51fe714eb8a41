/**
 * The byte ranges of a JSON list's entries, so that they can be stored unchanged. Pure.
 *
 * Invariant: for bytes that `JSON.parse` reads as a list, one range per entry, in order. For any other bytes the
 * result is meaningless. Source: RFC 8259, sections 2 and 7 (structural characters are single bytes in UTF-8).
 */

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKETS = { list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const;

/** Start and end (exclusive) of each entry in bytes: start, end, start, end, ... */
export function byteRangesOf(bytes: Uint8Array): readonly number[] {
  const ranges: number[] = [];
  let depth = 0;
  let start = -1;
  const close = (end: number): void => {
    if (start >= 0) ranges.push(start, end);
    start = -1;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte === BRACKETS.listEnd || byte === BRACKETS.objectEnd) {
      depth -= 1;
      if (depth === 0) close(at);
    } else if (byte === COMMA) {
      if (depth === 1) close(at);
    } else if (byte > SPACE) {
      if (depth === 1 && start < 0) start = at;
      if (byte === QUOTE) at = endOfString(bytes, at);
      else if (byte === BRACKETS.list || byte === BRACKETS.object) depth += 1;
    }
  }
  return ranges;
}

/** The index of the closing quote of the string that opens at `at`. */
function endOfString(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end;
}
