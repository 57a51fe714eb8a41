/**
 * The rehearsal of one device: the steps in progress, the readings of the device, and the sheet at the end.
 *
 *   taps and readings ─► judge (pure) ─► rehearsal.json ─► pages      all steps ended ─► rehearsals/…json
 *
 * Invariants:
 * - taps are samples and faults are injected only while a page shows the rehearsal;
 * - every sample is undone in the same way as a visitor undoes a tap; the sheet counts samples that could not be undone;
 * - each change is written to disk, so a killed app resumes the rehearsal.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { EventPublisher, implement, ORPCError } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import {
  type RehearsalHint,
  type RehearsalSheet,
  type RehearsalState,
  type RehearsalStep,
  rehearsalCalls,
} from '../contract/rehearsal.ts';
import { rehearsalStepNames } from '../contract/rehearsal-steps.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Clock, Log } from '../core/foundations/ports.ts';
import type { Asker } from '../core/router.ts';
import { worstOf } from '../core/stand/health/health.ts';
import { HEARTBEAT_FILE } from '../core/stand/health/heartbeat.ts';
import type { Staff } from '../core/team/staff/staff.ts';
import {
  type Judged,
  judgeReading,
  judgeTap,
  newStep,
  phaseOf,
  presentStep,
  type Reading,
  type StepStart,
  verdictOf,
} from './judge.ts';
import { keepSheet, type RehearsalRecord, readRecord, readSheets, writeRecord } from './rehearsal-files.ts';

/** The parts of the kiosk that a rehearsal uses. */
export type RehearsedKiosk = {
  readonly state: () => DeviceState;
  readonly health: () => Health;
  readonly undo: (factId: string) => boolean;
  readonly lookAgain: () => void;
};

export type RehearsalService = {
  /** `samples`: taps are samples while this page watches. */
  readonly watch: (samples: boolean, signal: AbortSignal | undefined) => AsyncGenerator<RehearsalState>;
  readonly begin: () => boolean;
  readonly skip: (step: RehearsalStep['name'], reason: string) => boolean;
  readonly drop: () => boolean;
  readonly sheet: (id: string) => RehearsalSheet | null;
  /** Receives the outcome of every tap. Returns true for a sample, whose outcome no page receives. */
  readonly take: (event: TapEvent) => boolean;
  /** The disk fault to simulate now. */
  readonly diskFault: () => 'full' | null;
  /** The clock error to simulate now, in milliseconds. */
  readonly clockOff: () => number;
};

const READ_EVERY_MS = 300;
const CLOCK_OFF_MS = 600_000;
const SAMPLES: ReadonlySet<TapEvent['kind']> = new Set([
  'reading',
  'captured',
  'notAdmitted',
  'notRead',
  'refused',
  'failed',
  'undone',
  'removed',
]);

/**
 * The rehearsal of one device. It resumes what an earlier run began. `run`: id of this run of the app; `kiosk`: null
 * while there is none. Call it before this run writes its first heartbeat.
 */
