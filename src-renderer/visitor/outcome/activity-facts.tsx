/**
 * Facts of the activity at a check-in.
 *
 * Invariant: an unknown fact is left out.
 */
import type { Activity } from '../../../src-main/contract/stand.ts';
import { useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { stageOf } from '../state/activity-stage.ts';
import type { Snapshot } from '../state/runtime.ts';

/**
 * Time and place of the activity. With `seats`, until the activity ends, also the number of free places, or of people
 * inside if the activity has no limit.
 */
export function ActivityFacts({
  activity,
  snapshot,
  seats,
}: {
  readonly activity: Activity;
  readonly snapshot: Snapshot;
  readonly seats: boolean;
}) {
  const clock = useClock(snapshot.device?.event?.timezone);
  const { start, end, location, capacity, count } = activity;
  const stage = stageOf(start ?? 0, end, Date.now());
  return (
    <ul className="chips">
      {start === null ? null : (
        <li>
          <Text
            id={`checkin.${stage}`}
            values={{ time: clock(stage === 'ended' ? (end ?? start) : start) }}
          />
        </li>
      )}
      {location ? (
        <li>
          <bdi className="activity-place" dir="auto">
            {location}
          </bdi>
        </li>
      ) : null}
      {seats && stage !== 'ended' ? (
        <li>
          {capacity === null ? (
            <Text id="checkin.in" values={{ count }} />
          ) : (
            <Text id="checkin.free" values={{ count: Math.max(capacity - count, 0) }} />
          )}
        </li>
      ) : null}
    </ul>
  );
}
