/**
 * Entry of the reader process: nfc-pcsc with its native code, isolated and observed by the supervisor.
 *
 *     `start` ─► new NFC() ─► service answers? ─yes─► `up` ─► readers ─► reader-watch ... until the service is lost
 *                    ▲              │no: `absent`, late: `silent`                                   │
 *                    └──────────────┴───────────────────────────────────────────────────────────────┘
 *
 * Invariants:
 * - This process handles a service that starts, stops, hangs or is killed.
 * - Any other fault that cannot be repaired ends the process: it sends `exiting` and kills itself, because exit
 *   handlers would wait for commands that hang.
 * - A reader is `attached` with its first status word. After that every card is counted.
 * - nfc-pcsc's own handling of cards is switched off, because it drops failed connections and cards that were swapped
 *   while the thread was busy. This process observes the status words.
 */
import type { NFC, Reader } from 'nfc-pcsc';
import { realClock as clock } from '../../machine/real-time.ts';
import { faultOf, messageOf } from '../card/card-port.ts';
import { createPcscCard } from '../card/pcsc-card.ts';
import { type CardServiceAnswer, createServiceQuestion } from './card-service.ts';
import { type FromReader, type KnownStatus, parseToReader, toWire } from './messages.ts';
import { openParentChannel, type ParentChannel } from './parent-channel.ts';
import { createReaderWatch, type ReaderWatch } from './reader-watch.ts';

const heartbeatMs = 1000;
/** Interval of checks while the service is absent or hangs, and while it answers. */
const askAgainMs = 500;
const watchEveryMs = 1000;
/** Time for the channel to send the last message. */
const lastMessageMs = 30;

type Send = (message: FromReader) => void;

/** Sends the reason and ends this process. */
type Exit = (why: string) => Promise<never>;

/** State of the process: the channel to the supervisor, and the attached readers. */
type Process = {
  readonly send: Send;
  readonly exit: Exit;
  readonly watches: Map<string, ReaderWatch>;
  /** The last statuses of the previous process. Each is used the first time its reader appears. */
  readonly known: Map<string, KnownStatus>;
};

function main(channel: ParentChannel): void {
  const send: Send = (message) => channel.send(toWire(message));
  const exit: Exit = async (why) => {
    send({ kind: 'exiting', why: why.slice(0, 500) });
    await clock.sleep(lastMessageMs);
    return killSelf();
  };
  const self: Process = { send, exit, watches: new Map(), known: new Map() };

  channel.onEnd(killSelf);
  channel.onMessage((received) => {
    const message = parseToReader(received);
    if (message === null) send({ kind: 'warning', what: 'not a message', why: typeof received });
    else if (message.kind === 'feedback') self.watches.get(message.reader)?.feedback(message.what);
    else {
      for (const status of message.statuses) self.known.set(status.reader, status);
      void serve(self);
    }
  });
  send({ kind: 'heartbeat' });
  setInterval(() => send({ kind: 'heartbeat' }), heartbeatMs);
}

function killSelf(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

/** Opens the card service after each loss, for the life of this process. */
async function serve(self: Process): Promise<never> {
  const { send, known } = self;
  const native = await loadNative(send);
  if (native === null) return new Promise(() => undefined);
  const ask = createServiceQuestion(native.openServiceQuestion(), clock);
  // This variable is never read. It prevents garbage collection of a dead service's object
  // (packages/pcsclite/src/pcsclite.ts).
  const kept: NFC[] = [];
  for (;;) {
    const nfc = new native.NFC();
    const over = new AbortController();
    nfc.on('error', (error) => over.abort(error));
    nfc.on('reader', (reader: Reader) => watchReader(reader, self));
    const opened = createServiceQuestion(() => nfc.pcsc.started, clock);
    let state = await opened();
    if (state === 'silent') send({ kind: 'service', state });
    while (state === 'silent') state = await opened();
    if (state === 'up') {
      send({ kind: 'service', state });
      await watchService(ask, send, over.signal);
      kept.push(nfc);
    }
    // The counters of a lost service mean nothing to the next one.
    known.clear();
    reportLoss(over.signal.reason, self);
    await clock.sleep(askAgainMs);
  }
}

/**
 * Reports when the service hangs and when it answers again, because its clients do not notice. Runs until the service is
 * lost.
 */
async function watchService(
  ask: () => Promise<CardServiceAnswer>,
  send: Send,
  lost: AbortSignal,
): Promise<void> {
  let silent = false;
  while (!lost.aborted) {
    await clock.sleep(silent ? askAgainMs : watchEveryMs, lost);
    const state = await ask();
    if (lost.aborted || state === 'absent' || silent === (state === 'silent')) continue;
    silent = state === 'silent';
    send({ kind: 'service', state });
  }
}

/** Returns if the service was lost, so that the caller waits for it. Any other error ends the process. */
function reportLoss(error: unknown, { send, exit }: Process): void {
  switch (faultOf(error)) {
    case 'service':
      send({ kind: 'service', state: 'absent' });
      break;
    case 'denied':
      send({ kind: 'service', state: 'failing', why: messageOf(error).slice(0, 500) });
      break;
    default:
      void exit(`service: ${messageOf(error)}`);
  }
}

function watchReader(reader: Reader, { send, exit, watches, known }: Process): void {
  const { name, reader: native } = reader;
  let attached = false;
  const card = createPcscCard(reader);
  const stuck = () => void exit('a command to the card does not return');
  native.removeAllListeners('status');
  reader.autoProcessing = false;
  reader.on('error', (error) => void exit(`reader: ${messageOf(error)}`));
  reader.on('end', () => {
    watches.get(name)?.gone();
    watches.delete(name);
    if (attached) send({ kind: 'detached', reader: name });
  });
  const watch = createReaderWatch({ reader: name, card, clock, send, stuck, known: known.get(name) ?? null });
  known.delete(name);
  watches.set(name, watch);
  native.on('status', ({ state }) => {
    if (!attached) send({ kind: 'attached', reader: name });
    attached = true;
    watch.status(state);
  });
}

/** Loads nfc-pcsc. Its native part, or the library of the card service, may be missing. */
async function loadNative(send: Send) {
  try {
    const { openServiceQuestion } = await import('@pokusew/pcsclite');
    const { NFC } = await import('nfc-pcsc');
    return { openServiceQuestion, NFC };
  } catch (error) {
    // The first line of pcsc-mini's message names the binary, the second is the runtime's reason.
    const words = messageOf(error).split('\n').slice(0, 2).join(' ').slice(0, 350);
    send({ kind: 'service', state: 'failing', why: `the reader module cannot be loaded: ${words}` });
    return null;
  }
}

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else main(channel);
