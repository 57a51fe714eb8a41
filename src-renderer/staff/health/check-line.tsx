/**
 * One check of the device's health: its name, its verdict, what was found and what to do, in words.
 *
 * Invariant: the verdict is shown as a word, never by colour alone.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { HealthCheck, Verdict } from '../../../src-main/contract/health.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { PauseWords } from '../parts/pause-words.tsx';
import type { PagePower } from './page-power.ts';

type Check<Name extends HealthCheck['name']> = Extract<HealthCheck, { name: Name }>;

type CheckProps = {
  readonly check: HealthCheck;
  readonly clock: Clock;
  /** Battery state from the browser, if the machine does not report one. */
  readonly power: PagePower | null;
  /** The hub, if this device delivers to one. */
  readonly hub: DeviceState['hub'];
};

/** One line of the list. */
export function CheckLine({ check, ...rest }: CheckProps) {
  return (
    <Line name={check.name} verdict={check.verdict}>
      <Sentence check={check} {...rest} />
    </Line>
  );
}

/** The share of the platform's answers with status 429 (too many requests). Empty without a delivery check. */
export function TrafficLine({ checks }: { readonly checks: readonly HealthCheck[] }) {
  const delivery = checks.find((check): check is Check<'delivery'> => check.name === 'delivery');
  if (delivery === undefined) return null;
  const percent = Math.round(delivery.busyShare * 100);
  return (
    <Line name="busy" verdict={percent > 30 ? 'attention' : 'good'}>
      <Text id="health.busy" values={{ percent }} />
    </Line>
  );
}

function Line({
  name,
  verdict,
  children,
}: {
  readonly name: string;
  readonly verdict: Verdict;
  readonly children: React.ReactNode;
}) {
  return (
    <li data-verdict={verdict} data-check={name}>
      <span className="health-mark">
        <Text id="health.verdict" values={{ kind: verdict }} />
      </span>
      <strong>
        <Text id="health.name" values={{ kind: name }} />
      </strong>
      <span className="health-words">{children}</span>
    </li>
  );
}

function Sentence({ check, clock, power, hub }: CheckProps) {
  switch (check.name) {
    case 'reader':
      return (
        <>
          <Text id="health.reader" values={{ kind: readerKind(check), count: check.readers }} />
          {check.intervals?.map(({ reader, foundMs, everyMs }) => (
            <span key={reader}>
              {' '}
              <Text
                id="health.interval"
                values={{
                  kind: foundMs === everyMs ? 'found' : 'set',
                  reader,
                  found: foundMs,
                  every: everyMs,
                }}
              />
            </span>
          ))}
        </>
      );
    case 'touchpoint':
      return <Text id="health.touchpoint" values={{ kind: check.fault ?? 'fine' }} />;
    case 'storage':
      return (
        <>
          <Text id="health.storage" values={{ kind: check.fault }} />{' '}
          {check.freeBytes === null ? null : <Text id="health.free" values={freeValues(check.freeBytes)} />}{' '}
          {check.attachmentBytes ? (
            <Text id="health.files" values={{ size: Math.ceil(check.attachmentBytes / 1e6) }} />
          ) : null}{' '}
          <Text id="health.encryption" values={{ kind: check.encryption ?? 'unknown' }} />
        </>
      );
    case 'backup':
      return check.newestAt === null ? (
        <Text id="delivery.noBackup" />
      ) : (
        <Text
          id="delivery.backup"
          values={{ time: clock(check.newestAt), count: check.facts, missing: check.missing }}
        />
      );
    case 'mirror':
      return check.lastPassAt === null ? (
        <Text id="delivery.mirrorNever" />
      ) : (
        <>
          <Text id="delivery.mirrorAge" values={{ time: clock(check.lastPassAt) }} />{' '}
          <Text id={check.complete ? 'health.whole' : 'delivery.mirrorNever'} />
        </>
      );
    case 'delivery':
      return (
        <>
          {check.pause === null ? null : <PauseWords pause={check.pause} hub={hub} />}{' '}
          <Text id="health.waiting" values={{ count: check.waiting }} />{' '}
          {check.elsewhere ? <Text id="health.elsewhere" values={{ count: check.elsewhere }} /> : null}{' '}
          {check.crm !== undefined && Object.values(check.crm).some((count) => count > 0) ? (
            <Text id="health.crm" values={check.crm} />
          ) : null}
        </>
      );
    case 'key':
      return <Text id="health.key" values={{ kind: keyKind(check) }} />;
    case 'clock':
      return <Text id="health.clockOff" values={clockValues(check)} />;
    case 'power':
      return <Text id="health.power" values={powerValues(check, power)} />;
    case 'version':
      return <Text id="health.version" values={versionValues(check)} />;
    case 'interactions':
      return (
        <Text
          id="health.interactions"
          values={{ count: check.captured, time: check.lastAt === null ? '' : clock(check.lastAt) }}
        />
      );
  }
}

/** Free space: in gigabytes from 10 GB on, in megabytes below. */
function freeValues(bytes: number) {
  return bytes < 10e9
    ? { unit: 'MB', amount: Math.round(bytes / 1e6) }
    : { unit: 'GB', amount: Math.round(bytes / 1e9) };
}

function readerKind({ service, readers }: Check<'reader'>): string {
  if (service !== 'up') return service;
  return readers > 0 ? 'ready' : 'none';
}

function keyKind({ place, why, missing }: Check<'key'>): string {
  return missing ?? (place === 'file' ? (why ?? 'file') : place);
}

function versionValues({ verdict, change }: Check<'version'>) {
  if (change === null) return { kind: 'first', left: 0, missing: 0, from: '' };
  const { from, left, found } = change;
  return { kind: verdict === 'good' ? 'whole' : 'lost', left, missing: left - found, from };
}

function clockValues({ verdict, offsetMs, platformDoubted }: Check<'clock'>) {
  if (platformDoubted === true) return { kind: 'doubted', seconds: 0 };
  if (offsetMs === null) return { kind: verdict === 'good' ? 'unknown' : 'wrong', seconds: 0 };
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  if (verdict === 'good') return { kind: 'right', seconds };
  return { kind: offsetMs > 0 ? 'slow' : 'fast', seconds };
}

function powerValues({ charge, plugged }: Check<'power'>, page: PagePower | null) {
  const known = charge === null ? page : { charge, plugged: plugged === true };
  if (known === null) return { kind: 'none', percent: 0 };
  return { kind: known.plugged ? 'plugged' : 'battery', percent: Math.round(known.charge * 100) };
}
