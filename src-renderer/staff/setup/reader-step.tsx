/**
 * The badge reader, identified by a tap: the page shows at once which reader was used.
 *
 * Invariant: taps on this page are tests and never become leads.
 */
import { useEffect, useState } from 'react';
import type { ReaderTest } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { Heard } from './fields.tsx';

/** The step. */
export function ReaderStep({ link }: { readonly link: Link }) {
  const [test, setTest] = useState<ReaderTest | null>(null);
  useEffect(
    () => link.follow((client, signal) => client.setup.reader(undefined, { signal }), setTest),
    [link],
  );
  if (test === null) return null;
  const { cardService, readers, tapped } = test;
  const isUp = cardService === 'up';
  return (
    <>
      <div
        className="setup-reader"
        data-tone={tapped ? 'captured' : isUp && readers.length > 0 ? 'brand' : 'wait'}
      >
        <span className="setup-ring" data-tapped={tapped !== null} aria-hidden="true">
          {tapped ? '✓' : ''}
        </span>
        <div role="status">
          {tapped ? (
            <>
              <strong>
                <Text id="setup.tapped" values={{ reader: tapped.reader }} />
              </strong>
              <p>
                <Text id="setup.tappedTail" values={{ tail: tapped.tail }} />
              </p>
            </>
          ) : (
            <strong>
              <Text id={readerWords(test)} values={{ count: readers.length }} />
            </strong>
          )}
        </div>
      </div>
      {readers.length > 0 ? (
        <ul className="setup-readers">
          {readers.map(({ name, interval }) => (
            <li key={name} data-tapped={name === tapped?.reader}>
              <bdi>{name}</bdi>
              {interval === undefined ? null : (
                <small>
                  <Text
                    id="setup.interval"
                    values={{
                      kind: interval.foundMs === interval.everyMs ? 'found' : 'set',
                      found: interval.foundMs,
                      every: interval.everyMs,
                    }}
                  />
                </small>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {cardService === 'absent' || cardService === 'failing' || cardService === 'silent' ? (
        <Heard tone="wait">
          <Text id={cardService === 'absent' ? 'fault.E-11' : 'fault.E-12'} />
        </Heard>
      ) : null}
      <p className="setup-hint">
        <Text id="setup.readerHint" />
      </p>
    </>
  );
}

function readerWords({ cardService, readers }: ReaderTest) {
  if (cardService === 'off') return 'setup.reader.off' as const;
  if (cardService === 'starting') return 'setup.reader.starting' as const;
  return readers.length === 0 ? ('setup.reader.none' as const) : ('setup.reader.wait' as const);
}
