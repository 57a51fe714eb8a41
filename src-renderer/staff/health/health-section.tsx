/**
 * Whether this device is ready for the stand: every check in plain words, the rehearsal, and what works offline.
 *
 * Invariants:
 * - The verdicts come from the device and refresh while the page is open.
 * - Only the rehearsal changes anything on the device.
 */
import { useQuery } from '@tanstack/react-query';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { healthTimes, staffTimes } from '../../times.ts';
import { Drill } from '../rehearsal/drill.tsx';
import { RehearsalCard } from '../rehearsal/rehearsal-card.tsx';
import { RehearsalPaper } from '../rehearsal/rehearsal-paper.tsx';
import { useRehearsal } from '../rehearsal/use-rehearsal.ts';
import { CheckLine, TrafficLine } from './check-line.tsx';
import { OfflineCard } from './offline-card.tsx';
import { usePagePower } from './page-power.ts';

type HealthSectionProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly params: URLSearchParams;
  readonly technician: boolean;
  /** Reports that the user is active without touching the page. */
  readonly onPresence: () => void;
};

/** The section: the health page, the rehearsal in progress, or a sheet. */
export function HealthSection({ link, device, params, technician, onPresence }: HealthSectionProps) {
  const sheet = params.get('sheet');
  if (technician && sheet !== null) return <RehearsalPaper link={link} id={sheet} device={device} />;
  if (technician && params.has('rehearsal')) return <Drill link={link} onPresence={onPresence} />;
  return <HealthPage link={link} device={device} technician={technician} />;
}

function HealthPage({ link, device, technician }: Omit<HealthSectionProps, 'params' | 'onPresence'>) {
  const clock = useClock(device.event?.timezone);
  const power = usePagePower();
  const health = useQuery({
    queryKey: ['health', 'page'],
    queryFn: () => link.call((client, signal) => client.health.read(undefined, { signal })),
    refetchInterval: healthTimes.refresh,
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const { data } = health;
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.health" />
          </h1>
        </div>
        <p className="health-verdict" data-verdict={data?.verdict} role="status">
          <Text id={data === undefined ? 'staff.loading' : `health.${data.verdict}`} />
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and there may be nothing else in it to focus */}
      <div className="cards-page" tabIndex={0}>
        {data === undefined ? null : (
          <section className="staff-card">
            <h2>
              <Text id="health.checks" values={{ time: clock(data.at) }} />
            </h2>
            <ul className="health-checks">
              {data.checks.map((check) => (
                <CheckLine key={check.name} {...{ check, clock, power }} hub={device.hub} />
              ))}
              <TrafficLine checks={data.checks} />
            </ul>
            <p className="setup-hint">
              <Text id="health.afar" />
            </p>
          </section>
        )}
        {technician ? <RehearsalOf link={link} timezone={device.event?.timezone} /> : <NoRehearsal />}
        <OfflineCard />
      </div>
    </>
  );
}

function RehearsalOf({ link, timezone }: { readonly link: Link; readonly timezone: string | undefined }) {
  const { state, act } = useRehearsal(link, false);
  return <RehearsalCard {...{ state, timezone }} onBegin={() => act((client) => client.rehearsal.begin())} />;
}

function NoRehearsal() {
  return (
    <section className="staff-card">
      <h2>
        <Text id="rehearsal.title" />
      </h2>
      <p>
        <Text id="rehearsal.technician" />
      </p>
    </section>
  );
}
