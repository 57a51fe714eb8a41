/**
 * What else the partner may do: separate switches, none of them ticked, beside the notice.
 *
 * Invariants: saying no is as easy as saying yes and is one touch; it is shown as kept only after the device kept
 * it; when it was not, that is said and offered again, and the way on is open.
 */
import { Button, Switch } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Stand } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { nearest, ownText } from '../../messages/translated-text.ts';
import { NoticeLines, NoticeLink } from '../notice/notice-text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { SavingNote } from './saving-note.tsx';
import { StepActions } from './step-frame.tsx';

/** Switches and notice of `stand` for `session`. */
export function ConsentStep({
  stand,
  session,
  runtime,
  now,
}: {
  readonly stand: Stand;
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  readonly now: number;
}) {
  const { locale } = useIntl();
  const { notice, consents } = stand;
  const saving = session.saving === 'pending';
  const share = (none: boolean) => {
    const language = (notice && nearest(notice.texts, locale)?.language) ?? locale;
    runtime.send({ kind: 'submitConsents', language, none });
  };
  return (
    <>
      <div className="consent">
        <div className="consent-switches">
          {consents.map(({ id, text }) => (
            <Switch
              key={id}
              className="switch"
              isSelected={session.agreed[id] ?? false}
              isReadOnly={saving}
              onChange={(agrees) => runtime.send({ kind: 'setConsent', id, agrees })}
            >
              <span className="switch-text" dir="auto">
                {ownText(text, locale)}
              </span>
              <span className="switch-track" aria-hidden="true">
                <span className="switch-thumb" />
              </span>
            </Switch>
          ))}
        </div>
        {notice ? (
          <aside className="consent-notice">
            <NoticeLines notice={notice} />
            {notice.link ? <NoticeLink link={notice.link} /> : null}
          </aside>
        ) : null}
      </div>
      <SavingNote session={session} />
      <StepActions session={session} runtime={runtime} now={now}>
        <Button className="pill action action-strong" isDisabled={saving} onPress={() => share(false)}>
          <Text id="consent.share" />
        </Button>
        <Button className="pill action" isDisabled={saving} onPress={() => share(true)}>
          <Text id="consent.none" />
        </Button>
        {session.saving === 'failed' ? (
          <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'next' })}>
            <Text id="question.skip" />
          </Button>
        ) : null}
      </StepActions>
    </>
  );
}
