/**
 * The state of all captured facts, the parked facts, the refused codes, and the age of the mirror and the backup.
 *
 * Invariant: the answer to a retry appears as text above the parked facts.
 */
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Link } from '../../link/link.ts';
import { type Clock, useClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { addressOf } from '../address/address.ts';
import { DestinationLines, tasksAt, useDestinationsQuery } from '../destinations/destination-counts.tsx';
import { DeliverySummary } from './delivery-summary.tsx';
import { ParkedPart, type Retry } from './parked-part.tsx';
import { RefusedPart } from './refused-part.tsx';

/** The section. */
export function DeliverySection({
  link,
  device,
  technician,
}: {
  readonly link: Link;
  readonly device: DeviceState;
  readonly technician: boolean;
}) {
  const clock = useClock(device.event?.timezone);
  const queries = useQueryClient();
  const { parked: count } = device.delivery;
  const deadLetters = useQuery({
    queryKey: ['parked'],
    queryFn: () => link.call((client, signal) => client.delivery.deadLetters(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another count means another list
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['parked'] });
  }, [count, queries]);
  const retry = useMutation({
    mutationFn: (wish: Retry) => link.call((client, signal) => client.delivery.retry(wish, { signal })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['parked'] }),
  });
  const facts = deadLetters.data ?? [];
  const destinations = useDestinationsQuery(link);

  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.delivery" />
          </h1>
        </div>
        <DeliverySummary device={device} link={link} technician={technician} />
        <DestinationLines link={link} />
        <p className="delivery-answer" role="status">
          {retry.isSuccess ? <Text id="delivery.retried" values={{ count: retry.data.retried }} /> : null}
          {retry.isError ? <Text id="delivery.failed" /> : null}
        </p>
      </header>
      <div className="delivery-body">
        {facts.length > 0 ? (
          <ParkedPart facts={facts} clock={clock} busy={retry.isPending} onRetry={retry.mutate} />
        ) : (
          <NoDeadLetters
            known={deadLetters.isSuccess && destinations.data !== undefined}
            failed={hasFailed(deadLetters) || hasFailed(destinations)}
            inCrm={(destinations.data ?? []).some((one) => tasksAt(one) > 0)}
          />
        )}
        <RefusedPart link={link} clock={clock} />
        <Copies link={link} device={device} clock={clock} />
      </div>
    </>
  );
}

/** How many captured facts are in the list, the age of the mirror, and the newest backup. */
function Copies({
  link,
  device,
  clock,
}: {
  readonly link: Link;
  readonly device: DeviceState;
  readonly clock: Clock;
}) {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () => link.call((client, signal) => client.health.read(undefined, { signal })),
  });
  const list = useQuery({
    queryKey: ['leads', 'facts'],
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page({ filter: {}, sort: 'latest', from: { position: 0 }, limit: 1 }, { signal }),
      ),
  });
  const { captured } = device.delivery;
  const facts = list.data?.ready ? Math.min(list.data.counts.facts, captured) : null;
  const backup = health.data?.checks.find(({ name }) => name === 'backup');
  const { lastPassAt } = device.mirror;
  return (
    <div className="counts delivery-copies">
      {facts === null || captured === 0 ? null : (
        <p>
          <Text id="delivery.facts" values={{ captured, list: facts, others: captured - facts }} />
        </p>
      )}
      <p>
        {lastPassAt === null ? (
          <Text id="delivery.mirrorNever" />
        ) : (
          <Text id="delivery.mirrorAge" values={{ time: clock(lastPassAt) }} />
        )}
      </p>
      {backup?.name !== 'backup' ? null : (
        <p>
          {backup.newestAt === null ? (
            <Text id="delivery.noBackup" />
          ) : (
            <Text
              id="delivery.backup"
              values={{
                time: clock(backup.newestAt),
                count: backup.facts,
                missing: backup.missing,
              }}
            />
          )}
        </p>
      )}
    </div>
  );
}

type NoDeadLettersProps = {
  /** False until the parked facts and the destinations are loaded. */
  readonly known: boolean;
  /** Whether one of them could not be read. Both are read again. */
  readonly failed: boolean;
  /** Whether a CRM needs staff. */
  readonly inCrm: boolean;
};

/** Whether a read failed since the page opened. A further attempt resets `failureCount`. */
function hasFailed({
  failureCount,
  errorUpdateCount,
}: Pick<UseQueryResult, 'failureCount' | 'errorUpdateCount'>): boolean {
  return failureCount > 0 || errorUpdateCount > 0;
}

function NoDeadLetters({ known, failed, inCrm }: NoDeadLettersProps) {
  if (!known)
    return (
      <div className="staff-empty" role="status">
        <h2>
          <Text id={failed ? 'staff.listFailed' : 'staff.loading'} />
        </h2>
      </div>
    );
  return (
    <div className="staff-empty" role="status">
      <h2>
        <Text id={inCrm ? 'delivery.crmNeeds' : 'delivery.noneParked'} />
      </h2>
      <p>
        <Text id={inCrm ? 'delivery.crmNeedsHint' : 'delivery.noneParkedHint'} />
      </p>
      {inCrm ? (
        <a className="staff-button line-button delivery-link" href={addressOf('crm')}>
          <Text id="delivery.toCrm" />
        </a>
      ) : null}
    </div>
  );
}
