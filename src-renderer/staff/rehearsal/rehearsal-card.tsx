/** The rehearsal on the health page: start, continue, and the sheets of earlier ones. */
import { Button } from 'react-aria-components';
import type { RehearsalState } from '../../../src-main/contract/rehearsal.ts';
import { useDatedClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';

const drill = addressOf('health', new URLSearchParams({ rehearsal: 'on' }));

/** The card. */
export function RehearsalCard({
  state,
  timezone,
  onBegin,
}: {
  readonly state: RehearsalState | null;
  /** The event's time zone, for the dates of sheets here and on the sheet itself. */
  readonly timezone: string | undefined;
  readonly onBegin: () => void;
}) {
  const dated = useDatedClock(timezone);
  const isUnderWay = state !== null && state.drill !== null;
  return (
    <section className="staff-card">
      <h2>
        <Text id="rehearsal.title" />
      </h2>
      <p>
        <Text id="rehearsal.lead" />
      </p>
      <Button
        className="staff-button rehearsal-begin"
        isDisabled={state === null}
        onPress={() => {
          if (!isUnderWay) onBegin();
          goTo(drill);
        }}
      >
        <Text id={isUnderWay ? 'rehearsal.goOn' : 'rehearsal.begin'} />
      </Button>
      <h3>
        <Text id="rehearsal.earlier" />
      </h3>
      {state?.sheets.length === 0 ? (
        <p className="setup-hint">
          <Text id="rehearsal.none" />
        </p>
      ) : (
        <ul className="rehearsal-sheets">
          {(state?.sheets ?? []).map(({ id, endedAt, verdict, version }) => (
            <li key={id}>
              <a href={addressOf('health', new URLSearchParams({ sheet: id }))}>{dated(endedAt)}</a>{' '}
              <span className="health-mark" data-verdict={verdict}>
                <Text id="rehearsal.verdict" values={{ kind: verdict }} />
              </span>{' '}
              <span className="choice-hint">{version}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
