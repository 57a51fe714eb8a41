/**
 * Keeps the mirror equal to the event: the loop of the sync.
 *
 *     round: the marks of a hub; the event's name; then each resource (`resource-puller.ts`);
 *            then the background jobs: other requests of the stand to the platform
 *     then:  wait about ten seconds (or until polled), next round
 *     a poll of one list: reads only that list, but with a hub it starts a round
 *
 * Invariants:
 * - No transaction is open across an await (docs/laws.md#law-11).
 * - Only this loop and the loop of the sender retry (docs/laws.md#law-12).
 * - After a fault the round continues at the same step. Otherwise devices that share a key, and are refused at times,
 *   would never complete a round.
 */
import type { Pause } from '../../../contract/device.ts';
import type { Connection } from '../../foundations/api/connection.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { PollNow, PollOutcome, Random } from '../../foundations/ports.ts';
import { backoffMs } from '../../foundations/time/backoff.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import { RETRY, ROUND_EVERY_MS } from '../../foundations/time/times.ts';
import { whyOf } from '../../foundations/trace.ts';
import { RESOURCES, type Resource, type ResourceName } from '../mirror/resources.ts';
import { knownEvent, refreshEvent } from './event.ts';
import { EVENT_NEWS, type News } from './news.ts';
import type { Pushed } from './pushed.ts';
import {
  type Compared,
  createResourcePuller,
  type ResourcePuller,
  type ResourcePullerPorts,
} from './resource-puller.ts';
import type { SnapshotTaker } from './snapshot.ts';

type PullerPorts = Omit<ResourcePullerPorts, 'onAnswer'> & {
  readonly random: Random;
  readonly connection: Connection;
  /**
   * Called after a round that compared whole resources with the platform (once a day, on demand, in doubt). The platform
   * may have lost confirmed facts too, so the outbox reads them back again.
   */
  readonly onCompared: (compared: Compared) => void;
  /** The last step of each round: small requests besides the resources (details, pictures, e-mails). */
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** Called after a complete round. */
  readonly onRound: () => void;
  /** Called when the reason why the event cannot be read changes or ends. */
  readonly onPause?: () => void;
  /** The source of the first mirror as one file. Absent if it is read page by page. */
  readonly snapshot?: SnapshotTaker;
  /** The change marks of a hub. Absent if every list is polled. */
  readonly news?: News;
  /** The records that a hub pushes. Absent without a hub that pushes. */
  readonly pushed?: Pick<Pushed, 'whileReading'>;
};

export type Puller = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /**
   * Starts a round, or the read of one list, now or right after the running one. The outcome is also `failed` if a
   * fault interrupts the round or the read.
   */
  readonly poll: PollNow;
  /** Requests a pass over these lists, by default over all: compare record by record, remove what no longer exists. */
  readonly reconcile: (lists?: readonly ResourceName[]) => void;
  /** The reason why the event cannot be read at present, or null. */
  readonly pause: () => Pause | null;
  /** Wall time at which the last complete round ended, including earlier runs. Null before the first one. */
  readonly lastRoundAt: () => number | null;
  /** The share of a long first sync that is done, and the seconds left. Null at other times. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
  /** Whether this device waits because the hub is serving the first mirror to other devices. */
  readonly waitsForTurn: () => boolean;
};

/**
 * A step of a round. The order is: the first resource, a snapshot of the others, the other resources in their order,
 * the background jobs.
 */
type Step = Resource | 'snapshot' | 'backgroundJobs';

/** Key in the mirror: the hub's view at the last comparison. */
const COMPARED_VIEW = 'view';
/** The lists that depend on the view. */
const NARROWED = ['visitors', 'participants'] as const;

/** Key in the mirror: the store id of the hub whose revisions it follows. */
const NUMBERED_BY = 'numbered by';

/** Key in the mirror: the time of the last round, so that a restart does not lose it. */
const LAST_ROUND = 'last round';

function timeIn(text: string | null): number | null {
  const time = Number(text);
  return text !== null && Number.isSafeInteger(time) && time > 0 ? time : null;
}

