/**
 * Parked facts, each with its reason in plain words and the possible actions: retry, correct, open the lead, export.
 *
 * Invariants:
 * - Nothing is deleted here.
 * - A fact of another partner is shown without the name and the badge of its visitor.
 */
import { Button } from 'react-aria-components';
import type { DeadLetter } from '../../../src-main/contract/delivery.ts';
import { FACT_KINDS } from '../../../src-main/contract/fact-kinds.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf } from '../address/address.ts';
import { useLeadWords } from '../parts/lead-words.ts';

/** One fact by its id, or all of them. `mended`: in corrected form, where a correction is possible. */
export type Retry = { readonly factId?: string; readonly mended: boolean };

type ParkedProps = {
  readonly facts: readonly DeadLetter[];
  readonly clock: Clock;
  readonly busy: boolean;
  readonly onRetry: (retry: Retry) => void;
};

/** The part. */
export function ParkedPart({ facts, clock, busy, onRetry }: ParkedProps) {
  const text = useText();
  const retryable = facts.some((fact) => fact.retryable);
  const mendable = facts.some(({ mend }) => mend !== null);
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
        <div className="dead-letters-all">
          {mendable ? (
            <Button className="staff-button" isDisabled={busy} onPress={() => onRetry({ mended: true })}>
              <Text id="delivery.mendAll" />
            </Button>
          ) : null}
          {retryable ? (
            <Button
              className={mendable ? 'staff-button line-button' : 'staff-button'}
              isDisabled={busy}
              onPress={() => onRetry({ mended: false })}
            >
              <Text id="delivery.retryAll" />
            </Button>
          ) : null}
          <a className="mini-button" href={addressOf('handover', new URLSearchParams({ parked: '1' }))}>
            <Text id="delivery.export" />
          </a>
        </div>
      </div>
      <ul>
        {facts.map((fact) => (
          <ParkedLine key={fact.factId} {...{ fact, clock, busy, onRetry }} />
        ))}
      </ul>
    </section>
  );
}

type LineProps = Omit<ParkedProps, 'facts'> & { readonly fact: DeadLetter };

function ParkedLine({ fact, clock, busy, onRetry }: LineProps) {
  const { factId, mend, lead, retryable } = fact;
  return (
    <li className="dead-letter-line">
      <span className="lead-cell">
        <strong>
          {lead === null ? (
            <Who fact={fact} />
          ) : (
            <a className="dead-letter-name" href={addressOf('leads', new URLSearchParams({ lead }))}>
              <Who fact={fact} />
            </a>
          )}
        </strong>
        <span>
          <KindWord fact={fact} /> · {clock(fact.at)}
        </span>
      </span>
      <span className="dead-letter-reason">
        <Cause fact={fact} />
      </span>
      <span className="dead-letter-ways">
        {mend === null ? null : (
          <Button
            className="staff-button line-button"
            isDisabled={busy}
            onPress={() => onRetry({ factId, mended: true })}
          >
            <Text id={`delivery.mend.${mend}`} />
          </Button>
        )}
        {retryable ? (
          <Button
            className={mend === null ? 'staff-button line-button' : 'mini-button'}
            isDisabled={busy}
            onPress={() => onRetry({ factId, mended: false })}
          >
            <Text id="delivery.retry" />
          </Button>
        ) : (
          <span className="dead-letter-final">
            <Text id="delivery.cannotRetry" />
          </span>
        )}
      </span>
    </li>
  );
}

function Who({ fact: { sealed, name, badgeTail } }: { readonly fact: DeadLetter }) {
  if (sealed) return <Text id="delivery.sealed" />;
  if (name !== null) return <bdi>{name}</bdi>;
  return badgeTail === '' ? (
    <Text id="lead.nobody" />
  ) : (
    <Text id="lead.unknown" values={{ tail: badgeTail }} />
  );
}

/** The kind of the parked fact, in words. */
function KindWord({ fact }: { readonly fact: DeadLetter }) {
  const kind = FACT_KINDS.find((one) => one === fact.kind);
  return kind === undefined ? null : <Text id={`kind.${kind}`} />;
}

/** The reason in plain words, with the platform's own message below it. */
function Cause({ fact: { cause, about, reason } }: { readonly fact: DeadLetter }) {
  const words = useLeadWords();
  const named = about === null ? '' : (words.touchpoint(about) ?? about);
  return (
    <>
      <Text id={`cause.${cause}`} />
      {cause === 'fromFile' || cause === 'erased' ? null : (
        <span className="dead-letter-words">
          {named === '' ? null : (
            <>
              <bdi className="code">{named}</bdi>
              {' · '}
            </>
          )}
          <Text id="delivery.words" values={{ words: reason }} />
        </span>
      )}
    </>
  );
}
