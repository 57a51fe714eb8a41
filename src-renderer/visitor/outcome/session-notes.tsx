/**
 * The results of a session so far: contents taken, consents, answers, the confirmation e-mail.
 *
 * Invariants:
 * - Only data that the device saved is shown as saved.
 * - A failure is shown with a retry.
 * - Nothing here identifies the visitor.
 */
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Stand } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { ownText } from '../../messages/translated-text.ts';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

type NotesProps = {
  readonly session: Session;
  readonly stand: Stand | null;
  readonly runtime: DisplayRuntime;
};

/** Names of the contents taken, and the state of everything else. */
export function SelectionNotes({
  session,
  runtime,
  named,
}: Pick<NotesProps, 'session' | 'runtime'> & {
  /** Whether to name the contents. Not if the bag shows them. */
  readonly named: boolean;
}) {
  const taken = named ? session.selections.filter((selection) => selection.taken) : [];
  const failed = session.selections.filter((selection) => selection.state === 'failed');
  const shown = taken.slice(0, 3);
  return (
    <>
      {taken.length > 0 ? (
        <li data-tone="captured">
          <Text id="offer.count" values={{ count: taken.length }} />
          <span className="note-names">
            {shown.map(({ item }) => (
              <bdi key={item.id}>{item.name}</bdi>
            ))}
          </span>
        </li>
      ) : null}
      {session.selections.some(({ state }) => state === 'pending') ? (
        <li data-tone="quiet">
          <Text id="offer.saving" />
        </li>
      ) : null}
      {failed.length > 0 ? (
        <li data-tone="stop">
          <Text id="goodbye.notSaved" values={{ count: failed.length }} />
          <Button
            className="quiet-button"
            onPress={() => {
              for (const { item } of failed) runtime.send({ kind: 'take', item });
            }}
          >
            <Text id="goodbye.again" />
          </Button>
        </li>
      ) : null}
    </>
  );
}

/** The results of this session, line by line. */
export function SessionNotes({ session, stand, runtime }: NotesProps) {
  const { locale } = useIntl();
  const { consented, answered } = session;
  return (
    <ul className="session-notes">
      <SelectionNotes session={session} runtime={runtime} named={false} />
      {consented?.map((id) => (
        <li key={id} data-tone="captured">
          <span className="note-text">
            <Text
              id="goodbye.agreed"
              values={{ text: ownText(stand?.consents.find((one) => one.id === id)?.text ?? {}, locale) }}
            />
          </span>
        </li>
      ))}
      {consented?.length === 0 ? (
        <li data-tone="quiet">
          <Text id="goodbye.refused" />
        </li>
      ) : null}
      {answered.length > 0 ? (
        <li data-tone="captured">
          <Text id="goodbye.answered" values={{ count: answered.length }} />
        </li>
      ) : null}
    </ul>
  );
}

/** Requests the confirmation e-mail again and reports the result. It is quieter than open consents and questions. */
export function EmailOffer({ session, runtime }: Pick<NotesProps, 'session' | 'runtime'>) {
  const { email, open } = session;
  if (email === 'none' || email === 'failed') {
    return (
      <>
        {email === 'failed' ? (
          <p className="action-note" data-tone="stop" role="alert">
            <Text id="email.failed" />
          </p>
        ) : null}
        <Button
          className={open.length > 0 ? 'quiet-button' : 'pill action'}
          onPress={() => runtime.send({ kind: 'email' })}
        >
          <Text id="email.ask" />
        </Button>
      </>
    );
  }
  return (
    <p className="action-note" role="status" data-tone={email === 'sent' ? 'captured' : 'quiet'}>
      <Text id={`email.${email}`} />
    </p>
  );
}
