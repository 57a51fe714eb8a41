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
import type { Visit } from '../state/session.ts';
import { StepActions } from './step-parts.tsx';

/** Switches and notice of `stand` for `visit`. */
export function ConsentStep({
  stand,
  visit,
  runtime,
  now,
}: {
  readonly stand: Stand;
  readonly visit: Visit;
  readonly runtime: DisplayRuntime;
  readonly now: number;
}) {
  const { locale } = useIntl();
  const { notice, consents } = stand;
  const saving = visit.saving === 'asked';
  const share = (none: boolean) => {
    const language = (notice && nearest(notice.texts, locale)?.language) ?? locale;
    runtime.send({ kind: 'share', language, none });
  };
  return (
    <>
      <div className="consent">
        <div className="consent-switches">
          {consents.map(({ id, text }) => (
            <Switch
              key={id}
              className="switch"
              isSelected={visit.agreed[id] ?? false}
              isReadOnly={saving}
              onChange={(agrees) => runtime.send({ kind: 'agree', id, agrees })}
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
      <Saving visit={visit} />
      <StepActions visit={visit} runtime={runtime} now={now}>
        <Button className="pill action action-strong" isDisabled={saving} onPress={() => share(false)}>
          <Text id="consent.share" />
        </Button>
        <Button className="pill action" isDisabled={saving} onPress={() => share(true)}>
          <Text id="consent.none" />
        </Button>
        {visit.saving === 'failed' ? (
          <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'onward' })}>
            <Text id="question.skip" />
          </Button>
        ) : null}
      </StepActions>
    </>
  );
}

/** How it stands with what was asked of the device. */
export function Saving({ visit }: { readonly visit: Visit }) {
  return (
    <p className="step-note" role="status" data-tone={visit.saving === 'failed' ? 'stop' : 'quiet'}>
      {visit.saving === 'failed' ? <Text id="consent.notKept" /> : null}
      {visit.saving === 'asked' ? <Text id="offer.saving" /> : null}
    </p>
  );
}
