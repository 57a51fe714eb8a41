/**
 * The timeline of a lead: each event with its author and delivery state.
 *
 * Invariants:
 * - Overwritten and undone facts stay visible and are marked.
 * - No two buttons have the same accessible name.
 */
import { Button } from 'react-aria-components';
import type { LeadDetail, LeadEvent } from '../../../src-main/contract/leads.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useDayWords } from '../parts/day-words.ts';
import { useLeadWords } from '../parts/lead-words.ts';
import type { Edits } from './edits.ts';
import { eventText } from './event-words.ts';

type TimelineProps = { readonly lead: LeadDetail; readonly clock: Clock; readonly edits: Edits };

/** The timeline, oldest first. */
export function Timeline({ lead, clock, edits }: TimelineProps) {
  const text = useText();
  const words = useLeadWords();
  const day = useDayWords();
  const what = new Map(lead.timeline.map((event) => [event, eventText({ text, words, day }, event)]));
  const names = undoNames(lead.timeline, (event) =>
    text('edit.undoWhat', { what: what.get(event) ?? '', time: clock(event.at) }),
  );
  return (
    <div className="timeline">
      <h3>
        <Text id="lead.timeline" />
      </h3>
      <ol>
        {lead.timeline.map((event) => (
          <li key={event.factId} data-undone={event.undone}>
            <time>{clock(event.at)}</time>
            <span className="timeline-what">
              <bdi>{what.get(event)}</bdi>
              <span className="timeline-more">
                {[words.touchpoint(event.touchpoint), event.device, event.staff]
                  .filter(isWord)
                  .map((part) => (
                    <bdi key={part}>{part} · </bdi>
                  ))}
                <span data-state={event.delivery}>
                  <Text id={`fact.${event.delivery}`} />
                </span>
                {event.reason === null ? null : <bdi> · {event.reason}</bdi>}
              </span>
            </span>
            {event.undoable ? (
              <Button
                className="mini-button"
                aria-label={names.get(event.factId) ?? ''}
                onPress={() => edits.undo(event.factId)}
              >
                <Text id="edit.undo" />
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A label for each button, by its fact. Equal labels get a number. */
function undoNames(
  events: readonly LeadEvent[],
  nameOf: (event: LeadEvent) => string,
): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  return new Map(
    events
      .filter(({ undoable }) => undoable)
      .map((event) => {
        const name = nameOf(event);
        const before = times.get(name) ?? 0;
        times.set(name, before + 1);
        return [event.factId, before === 0 ? name : `${name} (${before + 1})`];
      }),
  );
}

function isWord(part: string | null | undefined, index: number, parts: readonly unknown[]): part is string {
  return part != null && part !== '' && parts.indexOf(part) === index;
}
