/**
 * nats-server as a child of the box: found, started with a configuration in the data folder, started again when it ends.
 *
 *     looked for ► started ► ready ► (ended) ► looked for
 *
 * Invariants: it ends with the box, also when the box is killed; it keeps nothing, so there is nothing to lose; without it the
 * box works all the same, and says once what brings it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock, Log, Random } from '../../src-main/core/ports.ts';
import { backoffMs } from '../../src-main/core/time/backoff.ts';
import { RETRY } from '../../src-main/core/time/times.ts';

/** What is not installed is looked for this often. */
const LOOK_EVERY_MS = 10_000;
/** A server that ran so long did not fail at its start. */
const RAN_MS = 60_000;

export type NatsServerPorts = {
  /** Where the configuration is written. */
  readonly folder: string;
  /** Path of the program; null: there is none. */
  readonly find: () => string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Tells the person who started the box. */
  readonly say: (sentence: string) => void;
};

export type NatsServer = {
  /** From now on it has this configuration; one that runs reads it again, and keeps the connections of who stays. */
  readonly configure: (text: string) => void;
  /** Runs it until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** Path of the program: the one that was `named`, or where it is installed; null: it is not there. */
export function findNatsServer(named: string | null): string | null {
  // Debian's is in /usr/sbin, which only root has in its PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const files = named === null ? folders.map((folder) => join(folder, 'nats-server')) : [named];
  return files.find((file) => existsSync(file)) ?? null;
}

/** A server that is not started yet. */
export function createNatsServer(ports: NatsServerPorts): NatsServer {
  const { folder, find, clock, random, log, say } = ports;
  const file = join(folder, 'nats-server.conf');
  let ready: ChildProcess | null = null;
  let isStale = false;

  const readAgain = (): void => {
    if (ready === null || !isStale) return;
    isStale = false;
    ready.kill('SIGHUP');
  };

  /** Runs it once; answers its last words. */
  const runOnce = async (program: string, signal: AbortSignal): Promise<string> => {
    const child = start(program, file);
    // A signal before it is ready would end it.
    isStale = false;
    let last = '';
    const end = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', end, { once: true });
    createInterface({ input: child.stderr }).on('line', (line) => {
      last = line.slice(0, 300);
      if (!line.includes('Server is ready')) return;
      log.info('nats-server runs');
      ready = child;
      readAgain();
    });
    const error = once(child, 'error').then(([fault]) => String(fault));
    const closed = once(child, 'close').then(() => last);
    if (signal.aborted) end();
    const words = await Promise.race([closed, error]);
    ready = null;
    signal.removeEventListener('abort', end);
    return words;
  };

  return {
    configure: (text) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, text, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      isStale = true;
      readAgain();
    },
    run: async (signal) => {
      let failures = 0;
      let wasMissed = false;
      while (!signal.aborted) {
        const program = find();
        if (program === null) {
          if (!wasMissed) say(NOT_THERE);
          wasMissed = true;
          await clock.sleep(LOOK_EVERY_MS, signal);
          continue;
        }
        const startedAt = clock.monotonic();
        const words = await runOnce(program, signal);
        if (signal.aborted) return;
        failures = clock.monotonic() - startedAt > RAN_MS ? 1 : failures + 1;
        log.warn('nats-server ended; it is started again', { words });
        if (failures === 3) say(`nats-server does not run (${words}); devices poll until it does.`);
        await clock.sleep(backoffMs(RETRY, failures, random.fraction()), signal);
      }
    },
  };
}

const NOT_THERE =
  'There is no nats-server on this machine; Debian has it in the package nats-server. Devices poll until it is there.';

/** The kernel ends it when the box is gone, whatever ended the box; elsewhere than on Linux nobody does. */
function start(program: string, file: string) {
  const command = [program, '--config', file];
  const [first = program, ...rest] =
    process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM', ...command] : command;
  return spawn(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
}
