/**
 * PIN attempts at the entry of the staff pages, and the delay after wrong ones.
 *
 * Invariants:
 * - An attempt is counted on disk before the PIN is checked, so a kill or a restart does not avoid the delay.
 * - After a restart the full delay starts again.
 * - The wall clock is not used.
 * - Attempts are checked one at a time.
 */
import type { SignIn, StaffState } from '../../../contract/staff.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { isKeptPin, keepPin } from './pin.ts';
import { createStaffFile, emptyRecord, type StaffFile, type StaffRecord } from './staff-file.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Delay after each number of consecutive failures. The last delays are so long that 10,000 attempts take months. */
const WAITS = [0, 0, 0, 5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE];
const LONGEST = 15 * MINUTE;

/** PINs of the demo, which are public, and the member who uses them. */
export type DemoStaff = { readonly pin: string; readonly technicianPin: string; readonly name: string };

type PinEntryPorts = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly file: StaffFile;
  /** Used if no PIN is set yet. Null outside the demo event. */
  readonly demo: DemoStaff | null;
};

type Attempt = { readonly answer: SignIn; readonly technician: boolean };

type PinEntry = {
  readonly state: () => Pick<StaffState, 'pin' | 'demo' | 'waitMs'>;
  /** Checks `pin` after all earlier attempts have finished. */
  readonly attempt: (pin: string) => Promise<Attempt>;
};

/** The PIN entry of one device. */
export function createPinEntry({ clock, log, file, demo }: PinEntryPorts): PinEntry {
  /** Failures that could not be written to disk. */
  let unwritten = 0;
  let since = clock.monotonic();
  let turn: Promise<unknown> = Promise.resolve();

  const wait = ({ failures }: StaffRecord): number => {
    const left = waitAfter(Math.max(failures, unwritten)) - (clock.monotonic() - since);
    return Math.max(0, Math.ceil(left));
  };
  const count = (now: StaffRecord, failures: number): void => {
    since = clock.monotonic();
    try {
      file.write({ ...now, failures });
      unwritten = 0;
    } catch (error) {
      unwritten = failures;
      log.warn('the count of wrong PINs could not be written', { error: String(error) });
    }
  };
  const look = async (pin: string): Promise<Attempt> => {
    const refused = (answer: SignIn): Attempt => ({ answer, technician: false });
    const now = file.read();
    if (now === 'damaged') return refused({ kind: 'damaged' });
    if (now.pin === null && demo === null) return refused({ kind: 'unset' });
    if (wait(now) > 0) return refused({ kind: 'wait', waitMs: wait(now) });
    const failures = Math.max(now.failures, unwritten) + 1;
    count(now, failures);
    const isStaff = await isPin(pin, now.pin, demo?.pin);
    const technician = await isPin(pin, now.technicianPin, demo?.technicianPin);
    if (!isStaff && !technician) return refused({ kind: 'wrong', waitMs: waitAfter(failures) });
    count(now, 0);
    return { answer: { kind: 'in' }, technician };
  };

  return {
    state: () => {
      const now = file.read();
      if (now === 'damaged') return { pin: 'damaged', demo: null, waitMs: 0 };
      const plain = now.pin === null ? demo : null;
      return {
        pin: now.pin === null && demo === null ? 'unset' : 'set',
        demo: plain && { pin: plain.pin, technicianPin: plain.technicianPin },
        waitMs: wait(now),
      };
    },
    attempt: (pin) => {
      const mine = turn.then(() => look(pin));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function isPin(pin: string, kept: StaffRecord['pin'], plain: string | undefined): Promise<boolean> {
  return kept === null ? pin === plain : isKeptPin(pin, kept);
}

/** Sets a new PIN and resets the failures, for the technician at the machine. The team is kept. */
export async function resetPin(
  folder: string,
  who: 'staff' | 'technician',
  pin: string,
  random: Pick<Random, 'bytes'>,
): Promise<void> {
  const file = createStaffFile(folder);
  const found = file.read();
  const kept = await keepPin(pin, random.bytes(16));
  const before = found === 'damaged' ? emptyRecord : found;
  file.write({ ...before, failures: 0, [who === 'staff' ? 'pin' : 'technicianPin']: kept });
}

/** Milliseconds between the latest of `failures` wrong PINs in a row and the next try. */
export function waitAfter(failures: number): number {
  return WAITS[failures] ?? LONGEST;
}