/** The puller of one event. */
export function createPuller(ports: PullerPorts): Puller {
  const { clock, mirror } = ports;
  const waker = createWakeableSleep(clock);
  const resources = createResourcePuller({
    client: ports.client,
    expoId: ports.expoId,
    mirror: ports.mirror,
    clock,
    log: ports.log,
    partner: ports.partner,
    resources: ports.resources,
    onAnswer: ports.connection.succeeded,
    onPage: ports.onPage,
    onRemoved: ports.onRemoved,
  });
  const polls = createPolls();
  let lastRoundAt = timeIn(mirror.metadata(LAST_ROUND));
  const trouble = createTrouble(ports);
  let dueAt = Number.POSITIVE_INFINITY;
  const round = createRound(ports, resources, polls);
  polls.ask(ROUND);

  const endRound = (): void => {
    lastRoundAt = clock.now();
    mirror.setMetadata(LAST_ROUND, String(lastRoundAt));
    dueAt = clock.monotonic() + ROUND_EVERY_MS * (0.8 + 0.4 * ports.random.fraction());
    const compared = resources.endRound();
    if (compared !== null) ports.onCompared(compared);
    ports.onRound();
  };

  const ask = (what: Polled): void => {
    polls.ask(what);
    waker.wake();
  };

  /** Runs the next step of a round, or waits until a round is due. @throws ApiError */
  const work = async (signal: AbortSignal): Promise<void> => {
    const wait = dueAt - clock.monotonic();
    if (!round.isUnderWay() && polls.next() === null && wait > 0) {
      if (await waker.sleep(wait, signal)) polls.ask(ROUND);
      return;
    }
    if (!round.isUnderWay() && wait <= 0) polls.ask(ROUND);
    if (await round.takeStep(signal)) endRound();
    trouble.over();
  };

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          await work(signal);
        } catch (error) {
          if (signal.aborted) return;
          polls.fail();
          if (!round.isUnderWay()) polls.ask(ROUND);
          await waker.sleep(trouble.met(error), signal);
        }
      }
    },
    poll: (signal, list) => {
      const known = (ports.resources ?? RESOURCES).find(({ name }) => name === list);
      const what = known === undefined || ports.news !== undefined ? ROUND : known.name;
      const outcome = polls.wait(what, signal);
      ask(what);
      return outcome;
    },
    reconcile: (lists) => {
      resources.wantPasses(lists);
      ask(ROUND);
    },
    pause: trouble.pause,
    lastRoundAt: () => lastRoundAt,
    remaining: () => ports.snapshot?.remaining() ?? resources.remaining(),
    waitsForTurn: () => ports.snapshot?.waitsForTurn() ?? false,
  };
}

/** Consecutive faults: their reports, and the wait after each. */
function createTrouble(ports: PullerPorts): {
  /** Records a fault. Returns the wait in milliseconds. */
  readonly met: (error: unknown) => number;
  readonly over: () => void;
  readonly pause: () => Pause | null;
} {
  let pause: Pause | null = null;
  let failures = 0;
  let reported: string | null = null;
  const put = (next: Pause | null): void => {
    const isOther = next !== pause;
    pause = next;
    if (isOther) ports.onPause?.();
  };
  return {
    met: (error) => {
      ports.connection.failed(error);
      put(pauseOf(error) ?? pause);
      failures += 1;
      const what = whyOf(error);
      if (what !== reported) reportFault(ports, error);
      reported = what;
      const wait = backoffMs(RETRY, failures, ports.random.fraction());
      const isBusy = error instanceof ApiError && error.errorClass.kind === 'busy';
      return isBusy ? wait + (error.errorClass.retryAfterMs ?? 0) : wait;
    },
    over: () => {
      failures = 0;
      reported = null;
      put(null);
    },
    pause: () => pause,
  };
}

type Round = {
  readonly isUnderWay: () => boolean;
  /**
   * Runs the next step, or the first step of what was polled. Returns true after the last step of a round.
   *
   * @throws ApiError
   */
  readonly takeStep: (signal: AbortSignal) => Promise<boolean>;
};

