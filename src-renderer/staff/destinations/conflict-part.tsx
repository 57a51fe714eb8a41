/**
 * Values that were changed both at the destination and here: shows both, and lets staff decide for each field.
 *
 * Invariant: a decision applies only to the two values that are shown.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { Destination } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { destinationTimes } from '../../times.ts';
import { refreshDestinations } from './destination-counts.tsx';
import { PauseOf } from './destination-words.tsx';
import { Properties } from './field-words.tsx';

type ConflictProps = { readonly link: Link; readonly destination: Destination };
type Decision = {
  readonly lead: string;
  readonly property: string;
  readonly keep: 'ours' | 'theirs';
  readonly theirs: string;
};

/** The part. */
export function ConflictPart({ link, destination }: ConflictProps) {
  const { id, conflicts: count, atHub } = destination;
  const text = useText();
  const queries = useQueryClient();
  const conflicts = useQuery({
    queryKey: ['destinations', id, 'conflicts', count],
    queryFn: () =>
      link.call((client, signal) => client.destinations.conflicts({ id }, { signal }), destinationTimes.ask),
  });
  const decide = useMutation({
    mutationFn: (decision: Decision) =>
      link.call((client, signal) => client.destinations.decide({ id, ...decision }, { signal })),
    onSettled: () => refreshDestinations(queries),
  });
  return (
    <div className="crm-part">
      <h3>
        <Text id="crm.conflicts" />
      </h3>
      {conflicts.data === undefined ? (
        <p role="status">
          <Text id={conflicts.isError ? 'crm.noAnswer' : 'crm.asking'} />
        </p>
      ) : null}
      {conflicts.data == null || conflicts.data.pause === null ? null : (
        <p role="status">
          <PauseOf pause={conflicts.data.pause} atHub={atHub} />
        </p>
      )}
      <ul className="crm-plan">
        {(conflicts.data?.leads ?? []).flatMap(({ lead, name, fields }) =>
          fields.map(({ property, ours, theirs }) => {
            const choose = (keep: Decision['keep']) => () => decide.mutate({ lead, property, keep, theirs });
            return (
              <li key={`${lead} ${property}`}>
                <bdi>{name ?? <Text id="lead.nobody" />}</bdi> ·{' '}
                <Properties destination={destination} names={[property]} />
                <div className="crm-ways">
                  <Button
                    className="staff-button line-button"
                    isDisabled={decide.isPending}
                    onPress={choose('ours')}
                  >
                    <Text id="crm.keepOurs" values={{ value: ours || text('crm.noValue') }} />
                  </Button>
                  <Button
                    className="staff-button line-button"
                    isDisabled={decide.isPending}
                    onPress={choose('theirs')}
                  >
                    <Text id="crm.keepTheirs" values={{ value: theirs || text('crm.noValue') }} />
                  </Button>
                </div>
              </li>
            );
          }),
        )}
      </ul>
    </div>
  );
}
