/** A fake reader. It sends its supervisor the messages of a real one, and the test places a card on it. */
import { type FromReader, toWire } from '../../../src-main/devices/reader/messages.ts';
import { openParentChannel } from '../../../src-main/devices/reader/parent-channel.ts';

const channel = openParentChannel();
const send = (message: FromReader) => channel?.send(toWire(message));
const reader = 'Stand-in reader';
let counter = 0;
let started = false;
/** UIDs of the cards that were placed before the supervisor sent `start`. */
const early: string[] = [];

channel?.onEnd(() => process.exit(1));
channel?.onMessage((message) => {
  const { kind, uid = '' } = message as { kind: string; uid?: string };
  if (kind === 'start') {
    send({ kind: 'service', state: 'up' });
    send({ kind: 'attached', reader });
    send({ kind: 'empty', reader, counter });
    started = true;
    for (const one of early) tap(one);
  }
  if (kind === 'tap' && started) tap(uid);
  else if (kind === 'tap') early.push(uid);
});

function tap(uid: string): void {
  counter += 1;
  const insertion = counter;
  send({ kind: 'inserted', reader, insertion, counter });
  send({ kind: 'card', reader, insertion, card: { uid, atr: '3B00', ndef: { state: 'none' } } });
  counter += 1;
  send({ kind: 'removed', reader, insertion, counter });
}

setInterval(() => send({ kind: 'heartbeat' }), 1_000);
