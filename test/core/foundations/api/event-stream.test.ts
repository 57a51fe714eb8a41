/**
 * Server-sent events in pieces: the events are the same for any division of the bytes, and an incomplete event is
 * dropped.
 */
import { expect, it } from 'vitest';
import {
  createEventParser,
  EventTooLong,
  type ServerEvent,
} from '../../../../src-main/core/foundations/api/event-stream.ts';

const TEXT = [
  ': a comment\n\n',
  'event: hello\nid: e1.5\ndata: {"a":1}\n\n',
  'data: first\ndata:second\r\n\r\n',
  'event: changes\rid: e1.7\rdata: größe 😀\r\r',
  'event: empty\n\n',
  'other: 10\ndata\n\n',
].join('');
const BYTES = Buffer.from(TEXT);

const parse = (pieces: readonly Uint8Array[], most = 1_000): readonly ServerEvent[] => {
  const events: ServerEvent[] = [];
  const take = createEventParser(most, (event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
};

const WHOLE: readonly ServerEvent[] = [
  { name: 'hello', id: 'e1.5', data: '{"a":1}' },
  { name: 'message', id: 'e1.5', data: 'first\nsecond' },
  { name: 'changes', id: 'e1.7', data: 'größe 😀' },
  { name: 'message', id: 'e1.7', data: '' },
];

it('finds the same events wherever the bytes are divided', () => {
  expect(parse([BYTES])).toEqual(WHOLE);
  for (let cut = 0; cut <= BYTES.length; cut += 1)
    expect(parse([BYTES.subarray(0, cut), BYTES.subarray(cut)])).toEqual(WHOLE);
  expect(parse([...BYTES].map((byte) => Uint8Array.of(byte)))).toEqual(WHOLE);
});

it('drops an event without an end', () => {
  for (let cut = 0; cut < BYTES.length; cut += 1) {
    const events = parse([BYTES.subarray(0, cut)]);
    expect(events).toEqual(WHOLE.slice(0, events.length));
  }
});

it('ends a stream whose event is too long', () => {
  expect(() => parse([Buffer.from(`data: ${'x'.repeat(2_000)}`)])).toThrow(EventTooLong);
  const lines = Array.from({ length: 200 }, () => Buffer.from('data: 0123456789\n'));
  expect(() => parse(lines)).toThrow(EventTooLong);
});
