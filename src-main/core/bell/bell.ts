/**
 * The device's ear for the bell of its box: it only shortens waits, polling stays underneath.
 *
 *     told where the bell is ► connect ► subscribe ► heard ► (connection gone) ► connect anew
 *
 * Invariants: whatever comes, garbage included, does no more than make a loop look sooner; who cannot know what was missed (a
 * new connection, a gap in the numbers, another run of the box, a connection that ended) looks at everything, and not all
 * devices at the same moment; without a bell nothing happens here at all.
 */
import type { Clock, Log, Random } from '../ports.ts';
import { backoffMs } from '../time/backoff.ts';
import { BELL_SPREAD_MS, IDLE_MS, RETRY } from '../time/times.ts';
import { createWakeableSleep } from '../time/wakeable-sleep.ts';
import { type BellKey, type BellLink, makeBellKey, openLink } from './link.ts';
import { ANY_LIST, type BellAddress, type Ring, readRing } from './ring.ts';

export type BellPorts = {
  /** How a server is reached; the network unless a test stands in. @throws Error where it is not */
  readonly open?: (url: string, key: BellKey) => Promise<BellLink>;
  /** This list of the event changed. */
  readonly onChanged: (list: string) => void;
  /** Anything of the event may have changed. */
  readonly onDoubt: () => void;
  /** The box wants a report. */
  readonly onAsked: () => void;
  /** The team handed something over. */
  readonly onTeam: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

export type Bell = {
  /** The key the box is to know this device by; makes it at the first call. */
  readonly prepare: () => Promise<void>;
  /** Its public half; null before it was made. */
  readonly publicKey: () => string | null;
  /** Where the box says that its bell is; null: it has none now. */
  readonly told: (address: BellAddress | null) => void;
  /** Whether what the box rings is heard here now. */
  readonly isHeard: () => boolean;
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** So many tries fail before it is said: the first may come before the box has told its server of the key. */
const TOLD_AFTER = 4;

/** The ear of one device. */
export function createBell(ports: BellPorts): Bell {
  const { open = openLink, onDoubt, clock, random, log } = ports;
  const waker = createWakeableSleep(clock);
  let key: BellKey | null = null;
  let address: BellAddress | null = null;
  let isHeard = false;
  let isInDoubt = false;

  const doubt = (): void => {
    isInDoubt = true;
    waker.wake();
  };

  /** Looks at everything, some moment of the spread from now: the whole fleet came to doubt at the same time. */
  const lookLater = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(random.fraction() * BELL_SPREAD_MS, signal);
    isInDoubt = false;
    onDoubt();
  };

  /** Hears what one connection brings, until it ends or the box tells of another place. @throws Error as `open` does */
  const hear = async (at: BellAddress, own: BellKey, signal: AbortSignal): Promise<void> => {
    const link = await open(at.url, own);
    let isOpen = true;
    void link.closed.then(() => {
      isOpen = false;
      waker.wake();
    });
    try {
      await listen(link, at, ports, doubt);
      isHeard = isOpen;
      if (isHeard) log.info('the bell of the box is heard');
      isInDoubt = isHeard;
      while (isOpen && address === at && !signal.aborted) {
        if (isInDoubt) await lookLater(signal);
        else await waker.sleep(IDLE_MS, signal);
      }
    } finally {
      await link.close();
      if (isHeard) log.info('the bell of the box is not heard any more');
    }
  };

  return {
    prepare: async () => {
      key ??= await makeBellKey();
    },
    publicKey: () => key?.publicKey ?? null,
    told: (now) => {
      if (JSON.stringify(now) === JSON.stringify(address)) return;
      address = now;
      waker.wake();
    },
    isHeard: () => isHeard,
    run: async (signal) => {
      let failures = 0;
      while (!signal.aborted) {
        if (address === null || key === null) {
          failures = 0;
          await waker.sleep(IDLE_MS, signal);
          continue;
        }
        failures += 1;
        try {
          await hear(address, key, signal);
        } catch (error) {
          if (failures === TOLD_AFTER)
            log.info('the bell of the box cannot be reached', { why: String(error) });
        }
        if (signal.aborted) return;
        if (isHeard) {
          failures = 1;
          isHeard = false;
          await lookLater(signal);
        }
        await clock.sleep(backoffMs(RETRY, failures, random.fraction()), signal);
      }
    },
  };
}

/** Subscribes to what is for this device. @throws Error where the connection is gone */
async function listen(
  link: BellLink,
  at: BellAddress,
  { onChanged, onAsked, onTeam }: BellPorts,
  onDoubt: () => void,
): Promise<void> {
  const numbers = createNumbers();
  link.subscribe(at.event, (subject, bytes) => {
    const ring = readRing(bytes);
    const place = ring === null ? 'again' : numbers.take(ring);
    if (place === 'again') return;
    const list = subject.slice(subject.lastIndexOf('.') + 1);
    if (place === 'gap' || list === ANY_LIST) onDoubt();
    else onChanged(list);
  });
  link.subscribe(at.device, onAsked);
  if (at.team != null) link.subscribe(at.team, onTeam);
  await link.settled();
}

/** What a number says after those before it: the next one, one that was heard, or one after some that were not. */
function createNumbers(): { readonly take: (ring: Ring) => 'next' | 'again' | 'gap' } {
  let last: Ring | null = null;
  return {
    take: (ring) => {
      const before = last;
      last = ring;
      if (before === null) return 'next';
      if (before.run !== ring.run) return 'gap';
      if (before.number === ring.number) return 'again';
      return ring.number === before.number + 1 ? 'next' : 'gap';
    },
  };
}
