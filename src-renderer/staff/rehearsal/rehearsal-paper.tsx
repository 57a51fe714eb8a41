/**
 * The printable result of a rehearsal: go or no-go, the result of each step, and the health of the device at the time.
 *
 * Invariants:
 * - It shows the stored result with its time and version, and no current data.
 * - If a sheet is missing, the page explains that and offers no printing.
 */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { RehearsalSheet } from '../../../src-main/contract/rehearsal.ts';
import type { Link } from '../../link/link.ts';
import { useDatedClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { PaperPage } from '../parts/paper-page.tsx';
import { StepState } from './step-state.tsx';

/** The page with the sheet. */
export function RehearsalPaper({
  link,
  id,
  device,
}: {
  readonly link: Link;
  readonly id: string;
  readonly device: DeviceState;
}) {
  const sheet = useQuery({
    queryKey: ['rehearsal', id],
    queryFn: () => link.call((client, signal) => client.rehearsal.sheet({ id }, { signal })),
    retry: false,
  });
  const { data } = sheet;
  return (
    <PaperPage
      heading="rehearsal.title"
      back={{ word: 'rehearsal.back', go: () => goTo(addressOf('health')) }}
      hasPaper={data !== undefined && data !== null}
    >
      {data === undefined || data === null ? (
        <NoPaper
          state={sheet.isError ? 'unread' : data === null ? 'gone' : 'loading'}
          onAgain={() => void sheet.refetch()}
        />
      ) : (
        <Paper sheet={data} timezone={device.event?.timezone} />
      )}
    </PaperPage>
  );
}

const words = { loading: 'staff.loading', gone: 'rehearsal.gone', unread: 'rehearsal.unread' } as const;

/** The explanation for a missing sheet. */
function NoPaper({ state, onAgain }: { readonly state: keyof typeof words; readonly onAgain: () => void }) {
  return (
    <div className="staff-empty" role="status">
      <h2>
        <Text id={words[state]} />
      </h2>
      {state === 'gone' ? (
        <p>
          <Text id="rehearsal.goneWhy" />
        </p>
      ) : null}
      {state === 'unread' ? (
        <Button className="staff-button" onPress={onAgain}>
          <Text id="rehearsal.again" />
        </Button>
      ) : null}
    </div>
  );
}

function Paper({
  sheet,
  timezone,
}: {
  readonly sheet: RehearsalSheet;
  readonly timezone: string | undefined;
}) {
  const dated = useDatedClock(timezone);
  const { verdict, endedAt, version, device, partner, event, steps, leftOver, health } = sheet;
  return (
    <article className="sheet rehearsal-sheet">
      <header>
        <h2>
          <span className="rehearsal-verdict" data-verdict={verdict}>
            <Text id="rehearsal.verdict" values={{ kind: verdict }} />
          </span>
        </h2>
        <p>
          <bdi>{partner ?? device}</bdi> · <bdi>{device}</bdi> · <bdi>{event}</bdi>
        </p>
        <p>
          {dated(endedAt)} · <Text id="staff.version" values={{ version }} />
        </p>
      </header>
      <section>
        <h3>
          <Text id="rehearsal.title" />
        </h3>
        <table>
          <tbody>
            {steps.map((step) => (
              <tr key={step.name} data-state={step.state}>
                <th scope="row">
                  <Text id="rehearsal.step" values={{ kind: step.name }} />
                </th>
                <td>
                  <StepState step={step} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          <Text id="rehearsal.simulatedNote" />
        </p>
        {leftOver > 0 ? (
          <p>
            <Text id="rehearsal.leftOver" values={{ count: leftOver }} />
          </p>
        ) : null}
      </section>
      <section>
        <h3>
          <Text id="staff.health" />
        </h3>
        <table>
          <tbody>
            {health.checks.map((check) => (
              <tr key={check.name}>
                <th scope="row">
                  <Text id="health.name" values={{ kind: check.name }} />
                </th>
                <td>
                  <Text id="health.verdict" values={{ kind: check.verdict }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </article>
  );
}
