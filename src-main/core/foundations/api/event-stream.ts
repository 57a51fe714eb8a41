/**
 * Server-sent events parsed piece by piece as they arrive
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 *
 * Invariants:
 * - Only complete events are delivered. An incomplete event at the end of the stream is dropped.
 * - Memory is bounded: an event longer than `most` characters ends the stream.
 */

/** One event. `id`: the latest id so far, of this or an earlier event. */
export type ServerEvent = { readonly name: string; readonly id: string; readonly data: string };

/** Thrown for an event that is too long. */
export class EventTooLong extends Error {
  readonly code = 'EVENT_TOO_LONG';
}

/**
 * A function that receives the bytes of one stream as they arrive, and calls `onEvent` for each event.
 *
 * @throws EventTooLong
 */
export function createEventParser(
  most: number,
  onEvent: (event: ServerEvent) => void,
): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let name = '';
  let id = '';
  let data: string[] = [];
  let length = 0;

  const takeLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onEvent({ name: name || 'message', id, data: data.join('\n') });
      name = '';
      data = [];
      length = 0;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'data') {
      data.push(value);
      length += value.length;
    }
  };

  return (bytes) => {
    rest += decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be the first half of CRLF.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + rest.slice(end);
    for (const line of lines) takeLine(line);
    if (rest.length + length > most) throw new EventTooLong('an event of the stream is too long');
  };
}