export function createRehearsal({
  folder,
  clock,
  log,
  version,
  run,
  kiosk,
}: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly run: string;
  readonly kiosk: () => RehearsedKiosk | null;
}): RehearsalService {
  const publisher = new EventPublisher<{ change: null }>();
  const previousRun = readPreviousRun(folder, clock.now());
  let record = readRecord(folder);
  let hint: RehearsalHint | null = null;
  let rehearsingPages = 0;
  let lastReadAt = clock.monotonic();

  const present = () => (record === null ? null : presentStep(record.drill.steps));

  const isIn = (name: RehearsalStep['name'], phase: string): boolean => {
    const step = rehearsingPages === 0 ? null : present();
    return step?.name === name && phaseOf(step) === phase;
  };

  const startOfStep = (): StepStart => ({
    run,
    captured: kiosk()?.state().delivery.captured ?? 0,
    onlineMs: 0,
  });

  const currentState = (): RehearsalState => ({
    drill: record?.drill ?? null,
    hint,
    sheets: readSheets(folder).map(({ id, endedAt, verdict, version: of }) => ({
      id,
      endedAt,
      verdict,
      version: of,
    })),
  });

  /** Writes the record to disk; false when the disk refused it. */
  const persist = (next: RehearsalRecord | null): boolean => {
    try {
      writeRecord(folder, next);
      record = next;
      return true;
    } catch (error) {
      log.error('the rehearsal could not be written', { error: String(error) });
      return false;
    } finally {
      publisher.publish('change', null);
    }
  };

  const apply = ({ step, hint: nextHint }: Judged): void => {
    if (record === null) return;
    const isUnchanged = record.drill.steps.includes(step);
    if (isUnchanged && (nextHint === null || nextHint === hint)) return;
    hint = nextHint;
    if (isUnchanged) {
      publisher.publish('change', null);
      return;
    }
    const steps = record.drill.steps.map((one) => (one.name === step.name ? step : one));
    persist({
      drill: { ...record.drill, steps },
      begun: step.state === 'waiting' ? record.begun : startOfStep(),
      pending: record.pending,
    });
    // A simulated fault begins or ends here. An early poll makes the kiosk detect it soon.
    kiosk()?.lookAgain();
  };

  /** Adds a sample to the list of samples to undo, or removes one that was undone. */
  const followSample = (event: TapEvent): void => {
    if (record === null) return;
    if (event.kind === 'captured') persist({ ...record, pending: [...record.pending, event.factId] });
    const gone = event.kind === 'undone' || event.kind === 'refused' ? event.factId : undefined;
    if (gone !== undefined && record.pending.includes(gone)) {
      persist({ ...record, pending: record.pending.filter((factId) => factId !== gone) });
    }
  };

  const undoSamples = (): void => {
    const present = kiosk();
    if (present === null || isIn('disk', 'refused')) return;
    // The event `undone` removes the sample from the list of samples to undo.
    for (const factId of record?.pending ?? []) present.undo(factId);
  };

  const end = (ended: RehearsalRecord, { state, health }: RehearsedKiosk): void => {
    const device = state();
    const checked = health();
    const { id, startedAt, version: of, steps } = ended.drill;
    const sheet: RehearsalSheet = {
      id,
      startedAt,
      version: of,
      steps,
      endedAt: clock.now(),
      health: checked,
      verdict: verdictOf(steps, worstOf(checked.checks)),
      device: device.deviceName,
      partner: device.partner?.name ?? null,
      event: device.event?.name ?? null,
      leftOver: ended.pending.length,
    };
    try {
      keepSheet(folder, sheet);
      log.info('a rehearsal ended', { verdict: sheet.verdict });
      persist(null);
    } catch (error) {
      log.error('the sheet of a rehearsal could not be written', { error: String(error) });
    }
  };

  const readDevice = ({ state, health }: RehearsedKiosk): Reading => {
    const device = state();
    const { due, inFlight, uncertain, captured } = device.delivery;
    const { checks, verdict } = health();
    return {
      now: clock.now(),
      cardService: device.cardService,
      readers: device.readers.length,
      network: device.network,
      waiting: due + inFlight + uncertain,
      storage: device.storage,
      isFit: verdict !== 'noGo',
      clock: {
        isNoGo: checks.find(({ name }) => name === 'clock')?.verdict === 'noGo',
        isKnown: device.clock.offsetMs !== null,
      },
      noPeople: device.mirror.resources.some(
        ({ name, refused, count }) => name === 'visitors' && refused === true && count === 0,
      ),
      captured,
      run,
      wasKilled: previousRun.wasKilled,
      downMs: previousRun.downMs,
    };
  };

  const judgeNow = (): void => {
    const passed = clock.monotonic() - lastReadAt;
    lastReadAt += passed;
    const rehearsed = kiosk();
    if (record === null || rehearsed === null) return;
    undoSamples();
    const step = presentStep(record.drill.steps);
    if (step === null) {
      end(record, rehearsed);
      return;
    }
    const reading = readDevice(rehearsed);
    const counts = step.name === 'clock' && reading.network === 'online';
    const begun = { ...record.begun, onlineMs: record.begun.onlineMs + (counts ? passed : 0) };
    record = { ...record, begun };
    apply(judgeReading(step, reading, begun));
  };

  const judgeUntil = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      judgeNow();
      await clock.sleep(READ_EVERY_MS, signal);
    }
  };

  return {
    watch: async function* (samples, signal) {
      const ended = new AbortController();
      const counts = samples ? 1 : 0;
      rehearsingPages += counts;
      lastReadAt = clock.monotonic();
      try {
        const changes = publisher.subscribe('change', {
          ...(signal === undefined ? {} : { signal }),
          maxBufferedEvents: 1,
        });
        if (samples) void judgeUntil(ended.signal);
        yield currentState();
        for await (const _change of changes) yield currentState();
      } finally {
        ended.abort();
        rehearsingPages -= counts;
      }
    },
    begin: () => {
      if (record !== null || kiosk() === null) return false;
      hint = null;
      const startedAt = clock.now();
      const id = new Date(startedAt).toISOString().slice(0, 19).replaceAll(':', '-');
      const drill = { id, startedAt, version, steps: rehearsalStepNames.map(newStep) };
      return persist({ drill, begun: startOfStep(), pending: [] });
    },
    skip: (name, reason) => {
      const step = present();
      if (step?.name !== name) return false;
      apply({ step: { ...step, state: 'skipped', reason, at: clock.now() }, hint: null });
      return true;
    },
    drop: () => {
      if (record === null) return false;
      undoSamples();
      return persist(null);
    },
    sheet: (id) => readSheets(folder).find((one) => one.id === id) ?? null,
    take: (event) => {
      if (rehearsingPages === 0 || record === null || !SAMPLES.has(event.kind)) return false;
      followSample(event);
      const step = present();
      if (step !== null) apply(judgeTap(step, event));
      return true;
    },
    diskFault: () => (isIn('disk', 'refused') ? 'full' : null),
    // All samples are undone first, so that no fact carries the wrong time.
    clockOff: () => (isIn('clock', 'noticed') && record?.pending.length === 0 ? CLOCK_OFF_MS : 0),
  };
}

