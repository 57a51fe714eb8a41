/**
 * The resources that processes use, from /proc of Linux.
 *
 * Invariants:
 * - Memory is the proportional share (PSS), so memory that several processes share counts once.
 * - For a server with child processes, all of them count.
 * - A process that has exited uses no resources.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second in /proc: 100 on every Linux that Debian builds. */
const TICKS = 100;
const EVERY_MS = 1_000;

export type Meter = {
  /** Processor time of all cores so far, in seconds. */
  readonly cpuSeconds: () => number;
  /** Maximum memory since the last call, in MB. */
  readonly takePeakMb: () => number;
  readonly stop: () => void;
};

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The fields of /proc/PID/stat after the name, which may contain spaces. */
const statOf = (pid: number): readonly string[] => {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => statOf(one)[1] === String(pid));

const ticksOf = (pid: number, withGone: boolean): number => {
  const [user = 0, system = 0, goneUser = 0, goneSystem = 0] = statOf(pid).slice(11, 15).map(Number);
  return user + system + (withGone ? goneUser + goneSystem : 0);
};

const mbOf = (pid: number): number =>
  Number(/^Pss: +(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

/** Measures the process `pid` from now on; `withChildren` includes the processes that it started. */
export const startMeter = (pid: number, withChildren = false): Meter => {
  const all = (): readonly number[] => [pid, ...(withChildren ? childrenOf(pid) : [])];
  let peakMb = 0;
  const look = (): void => {
    peakMb = Math.max(
      peakMb,
      all().reduce((sum, one) => sum + mbOf(one), 0),
    );
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return {
    cpuSeconds: () => all().reduce((sum, one) => sum + ticksOf(one, withChildren), 0) / TICKS,
    takePeakMb: () => {
      look();
      const taken = peakMb;
      peakMb = 0;
      return taken;
    },
    stop: () => clearInterval(timer),
  };
};
