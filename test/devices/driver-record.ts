/** A driver under test with all its events, its log, and a function that waits for a condition on the events. */
import { EventEmitter, once } from 'node:events';
import type { Clock, Log, ReaderDriver, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { realClock } from '../../src-main/machine/real-time.ts';

/** A log line of the driver. */
type LogLine = { readonly level: 'error' | 'warn' | 'info'; readonly what: string };

export type DriverRecord = {
  readonly driver: ReaderDriver;
  readonly events: readonly ReaderEvent[];
  readonly log: readonly LogLine[];
  /** Waits until `test` is true for all events so far. After `timeoutMs` it fails and prints them. */
  readonly until: (test: (events: readonly ReaderEvent[]) => boolean, timeoutMs?: number) => Promise<void>;
};

/** Starts the driver that `create` returns and records its events. */
export function recordDriver(create: (ports: { clock: Clock; log: Log }) => ReaderDriver): DriverRecord {
  const events: ReaderEvent[] = [];
  const told = new EventEmitter();
  const lines: LogLine[] = [];
  const logAt =
    (level: LogLine['level']) =>
    (what: string, details?: unknown): void =>
      void lines.push({ level, what: details === undefined ? what : `${what} ${JSON.stringify(details)}` });
  const log: Log = { error: logAt('error'), warn: logAt('warn'), info: logAt('info') };
  const driver = create({ clock: realClock, log });
  driver.start((event) => {
    events.push(event);
    told.emit('event');
  });
  return {
    driver,
    events,
    log: lines,
    until: async (test, timeoutMs = 45_000) => {
      const over = AbortSignal.timeout(timeoutMs);
      while (!test(events)) {
        await once(told, 'event', { signal: over }).catch(() => {
          const story = `told: ${JSON.stringify(events)} log: ${JSON.stringify(lines)}`;
          throw new Error(`Waited ${timeoutMs} ms in vain; ${story}`);
        });
      }
    },
  };
}

type OutcomeEvent = Extract<ReaderEvent, { kind: 'card' | 'text' | 'unread' }>;

function isOutcome(event: ReaderEvent): event is OutcomeEvent {
  return event.kind === 'card' || event.kind === 'text' || event.kind === 'unread';
}

/** The outcomes in order. */
export function outcomes(events: readonly ReaderEvent[]) {
  return events.filter(isOutcome);
}

/**
 * The faults in a sequence of events, as text. The list is empty if:
 * - every insertion has exactly one outcome, before `removed` and `detached`;
 * - an insertion has at most one UID event, and then its outcome is the card with that UID;
 * - the insertion numbers of a reader grow;
 * - no event is about a reader that is not attached.
 */
export function faultsInStory(events: readonly ReaderEvent[]): readonly string[] {
  const faults: string[] = [];
  const open = new Map<string, number>();
  const identified = new Map<string, string>();
  const last = new Map<string, number>();
  const attached = new Set<string>();
  for (const event of events) {
    if (event.kind === 'service') continue;
    const { reader } = event;
    if (event.kind === 'attached') attached.add(reader);
    else if (!attached.has(reader)) faults.push(`${event.kind} of ${reader}, which is not attached`);
    if (event.kind === 'inserted') {
      if (open.has(reader)) faults.push(`insertion ${event.insertion} begins before the last one ended`);
      if (event.insertion <= (last.get(reader) ?? 0)) faults.push(`insertion ${event.insertion} is not new`);
      open.set(reader, event.insertion);
      last.set(reader, event.insertion);
      identified.delete(reader);
    }
    if (event.kind === 'uid') {
      if (open.get(reader) !== event.insertion || identified.has(reader))
        faults.push(`a UID of insertion ${event.insertion}, which is not open or already has a UID`);
      identified.set(reader, event.card.uid);
    }
    if (isOutcome(event)) {
      if (open.get(reader) !== event.insertion)
        faults.push(`an outcome of ${event.insertion}, which is not open`);
      open.delete(reader);
      const uid = identified.get(reader);
      if (uid !== undefined && (event.kind !== 'card' || event.card.uid !== uid))
        faults.push(`the outcome of insertion ${event.insertion} is not the card ${uid} that was reported`);
    }
    if ((event.kind === 'removed' || event.kind === 'detached') && open.has(reader)) {
      faults.push(`${event.kind} before the outcome`);
    }
    if (event.kind === 'detached') attached.delete(reader);
  }
  for (const [reader, insertion] of open) faults.push(`insertion ${insertion} of ${reader} has no outcome`);
  return faults;
}