/** Answers the rehearsal's calls of the contract, for a technician only: a rehearsal takes taps and injects faults. */
export function createRehearsalRouter(rehearsal: RehearsalService, staff: Pick<Staff, 'session'>) {
  const os = implement(rehearsalCalls)
    .$context<Asker>()
    .use(({ context: { page }, next }) => {
      if (staff.session(page)?.technician !== true) throw new ORPCError('UNAUTHORIZED');
      return next();
    });
  return {
    watch: os.watch.handler(({ input, signal }) => rehearsal.watch(input.samples, signal)),
    begin: os.begin.handler(() => ({ begun: rehearsal.begin() })),
    skip: os.skip.handler(({ input }) => ({ skipped: rehearsal.skip(input.step, input.reason) })),
    drop: os.drop.handler(() => ({ dropped: rehearsal.drop() })),
    sheet: os.sheet.handler(({ input }) => rehearsal.sheet(input.id)),
  };
}

/** How the previous run of the app ended. A run that shuts down removes its heartbeat. `downMs`: since that heartbeat. */
function readPreviousRun(
  folder: string,
  now: number,
): { readonly wasKilled: boolean; readonly downMs: number | null } {
  const heartbeat = statSync(join(folder, HEARTBEAT_FILE), { throwIfNoEntry: false });
  return heartbeat === undefined
    ? { wasKilled: false, downMs: null }
    : { wasKilled: true, downMs: Math.max(0, now - heartbeat.mtimeMs) };
}
