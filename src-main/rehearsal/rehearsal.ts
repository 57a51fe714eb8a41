/**
 * The rehearsal of one device: what is under way, what the device shows meanwhile, and the sheet at the end.
 *
 *   taps and looks ─► judge (pure) ─► rehearsal.json ─► pages      all steps ended ─► rehearsals/…json
 *
 * Invariants: only while a page rehearses is a tap a sample and a fault made, so that nothing of it is left when everybody has
 * gone; every sample is taken back by the same undo a visitor has; what cannot be is counted on the sheet; the state is on disk
 * after every change, so that a killed app goes on where it was.
 */
import { EventPublisher } from '@orpc/server';
import type { DeviceState } from '../contract/device.ts';
import type { Health } from '../contract/health.ts';
import type { RehearsalHint, RehearsalSheet, RehearsalState, RehearsalStep } from '../contract/rehearsal.ts';
import { rehearsalStepNames } from '../contract/rehearsal-steps.ts';
import type { TapEvent } from '../contract/tap.ts';
import type { Clock, Log } from '../core/foundations/ports.ts';
import { worstOf } from '../core/stand/health/health.ts';
import { type Drill, keepSheet, readDrill, readSheets, writeDrill } from './drill-files.ts';
import { type Judged, judgeSight, judgeTap, newStep, phaseOf, presentStep, type Sight } from './judge.ts';

/** What is asked of the kiosk. */
export type RehearsedKiosk = {
  readonly state: () => DeviceState;
  readonly health: () => Health;
  readonly undo: (factId: string) => boolean;
  readonly lookAgain: () => void;
};

export type RehearsalPorts = {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Names this run of the app. */
  readonly run: string;
  /** The run before did not end by itself; `downMs`: how long nothing ran. */
  readonly before: { readonly wasKilled: boolean; readonly downMs: number | null };
  readonly kiosk: () => RehearsedKiosk | null;
};

export type RehearsalService = {
  /** `samples`: whoever watches rehearses. */
  readonly watch: (samples: boolean, signal: AbortSignal | undefined) => AsyncGenerator<RehearsalState>;
  readonly begin: () => boolean;
  readonly skip: (step: RehearsalStep['name'], reason: string) => boolean;
  readonly drop: () => boolean;
  readonly sheet: (id: string) => RehearsalSheet | null;
  /** Hears what came of a tap; true where it is a sample, and no page is to be told. */
  readonly take: (event: TapEvent) => boolean;
  /** The fault the disk is to have now. */
  readonly diskFault: () => 'full' | null;
  /** How far the clock is to be wrong now, in milliseconds. */
  readonly clockOff: () => number;
};

const LOOK_EVERY_MS = 300;
const CLOCK_OFF_MS = 600_000;
const SAMPLES: ReadonlySet<TapEvent['kind']> = new Set([
  ...(['reading', 'captured', 'notAdmitted', 'notRead', 'refused', 'failed', 'undone', 'removed'] as const),
]);

/** What is under way, in one device; a record of its service. */
type Course = {
  readonly ports: RehearsalPorts;
  readonly news: EventPublisher<{ change: null }>;
  drill: Drill | null;
  hint: RehearsalHint | null;
  watching: number;
  lookedAt: number;
};

/** The rehearsal of one device; what an earlier run began goes on. */
export function createRehearsal(ports: RehearsalPorts): RehearsalService {
  const { folder, clock } = ports;
  const news = new EventPublisher<{ change: null }>();
  const course: Course = {
    ...{ ports, news, drill: readDrill(folder), hint: null, watching: 0 },
    lookedAt: clock.monotonic(),
  };
  const present = () => (course.drill === null ? null : presentStep(course.drill.drill.steps));
  return {
    watch: async function* (samples, signal) {
      const ended = new AbortController();
      const counts = samples ? 1 : 0;
      course.watching += counts;
      course.lookedAt = clock.monotonic();
      try {
        const changes = news.subscribe('change', { ...(signal ? { signal } : {}), maxBufferedEvents: 1 });
        if (samples) void lookNowAndThen(course, ended.signal);
        yield stateOf(course);
        for await (const _change of changes) yield stateOf(course);
      } finally {
        ended.abort();
        course.watching -= counts;
      }
    },
    begin: () => {
      if (course.drill !== null || ports.kiosk() === null) return false;
      course.hint = null;
      const startedAt = clock.now();
      const id = new Date(startedAt).toISOString().slice(0, 19).replaceAll(':', '-');
      const drill = { id, startedAt, version: ports.version, steps: rehearsalStepNames.map(newStep) };
      return keep(course, { drill, begun: begunNow(course), pending: [] });
    },
    skip: (name, reason) => {
      const step = present();
      if (step?.name !== name) return false;
      settle(course, { step: { ...step, state: 'skipped', reason, at: clock.now() }, hint: null });
      return true;
    },
    drop: () => {
      if (course.drill === null) return false;
      takeBack(course);
      return keep(course, null);
    },
    sheet: (id) => readSheets(folder).find((one) => one.id === id) ?? null,
    take: (event) => {
      if (course.watching === 0 || course.drill === null || !SAMPLES.has(event.kind)) return false;
      notePending(course, event);
      const step = present();
      if (step !== null) settle(course, judgeTap(step, event));
      return true;
    },
    diskFault: () => (isOn(course, 'disk', 'refused') ? 'full' : null),
    // Samples are taken back first: no fact is to carry the wrong time.
    clockOff: () =>
      isOn(course, 'clock', 'noticed') && course.drill?.pending.length === 0 ? CLOCK_OFF_MS : 0,
  };
}

