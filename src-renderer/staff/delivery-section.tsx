/**
 * What the platform refused, why, and the way to send it again.
 *
 * Invariants: nothing is thrown away here; an answer is shown in words where the button is.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Parked } from '../../src-main/contract/lead.ts';
import type { Link } from '../link/link.ts';
import { type Clock, useClock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import { staffTimes } from '../times.ts';
import { DeliverySummary } from './delivery-summary.tsx';

/** The section. */
export function DeliverySection({ link, device }: { readonly link: Link; readonly device: DeviceState }) {
  const text = useText();
  const clock = useClock(device.event?.timezone);
  const queries = useQueryClient();
  const { parked: count } = device.delivery;
  const parked = useQuery({
    queryKey: ['parked'],
    queryFn: () => link.call((client, signal) => client.delivery.parked(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another count means another list
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['parked'] });
  }, [count, queries]);
  const retry = useMutation({
    mutationFn: (factId?: string) =>
      link.call((client, signal) => client.delivery.retry(factId ? { factId } : {}, { signal })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['parked'] }),
  });
  const facts = parked.data ?? [];

  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.delivery" />
          </h1>
        </div>
        <DeliverySummary device={device} link={link} />
        <p className="delivery-answer" role="status">
          {retry.isSuccess ? <Text id="delivery.retried" values={{ count: retry.data.retried }} /> : null}
          {retry.isError ? <Text id="delivery.failed" /> : null}
        </p>
      </header>
      {facts.length > 0 ? (
        <section className="parked" aria-label={text('delivery.parkedTitle')}>
          <div className="parked-head">
            <div>
              <h2>
                <Text id="delivery.parkedTitle" />
              </h2>
              <p>
                <Text id="delivery.parkedHint" />
              </p>
            </div>
            {facts.some(({ retryable }) => retryable) ? (
              <Button
                className="staff-button"
                isDisabled={retry.isPending}
                onPress={() => retry.mutate(undefined)}
              >
                <Text id="delivery.retryAll" />
              </Button>
            ) : null}
          </div>
          <ul>
            {facts.map((fact) => (
              <ParkedLine
                key={fact.factId}
                fact={fact}
                clock={clock}
                busy={retry.isPending}
                onRetry={retry.mutate}
              />
            ))}
          </ul>
        </section>
      ) : (
        <div className="staff-empty" role="status">
          <h2>
            <Text id={parked.isSuccess ? 'delivery.noneParked' : 'staff.loading'} />
          </h2>
          {parked.isSuccess ? (
            <p>
              <Text id="delivery.noneParkedHint" />
            </p>
          ) : null}
        </div>
      )}
    </>
  );
}

type ParkedLineProps = {
  readonly fact: Parked;
  readonly clock: Clock;
  readonly busy: boolean;
  readonly onRetry: (factId: string) => void;
};

function ParkedLine({ fact, clock, busy, onRetry }: ParkedLineProps) {
  return (
    <li className="parked-line">
      <span className="lead-cell">
        <strong>
          {fact.name === null ? (
            <Text id="lead.unknown" values={{ tail: fact.badgeTail }} />
          ) : (
            <bdi>{fact.name}</bdi>
          )}
        </strong>
        <span>{clock(fact.at)}</span>
      </span>
      <bdi className="parked-reason">{fact.reason}</bdi>
      {fact.retryable ? (
        <Button className="staff-button" isDisabled={busy} onPress={() => onRetry(fact.factId)}>
          <Text id="delivery.retry" />
        </Button>
      ) : (
        <span className="parked-final">
          <Text id="delivery.cannotRetry" />
        </span>
      )}
    </li>
  );
}
