/**
 * Reports this device to the hub: every 15 to 45 seconds, and at once after a change that staff must see.
 *
 * Invariants:
 * - Devices that began together, or lost their hub together, report at different times from the second report on.
 * - Uses its own connection, so that no fact waits for a report.
 * - A failed report is not retried, because the next one contains everything. The log has the first failure and the
 *   recovery.
 * - Reports nothing without a hub.
 */
import { z } from 'zod';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Clock, Log, Random } from '../../foundations/ports.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import { REPORT_EVERY_MS, REPORT_GAP_MS } from '../../foundations/time/times.ts';
import { concernOf, type HubReport } from './report.ts';

/** Commands as the hub sends them, in an answer or over its stream. */
export const commandsSchema = z.object({
  /** Signed commands for this device. */
  commands: z.array(z.string().max(4_000)).max(100).default([]),
});

/** The hub's answer to a report. */
type HubAnswer = z.infer<typeof commandsSchema>;

type PresencePorts = {
  readonly client: Pick<ApiClient, 'post'>;
  /** Whether this device is connected to a hub. May send a request to find out. */
  readonly isAtHub: (signal: AbortSignal) => Promise<boolean>;
  readonly read: () => HubReport;
  readonly onAnswer: (answer: HubAnswer) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

export type Presence = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Call it after a change of the device. */
  readonly changed: () => void;
};

/** The reports of one device. */
export function createPresence(ports: PresencePorts): Presence {
  const { client, isAtHub, read, onAnswer, clock, random, log } = ports;
  const waker = createWakeableSleep(clock);
  let told: string | null = null;
  let isUnheard = false;
  let dueAt = Number.NEGATIVE_INFINITY;

  const tell = async (report: HubReport, signal: AbortSignal): Promise<boolean> => {
    try {
      const answer = commandsSchema.safeParse(
        parseOrUndefined(await client.post('/hub/here', JSON.stringify(report), signal)),
      );
      if (isUnheard) log.info('reports to the hub succeed again');
      isUnheard = false;
      if (answer.success) onAnswer(answer.data);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (signal.aborted) return false;
      if (!isUnheard) log.info('reports to the hub fail', { why: error.message });
      isUnheard = true;
      return false;
    }
  };

  /** Sends a due report, and waits for the next reason to report. */
  const look = async (signal: AbortSignal): Promise<void> => {
    if (!(await isAtHub(signal))) {
      await waker.sleep(REPORT_EVERY_MS, signal);
      return;
    }
    const report = read();
    const concern = concernOf(report);
    if (concern !== told || clock.monotonic() >= dueAt) {
      const every = REPORT_EVERY_MS * (0.5 + random.fraction());
      dueAt = clock.monotonic() + every;
      // After a failure, a change does not shorten the wait.
      if (!(await tell(report, signal))) {
        await clock.sleep(every, signal);
        return;
      }
      told = concern;
    }
    await clock.sleep(REPORT_GAP_MS, signal);
    await waker.sleep(Math.max(0, dueAt - clock.monotonic()), signal);
  };

  return {
    run: async (signal) => {
      while (!signal.aborted) await look(signal);
    },
    changed: waker.wake,
  };
}