/** Keeps what is under way; whether the disk took it. */
function keep(course: Course, next: Drill | null): boolean {
  const { folder, log } = course.ports;
  try {
    writeDrill(folder, next);
    course.drill = next;
    return true;
  } catch (error) {
    log.error('the rehearsal could not be kept', { error: String(error) });
    return false;
  } finally {
    course.news.publish('change', null);
  }
}

function begunNow({ ports }: Course): Drill['begun'] {
  return { run: ports.run, captured: ports.kiosk()?.state().delivery.captured ?? 0, onlineMs: 0 };
}

function isOn({ watching, drill }: Course, name: RehearsalStep['name'], phase: string): boolean {
  const step = watching === 0 || drill === null ? null : presentStep(drill.drill.steps);
  return step?.name === name && phaseOf(step) === phase;
}

function settle(course: Course, { step, hint }: Judged): void {
  const { drill } = course;
  if (drill === null) return;
  const isUnchanged = drill.drill.steps.includes(step);
  if (isUnchanged && (hint === null || hint === course.hint)) return;
  course.hint = hint;
  if (isUnchanged) return void course.news.publish('change', null);
  const steps = drill.drill.steps.map((one) => (one.name === step.name ? step : one));
  keep(course, {
    ...drill,
    drill: { ...drill.drill, steps },
    begun: step.state === 'waiting' ? drill.begun : begunNow(course),
  });
  // A fault begins or ends here: the device is to find out soon.
  course.ports.kiosk()?.lookAgain();
}

/** A sample to take back, or one that was. */
function notePending(course: Course, event: TapEvent): void {
  const { drill } = course;
  if (drill === null) return;
  if (event.kind === 'captured') keep(course, { ...drill, pending: [...drill.pending, event.factId] });
  const gone = event.kind === 'undone' || event.kind === 'refused' ? event.factId : undefined;
  if (gone !== undefined && drill.pending.includes(gone))
    keep(course, { ...drill, pending: drill.pending.filter((factId) => factId !== gone) });
}

function takeBack(course: Course): void {
  const kiosk = course.ports.kiosk();
  if (kiosk === null || isOn(course, 'disk', 'refused')) return;
  // What is undone is told by an event, which takes it off the list.
  for (const factId of course.drill?.pending ?? []) kiosk.undo(factId);
}

function look(course: Course): void {
  const { ports } = course;
  const kiosk = ports.kiosk();
  const passed = ports.clock.monotonic() - course.lookedAt;
  course.lookedAt += passed;
  if (course.drill === null || kiosk === null) return;
  takeBack(course);
  const { drill, begun } = course.drill;
  const step = presentStep(drill.steps);
  if (step === null) {
    end(course, kiosk);
    return;
  }
  const sight = sightOf(ports, kiosk);
  const counts = step.name === 'clock' && sight.network === 'online';
  const onlineMs = begun.onlineMs + (counts ? passed : 0);
  course.drill = { ...course.drill, begun: { ...begun, onlineMs } };
  settle(course, judgeSight(step, sight, { ...begun, onlineMs }));
}

function end(course: Course, kiosk: RehearsedKiosk): void {
  const { drill, ports } = course;
  if (drill === null) return;
  const [state, health] = [kiosk.state(), kiosk.health()];
  const sheet: RehearsalSheet = {
    ...drill.drill,
    ...{ endedAt: ports.clock.now(), health, verdict: verdictOf(drill.drill.steps, health) },
    ...{ device: state.deviceName, partner: state.partner?.name ?? null, event: state.event?.name ?? null },
    leftOver: drill.pending.length,
  };
  try {
    keepSheet(ports.folder, sheet);
    ports.log.info('a rehearsal has ended', { verdict: sheet.verdict });
    keep(course, null);
  } catch (error) {
    ports.log.error('the sheet of a rehearsal could not be kept', { error: String(error) });
  }
}

function stateOf({ ports, drill, hint }: Course): RehearsalState {
  const sheets = readSheets(ports.folder);
  return {
    drill: drill?.drill ?? null,
    hint,
    sheets: sheets.map(({ id, endedAt, verdict, version }) => ({ id, endedAt, verdict, version })),
  };
}

async function lookNowAndThen(course: Course, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    look(course);
    await course.ports.clock.sleep(LOOK_EVERY_MS, signal);
  }
}

function sightOf({ clock, run, before }: RehearsalPorts, kiosk: RehearsedKiosk): Sight {
  const state = kiosk.state();
  const { due, inFlight, uncertain, captured } = state.delivery;
  const health = kiosk.health();
  const clockCheck = health.checks.find(({ name }) => name === 'clock');
  return {
    now: clock.now(),
    cardService: state.cardService,
    readers: state.readers.length,
    network: state.network,
    waiting: due + inFlight + uncertain,
    storage: state.storage,
    isFit: health.verdict !== 'noGo',
    clock: { isNoGo: clockCheck?.verdict === 'noGo', isKnown: state.clock.offsetMs !== null },
    noPeople: state.mirror.resources.some(
      ({ name, refused, count }) => name === 'visitors' && refused === true && count === 0,
    ),
    captured,
    run,
    ...before,
  };
}

function verdictOf(steps: readonly RehearsalStep[], health: Health): RehearsalSheet['verdict'] {
  const found = worstOf(health.checks);
  if (found === 'noGo' || steps.some(({ state }) => state === 'failed')) return 'noGo';
  return found === 'attention' || steps.some(({ state }) => state !== 'passed') ? 'attention' : 'good';
}
