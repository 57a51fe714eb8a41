/**
 * The choice of this device's touchpoint, from the event's list.
 *
 * Invariants: nothing is captured before the choice; each entry shows name, partner and the id that `stand.json` uses.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { linkTimes } from '../../times.ts';

/** The touchpoints of the event; a choice needs a touch and a confirmation. */
export function StandChoice({ link }: { readonly link: Link }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: ['device.touchpoints'],
    queryFn: () => link.call((client, signal) => client.device.touchpoints(undefined, { signal })),
    refetchInterval: ({ state }) => (state.data?.length ? false : linkTimes.reconnectTo),
    gcTime: 0,
  });
  if (!data?.length) {
    return (
      <p className="action-note" role="status">
        <Text id="choice.waiting" />
      </p>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <ul className="stand-choice" tabIndex={0}>
        {data.map(({ id, name, partner }) => (
          <li key={id}>
            <Button
              className="pill stand-choice-item"
              data-chosen={chosen === id}
              onPress={() => setChosen(id)}
            >
              <bdi>{partner ?? '–'}</bdi>
              <bdi>{name}</bdi>
              <bdi className="address" dir="ltr">
                {id}
              </bdi>
            </Button>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button
          className="pill action action-strong"
          isDisabled={chosen === null}
          onPress={() => {
            if (chosen === null) return;
            link
              .call((client, signal) => client.device.choose({ touchpoint: chosen }, { signal }))
              .catch(() => setChosen(null));
          }}
        >
          <Text id="choice.choose" />
        </Button>
      </div>
    </>
  );
}
