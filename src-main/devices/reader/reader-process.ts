/**
 * Entry of the reader process: nfc-pcsc, alone with its native code, watched by the supervisor.
 *
 * ```
 *   wait for `start` ─► card service there? ─no─► tell `absent`, ask again
 *                              │yes
 *                              ▼
 *                          new NFC() ─► readers ─► reader-watch ... until the service or a command is lost: `over`
 * ```
 *
 * Invariants: crash-only: this process never mends itself, it says `over` and kills itself, because closing native
 * readers can deadlock and exit handlers wait for hung commands. A reader is `attached` with its first status word and
 * not before: whoever hears it may trust that from then on every card is counted. nfc-pcsc's own handling of cards is switched off:
 * it drops failed connections and cards that were swapped while the thread was busy; we watch the status words.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { NFC, Reader } from 'nfc-pcsc';
import type { Clock } from '../../core/ports.ts';
import { messageOf } from '../card/card-port.ts';
import { createPcscCard } from '../card/pcsc-card.ts';
import { type FromReader, type KnownLook, readToReader, toWire } from './messages.ts';
import { openParentChannel, type ParentChannel } from './parent-channel.ts';
import { createReaderWatch, type ReaderWatch } from './reader-watch.ts';
import { isCardServiceUp } from './service-probe.ts';

const heartbeatMs = 1000;
const probeMs = 500;
const openAgainMs = 2000;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

function main(channel: ParentChannel): void {
  const watches = new Map<string, ReaderWatch>();
  const tell = (message: FromReader): void => channel.send(toWire(message));

  /** Says why, gives the line a moment to carry it, and ends. */
  const over = async (why: string, serviceLost: boolean): Promise<never> => {
    tell({ kind: 'over', why: why.slice(0, 500), serviceLost });
    await clock.sleep(30);
    return die();
  };

  const watchReader = (reader: Reader, looks: readonly KnownLook[]): void => {
    const { name, reader: raw } = reader;
    raw.removeAllListeners('status');
    reader.autoProcessing = false;
    reader.on('error', (error) => void over(`reader: ${messageOf(error)}`, true));
    reader.on('end', () => {
      watches.get(name)?.gone();
      watches.delete(name);
      if (attached) tell({ kind: 'detached', reader: name });
    });
    let attached = false;
    const watch = createReaderWatch({
      reader: name,
      card: createPcscCard(reader),
      clock,
      tell,
      stuck: () => void over('a command to the card does not come back', false),
      known: looks.find((look) => look.reader === name) ?? null,
    });
    watches.set(name, watch);
    raw.on('status', (status: { readonly state: number; readonly atr?: Uint8Array }) => {
      if (!attached) tell({ kind: 'attached', reader: name });
      attached = true;
      watch.status(status.state, status.atr);
    });
  };

  const begin = async (looks: readonly KnownLook[]): Promise<void> => {
    const Nfc = await loadNfc(tell);
    if (Nfc === null) return;
    while (!(await isCardServiceUp())) {
      tell({ kind: 'service', state: 'absent' });
      await clock.sleep(probeMs);
    }
    const nfc = openNfc(Nfc);
    if (nfc instanceof Error) {
      tell({ kind: 'service', state: 'failing', why: nfc.message });
      await clock.sleep(openAgainMs);
      return over(nfc.message, true);
    }
    nfc.on('error', (error) => void over(`service: ${messageOf(error)}`, true));
    nfc.on('reader', (reader: Reader) => watchReader(reader, looks));
    tell({ kind: 'service', state: 'up' });
  };

  channel.onEnd(die);
  channel.onMessage((received) => {
    const message = readToReader(received);
    if (message === null) tell({ kind: 'trouble', what: 'not a message', why: typeof received });
    else if (message.kind === 'start') void begin(message.looks);
    else watches.get(message.reader)?.feedback(message.what);
  });
  tell({ kind: 'alive' });
  setInterval(() => tell({ kind: 'alive' }), heartbeatMs);
}

/** Loads nfc-pcsc; its native half may be missing or built for another Node. */
async function loadNfc(tell: (message: FromReader) => void): Promise<(new () => NFC) | null> {
  try {
    const module = await import('nfc-pcsc');
    return module.NFC;
  } catch (error) {
    const why = messageOf(error).split('\n')[0]?.slice(0, 400) ?? '';
    tell({ kind: 'service', state: 'failing', why: `the reader module cannot be loaded: ${why}` });
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
