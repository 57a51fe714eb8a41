/**
 * What the platform refused, why, and the way to send it again.
 *
 * Invariants: nothing is thrown away here; an answer is shown in words where the button is.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { DeadLetter } from '../../../src-main/contract/lead.ts';
import type { Link } from '../../link/link.ts';
import { type Clock, useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { DeliverySummary } from './delivery-summary.tsx';

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
    mutationFn: (factId?: string) =>
      link.call((client, signal) => client.delivery.retry(factId ? { factId } : {}, { signal })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['parked'] }),
  });
  const facts = deadLetters.data ?? [];

  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.delivery" />
          </h1>
        </div>
        <DeliverySummary device={device} link={link} technician={technician} />
        <Copies link={link} device={device} clock={clock} />
        <p className="delivery-answer" role="status">
          {retry.isSuccess ? <Text id="delivery.retried" values={{ count: retry.data.retried }} /> : null}
          {retry.isError ? <Text id="delivery.failed" /> : null}
        </p>
      </header>
      {facts.length > 0 ? (
        <DeadLetters facts={facts} clock={clock} busy={retry.isPending} onRetry={retry.mutate} />
      ) : (
        <NoDeadLetters known={deadLetters.isSuccess} />
      )}
    </>
  );
}

/** How old the copy of the event is, and the newest backup. */
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
  const backup = health.data?.checks.find(({ name }) => name === 'backup');
  const { lastPassAt } = device.mirror;
  return (
    <p className="counts">
      {lastPassAt === null ? (
        <Text id="delivery.mirrorNever" />
      ) : (
        <Text id="delivery.mirrorAge" values={{ time: clock(lastPassAt) }} />
      )}{' '}
      {backup?.name !== 'backup' ? null : backup.newestAt === null ? (
        <Text id="delivery.noBackup" />
      ) : (
        <Text id="delivery.backup" values={{ time: clock(backup.newestAt), count: backup.facts }} />
      )}
    </p>
  );
}

type DeadLettersProps = {
  readonly facts: readonly DeadLetter[];
  readonly clock: Clock;
  readonly busy: boolean;
  /** One fact by its id, or all of them. */
  readonly onRetry: (factId: string | undefined) => void;
};

function DeadLetters({ facts, clock, busy, onRetry }: DeadLettersProps) {
  const text = useText();
  return (
    <section className="dead-letters" aria-label={text('delivery.parkedTitle')}>
      <div className="dead-letters-head">
        <div>
          <h2>
            <Text id="delivery.parkedTitle" />
          </h2>
          <p>
            <Text id="delivery.parkedHint" />
          </p>
        </div>
        {facts.some(({ retryable }) => retryable) ? (
          <Button className="staff-button" isDisabled={busy} onPress={() => onRetry(undefined)}>
            <Text id="delivery.retryAll" />
          </Button>
        ) : null}
      </div>
      <ul>
        {facts.map((fact) => (
          <DeadLetterLine key={fact.factId} fact={fact} clock={clock} busy={busy} onRetry={onRetry} />
        ))}
      </ul>
    </section>
  );
}

/** `known` once the device has said that there are none. */
function NoDeadLetters({ known }: { readonly known: boolean }) {
  return (
    <div className="staff-empty" role="status">
      <h2>
        <Text id={known ? 'delivery.noneParked' : 'staff.loading'} />
      </h2>
      {known ? (
        <p>
          <Text id="delivery.noneParkedHint" />
        </p>
      ) : null}
    </div>
  );
}

type DeadLetterLineProps = Omit<DeadLettersProps, 'facts'> & { readonly fact: DeadLetter };

function DeadLetterLine({ fact, clock, busy, onRetry }: DeadLetterLineProps) {
  return (
    <li className="dead-letter-line">
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
      <bdi className="dead-letter-reason">{fact.reason}</bdi>
      {fact.retryable ? (
        <Button className="staff-button" isDisabled={busy} onPress={() => onRetry(fact.factId)}>
          <Text id="delivery.retry" />
        </Button>
      ) : (
        <span className="dead-letter-final">
          <Text id="delivery.cannotRetry" />
        </span>
      )}
    </li>
  );
}