/** The steps of a round, one at a time. */
function createRound(ports: PullerPorts, resources: ResourcePuller, polls: Polls): Round {
  const { client, expoId, mirror, news, resources: listed = RESOURCES } = ports;
  let left: readonly Step[] = [];
  /** Whether `left` is the rest of a round. False if a single list was polled. */
  let isRound = false;
  /** The hub's view, if it is new in this round. Otherwise null. */
  let newView: string | null = null;
  /** Another store has other revisions, so old positions are meaningless. Every list is read from the start. */
  const followStore = (): void => {
    const store = news?.store() ?? null;
    const before = mirror.metadata(NUMBERED_BY);
    if (store === null || store === before) return;
    if (before !== null) mirror.discardPositions();
    mirror.setMetadata(NUMBERED_BY, store);
  };
  /** After a change of the hub's view, the lists that depend on it must be compared. */
  const followView = (): void => {
    const view = news?.view() ?? null;
    newView = view === mirror.metadata(COMPARED_VIEW) ? null : view;
    if (newView !== null && mirror.progress('visitors').complete) resources.wantPasses(NARROWED);
  };
  /** Brings a list up to date, unless the hub reported no change of it. @throws ApiError */
  const pullChanged = async (resource: Resource, signal: AbortSignal): Promise<void> => {
    const whom = resource.ofOwnPartner ? (ports.partner() ?? '') : '';
    // A list that the hub refuses to this device stays refused until its mark changes.
    const isKnown = resources.wouldFollow(resource) || mirror.isRefused(resource.name);
    if (news?.isUnchanged(resource.name, whom) === true && isKnown) return;
    const pull = (): Promise<void> => resources.pull(resource, signal);
    await (ports.pushed === undefined ? pull() : ports.pushed.whileReading(pull));
    news?.noteRead(resource.name, whom);
  };
  const take = async (step: Step, signal: AbortSignal): Promise<void> => {
    const snapshot = async (): Promise<void> => ports.snapshot?.take(signal);
    if (step === 'snapshot') await (ports.pushed?.whileReading(snapshot) ?? snapshot());
    else if (step === 'backgroundJobs') await ports.backgroundJobs(signal);
    else {
      polls.begin(step.name);
      await pullChanged(step, signal);
      polls.end(step.name);
    }
  };
  const beginRound = async (signal: AbortSignal): Promise<void> => {
    polls.begin(ROUND);
    await news?.ask(signal);
    followStore();
    followView();
    if (news?.isUnchanged(EVENT_NEWS, '') !== true || knownEvent(mirror) === null) {
      await refreshEvent(client, expoId, mirror, signal);
      news?.noteRead(EVENT_NEWS, '');
    }
    const [first, ...others] = listed;
    left = [...(first === undefined ? [] : [first]), 'snapshot', ...others, 'backgroundJobs'];
    isRound = true;
  };
  const endRound = (): void => {
    isRound = false;
    polls.end(ROUND);
    if (newView === null) return;
    mirror.setMetadata(COMPARED_VIEW, newView);
    mirror.discardReplaced();
  };
  return {
    isUnderWay: () => left.length > 0,
    takeStep: async (signal) => {
      const next = polls.next();
      if (left.length === 0 && next === ROUND) await beginRound(signal);
      else if (left.length === 0) left = listed.filter(({ name }) => name === next);
      const [step, ...rest] = left;
      if (step !== undefined) await take(step, signal);
      left = rest;
      const isEnd = isRound && rest.length === 0;
      if (isEnd) endRound();
      return isEnd;
    },
  };
}

/** What a caller can poll: everything, or one list. */
const ROUND = 'round';
type Polled = typeof ROUND | ResourceName;

type Polls = {
  readonly ask: (what: Polled) => void;
  /** The next poll that has not begun, or null. A round comes before a list. */
  readonly next: () => Polled | null;
  readonly begin: (what: Polled) => void;
  /** Reports success to the callers that were waiting for `what` when it began. */
  readonly end: (what: Polled) => void;
  /** Reports failure to the callers of every poll that has begun. */
  readonly fail: () => void;
  /** Resolves when the next poll of `what` to begin has ended or failed, or when `signal` aborts. */
  readonly wait: (what: Polled, signal: AbortSignal | undefined) => Promise<PollOutcome>;
};

/** Polls that have not begun, and the callers of all polls. */
function createPolls(): Polls {
  const asked = new Set<Polled>();
  type Caller = { readonly what: Polled; begun: boolean; readonly answer: (outcome: PollOutcome) => void };
  let callers: Caller[] = [];
  const answer = (isMeant: (caller: Caller) => boolean, outcome: PollOutcome): void => {
    const answered = callers.filter(isMeant);
    callers = callers.filter((caller) => !isMeant(caller));
    for (const caller of answered) caller.answer(outcome);
  };
  return {
    ask: (what) => void asked.add(what),
    next: () => (asked.has(ROUND) ? ROUND : (asked.values().next().value ?? null)),
    begin: (what) => {
      asked.delete(what);
      for (const caller of callers) if (caller.what === what) caller.begun = true;
    },
    end: (what) => answer((caller) => caller.begun && caller.what === what, 'done'),
    fail: () => answer(({ begun }) => begun, 'failed'),
    wait: (what, signal) =>
      new Promise((resolve) => {
        callers.push({ what, begun: false, answer: resolve });
        signal?.addEventListener('abort', () => resolve('failed'), { once: true });
      }),
  };
}

function reportFault({ log }: PullerPorts, error: unknown): void {
  if (error instanceof ApiError) {
    log.info('the mirror waits', { why: error.message, errorClass: error.errorClass.kind });
  } else {
    log.error('the mirror could not be written', { error: whyOf(error) });
  }
}

/** When a list is refused permanently, the address is most likely wrong. */
function pauseOf(error: unknown): Pause | null {
  if (!(error instanceof ApiError)) return null;
  if (error.errorClass.kind === 'stop') return error.errorClass.pause;
  return error.errorClass.kind === 'reject' ? 'notAPlatform' : null;
}
