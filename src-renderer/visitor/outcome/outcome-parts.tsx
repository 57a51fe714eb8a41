/**
 * What stands below the words of an outcome: the facts of a check-in, the notice in short, the goodbye's lines.
 *
 * Invariants: a fact that is not known is left out; the notice is in sight before anybody taps.
 */
import { Button } from 'react-aria-components';
import type { Activity, Notice } from '../../../src-main/contract/stand.ts';
import { useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { NoticeLines } from '../notice/notice-text.tsx';
import { useSecondsLeft } from '../session/step-parts.tsx';
import type { DisplayRuntime, View } from '../state/runtime.ts';

/** When and where, and before a tap how many places: of what one checks in to. */
export function ActivityFacts({
  activity,
  view,
  seats,
}: {
  readonly activity: Activity;
  readonly view: View;
  readonly seats: boolean;
}) {
  const clock = useClock(view.device?.event?.timezone);
  const { start, location, capacity, count } = activity;
  return (
    <ul className="chips">
      {start === null ? null : (
        <li>
          <Text id="checkin.start" values={{ time: clock(start) }} />
        </li>
      )}
      {location ? (
        <li>
          <bdi className="place" dir="auto">
            {location}
          </bdi>
        </li>
      ) : null}
      {seats ? (
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

/** The notice in short, and the way to the whole of it. */
export function NoticeBrief({
  notice,
  runtime,
}: {
  readonly notice: Notice;
  readonly runtime: DisplayRuntime;
}) {
  return (
    <div className="notice-brief">
      <NoticeLines notice={notice} />
      <Button className="quiet-button" onPress={() => runtime.send({ kind: 'readNotice' })}>
        <Text id="notice.headline" />
      </Button>
    </div>
  );
}

/** How long the display still waits, in words; `left` in milliseconds. */
export function SecondsLeft({ left }: { readonly left: number }) {
  const text = useText();
  const seconds = useSecondsLeft(left);
  return (
    <p className="seconds-left" role="timer">
      {text('still.seconds', { seconds })}
    </p>
  );
}
