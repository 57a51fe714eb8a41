/**
 * The embedded demo event: the platform service as a child process, with its data in our data folder.
 *
 * Invariants:
 * - it ends with this process, even after a kill;
 * - it is restarted at the same address, so a kiosk continues when it is back;
 * - its output never reaches our stdout.
 */
import { join } from 'node:path';
import type { Clock, Log } from '../core/foundations/ports.ts';
import { StartRefusal } from '../core/foundations/refusal.ts';

/** A running platform process, on plain Node.js or as Electron's utility process. */
export type PlatformProcess = {
  readonly onLine: (listener: (line: string) => void) => void;
  readonly onExit: (listener: (how: string) => void) => void;
  /** Asks it to shut down; `force` kills it. */
  readonly end: (force: boolean) => void;
};

export type DemoPlatform = {
  readonly baseUrl: string;
  readonly key: string;
  readonly expoId: string;
  /** The line that it prints when it serves. */
  readonly line: string;
  readonly stop: () => Promise<void>;
};

const ANNOUNCEMENT = /^Demo platform: (\S+) key (\S+) expo (\S+)$/;
const UP_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 1_000;
const END_WITHIN_MS = 700;

/** Starts the platform and waits until it serves. @throws {StartRefusal} when it does not */
export async function startDemoPlatform({
  clock,
  log,
  folder,
  spawn,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly folder: string;
  /** Starts the platform with these arguments. */
  readonly spawn: (args: readonly string[]) => PlatformProcess;
}): Promise<DemoPlatform> {
  const stopping = new AbortController();
  const args = (port: number) => {
    const data = ['--data', join(folder, 'platform'), '--log', join(folder, 'logs', 'platform.log')];
    return ['--port', String(port), '--seed', 'demo', '--late-registration', ...data];
  };
  let running = start(spawn(args(0)));
  const found = await upOrRefuse(running, clock);
  const port = Number(new URL(found.baseUrl).port);

  const keepUp = async (): Promise<void> => {
    for (;;) {
      const how = await running.ended;
      if (stopping.signal.aborted) return;
      log.warn('The demo platform ended and is started again', { how });
      await clock.sleep(AGAIN_AFTER_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      running = start(spawn(args(port)));
    }
  };
  const kept = keepUp();

  return {
    baseUrl: found.baseUrl,
    key: found.key,
    expoId: found.expoId,
    line: found.line,
    stop: async () => {
      stopping.abort();
      running.end(false);
      const timeout = new AbortController();
      void clock.sleep(END_WITHIN_MS, timeout.signal).then(() => running.end(true));
      await running.ended;
      timeout.abort();
      await kept;
    },
  };
}

type Running = {
  readonly announced: Promise<string>;
  readonly ended: Promise<string>;
  readonly end: (force: boolean) => void;
};

function start(child: PlatformProcess): Running {
  const ended = new Promise<string>((resolve) => child.onExit(resolve));
  const announced = new Promise<string>((resolve) =>
    child.onLine((line) => {
      if (ANNOUNCEMENT.test(line)) resolve(line);
    }),
  );
  return { announced, ended, end: child.end };
}

async function upOrRefuse(running: Running, clock: Clock): Promise<Omit<DemoPlatform, 'stop'>> {
  const timeout = new AbortController();
  const line = await Promise.race([
    running.announced,
    running.ended.then((how) => new StartRefusal('options', `The demo platform did not start: ${how}.`)),
    clock
      .sleep(UP_WITHIN_MS, timeout.signal)
      .then(() => new StartRefusal('options', 'The demo platform did not come up within a minute.')),
  ]);
  timeout.abort();
  if (typeof line !== 'string') {
    running.end(true);
    throw line;
  }
  const [, baseUrl = '', key = '', expoId = ''] = ANNOUNCEMENT.exec(line) ?? [];
  return { baseUrl, key, expoId, line };
}
