/**
 * Entry of the reader process: nfc-pcsc, alone with its native code, watched by the supervisor.
 *
 * ```
 *   wait for `start` ─► card service answers? ─no─► send `absent` or `silent`, ask again
 *                              │yes
 *                              ▼
 *                          new NFC() ─► readers ─► reader-watch ... until the service or a command is lost: `exiting`
 * ```
 *
 * Invariants: crash-only: this process never repairs itself, it sends `exiting` and kills itself, because closing
 * native readers can deadlock and exit handlers wait for hung commands. A reader is `attached` with its first status
 * word and not before: from then on every card is counted. nfc-pcsc's own handling of cards is switched off: it drops
 * failed connections and cards that were swapped while the thread was busy; we watch the status words.
 */
import type { NFC, Reader } from 'nfc-pcsc';
import { realClock as clock } from '../../machine/real-time.ts';
import { messageOf } from '../card/card-port.ts';
import { createPcscCard } from '../card/pcsc-card.ts';
import { type FromReader, type KnownStatus, parseToReader, toWire } from './messages.ts';
import { moduleFault } from './module-fault.ts';
import { openParentChannel, type ParentChannel } from './parent-channel.ts';
import { createReaderWatch, type ReaderWatch } from './reader-watch.ts';
import { askCardService } from './service-probe.ts';

const heartbeatMs = 1000;
/** Between two questions to a card service that is not there, or hangs; and to one that answers. */
const askAgainMs = 500;
const watchEveryMs = 1000;
const reopenAfterMs = 2000;
/** For the channel to carry the last message. */
const lastMessageMs = 30;

type Send = (message: FromReader) => void;

/** Sends why, and ends this process. */
type Exit = (why: string, serviceLost: boolean) => Promise<never>;

function main(channel: ParentChannel): void {
  const watches = new Map<string, ReaderWatch>();
  const send: Send = (message) => channel.send(toWire(message));
  const exit: Exit = async (why, serviceLost) => {
    send({ kind: 'exiting', why: why.slice(0, 500), serviceLost });
    await clock.sleep(lastMessageMs);
    return killSelf();
  };

  channel.onEnd(killSelf);
  channel.onMessage((received) => {
    const message = parseToReader(received);
    if (message === null) send({ kind: 'warning', what: 'not a message', why: typeof received });
    else if (message.kind === 'start') void open(message.statuses, watches, send, exit);
    else watches.get(message.reader)?.feedback(message.what);
  });
  send({ kind: 'heartbeat' });
  setInterval(() => send({ kind: 'heartbeat' }), heartbeatMs);
}

function killSelf(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

/** Waits for the card service, opens it and watches every reader that comes. */
async function open(
  statuses: readonly KnownStatus[],
  watches: Map<string, ReaderWatch>,
  send: Send,
  exit: Exit,
): Promise<void> {
  const Nfc = await loadNfc(send);
  if (Nfc === null) return;
  await untilServiceAnswers(send);
  const nfc = openNfc(Nfc);
  if (nfc instanceof Error) {
    send({ kind: 'service', state: 'failing', why: nfc.message });
    await clock.sleep(reopenAfterMs);
    return exit(nfc.message, true);
  }
  nfc.on('error', (error) => void exit(`service: ${messageOf(error)}`, true));
  nfc.on('reader', (reader: Reader) => {
    const known = statuses.find((status) => status.reader === reader.name) ?? null;
    watchReader(reader, known, watches, send, exit);
  });
  send({ kind: 'service', state: 'up' });
  void watchService(send);
}

async function untilServiceAnswers(send: Send): Promise<void> {
  for (;;) {
    const state = await askCardService();
    if (state === 'up') return;
    send({ kind: 'service', state });
    await clock.sleep(askAgainMs);
  }
}

/**
 * Reports a service that hangs and that answers again, within five seconds: its clients only wait, and hear of neither.
 * That it is gone they hear.
 */
async function watchService(send: Send): Promise<void> {
  let silent = false;
  for (;;) {
    await clock.sleep(silent ? askAgainMs : watchEveryMs);
    const state = await askCardService();
    if (state === 'absent' || silent === (state === 'silent')) continue;
    silent = state === 'silent';
    send({ kind: 'service', state });
  }
}

function watchReader(
  reader: Reader,
  known: KnownStatus | null,
  watches: Map<string, ReaderWatch>,
  send: Send,
  exit: Exit,
): void {
  const { name, reader: raw } = reader;
  let attached = false;
  const card = createPcscCard(reader);
  const stuck = () => void exit('a command to the card does not come back', false);
  raw.removeAllListeners('status');
  reader.autoProcessing = false;
  reader.on('error', (error) => void exit(`reader: ${messageOf(error)}`, true));
  reader.on('end', () => {
    watches.get(name)?.gone();
    watches.delete(name);
    if (attached) send({ kind: 'detached', reader: name });
  });
  const watch = createReaderWatch({ reader: name, card, clock, send, stuck, known });
  watches.set(name, watch);
  raw.on('status', (status: { readonly state: number; readonly atr?: Uint8Array }) => {
    if (!attached) send({ kind: 'attached', reader: name });
    attached = true;
    watch.status(status.state, status.atr);
  });
}

/** Loads nfc-pcsc; its native half may be missing or built for another Node. */
async function loadNfc(send: Send): Promise<(new () => NFC) | null> {
  try {
    const module = await import('nfc-pcsc');
    return module.NFC;
  } catch (error) {
    send({ kind: 'service', state: 'failing', why: moduleFault(messageOf(error)) });
    return null;
  }
}

function openNfc(Nfc: new () => NFC): NFC | Error {
  try {
    return new Nfc();
  } catch (error) {
    return new Error(messageOf(error).slice(0, 500));
  }
}

const channel = openParentChannel();
if (channel === null) process.exitCode = 2;
else main(channel);
