/**
 * Many notifications, few polls.
 *
 * Invariants: at most one poll of a resource runs at a time and one begins per five seconds; whoever asks is
 * answered by a poll that began after the asking, because a poll that runs already may have read too early; a poll
 * has 25 seconds.
 */
import type { Clock, Log, PollNow, PollOutcome } from '../../foundations/ports.ts';
import { POLL_LIMIT_MS, POLL_SPACING_MS } from '../../foundations/time/times.ts';

export type Coalescer = {
  /** The outcome of the next poll of `resource`. Never rejects. */
  readonly ask: (resource: string) => Promise<PollOutcome>;
};

type Course = { running: Promise<PollOutcome> | null; next: Promise<PollOutcome> | null; lastStart: number };

/** Coalesces until `ended` aborts; from then on every outcome is `failed`. */
export function createCoalescer(clock: Clock, log: Log, poll: PollNow, ended: AbortSignal): Coalescer {
  const courses = new Map<string, Course>();

  const run = async (resource: string): Promise<PollOutcome> => {
    const limit = new AbortController();
    const finished = new AbortController();
    const signal = AbortSignal.any([limit.signal, ended]);
    void clock.sleep(POLL_LIMIT_MS, finished.signal).then(() => limit.abort());
    try {
      return ended.aborted ? 'failed' : await poll(signal, resource);
    } catch (error) {
      log.error('a poll after a notification met an unexpected fault', { resource, error: String(error) });
      return 'failed';
    } finally {
      finished.abort();
    }
  };

  const begin = async (course: Course, resource: string): Promise<PollOutcome> => {
    await course.running;
    const wait = course.lastStart + POLL_SPACING_MS - clock.monotonic();
    if (wait > 0) await clock.sleep(wait, ended);
    // Who asks from here on comes too late for this poll.
    course.next = null;
    course.lastStart = clock.monotonic();
    course.running = run(resource);
    return course.running;
  };

  return {
    ask: (resource) => {
      const known = courses.get(resource);
      const course: Course = known ?? { running: null, next: null, lastStart: Number.NEGATIVE_INFINITY };
      if (known === undefined) courses.set(resource, course);
      course.next ??= begin(course, resource);
      return course.next;
    },
  };
}
