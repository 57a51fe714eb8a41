/**
 * Consents: separate switches beside the notice, none of them preselected. If they do not all fit, they are spread
 * over several pages.
 *
 * Invariants:
 * - Nobody agrees to words that were not visible (docs/laws.md#law-15). Consents are shared only on the last page,
 *   and the next page opens only after the end of the current page was visible.
 * - "No" takes one touch on any page. Consents are shared only if at least one switch is on.
 * - A choice is shown as saved only after the device saved it. A failure is shown with a retry, and the visitor can
 *   continue.
 */
import { useLayoutEffect, useRef, useState } from 'react';
import { Button, Switch } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Notice, Stand } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { nearest, ownText } from '../../messages/translated-text.ts';
import { useScrollEnd } from '../../widgets/scroll-end.ts';
import { NoticeLines, NoticeLink } from '../notice/notice-text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { SavingNote } from './saving-note.tsx';
import { StepActions } from './step-frame.tsx';

/** Maximum number of switches per page, even if more would fit. */
const mostOnPage = 5;

/** The switches and the notice of `stand` for `session`. */
export function ConsentStep({
  stand,
  session,
  runtime,
}: {
  readonly stand: Stand;
  readonly session: Session;
  readonly runtime: DisplayRuntime;
}) {
  const { locale } = useIntl();
  const { notice, consents } = stand;
  const list = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState(0);
  const onPage = useFitting(list, page);
  const wholeInSight = useScrollEnd(list);
  const saving = session.saving === 'pending';
  const first = page * onPage;
  const share = (none: boolean) => {
    const language = (notice && nearest(notice.texts, locale)?.language) ?? locale;
    runtime.send({ kind: 'submitConsents', language, none });
  };
  return (
    <>
      <div className="consent">
        <div className="consent-switches" ref={list} data-more={!wholeInSight}>
          {consents.slice(first, first + onPage).map(({ id, text }) => (
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
        {notice ? <ConsentNotice notice={notice} /> : null}
      </div>
      <SavingNote session={session} />
      <ConsentActions
        session={session}
        runtime={runtime}
        left={consents.length - first - onPage}
        wholeInSight={wholeInSight}
        page={page}
        turn={setPage}
        share={share}
      />
    </>
  );
}

/** The notice beside the switches. A long notice scrolls by finger and by keys, and shows that more follows. */
function ConsentNotice({ notice }: { readonly notice: Notice }) {
  const aside = useRef<HTMLElement>(null);
  const wholeInSight = useScrollEnd(aside);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it
    <aside className="consent-notice" ref={aside} tabIndex={0} data-more={!wholeInSight}>
      <NoticeLines notice={notice} />
      {notice.link ? <NoticeLink link={notice.link} /> : null}
    </aside>
  );
}

/** Number of switches that fit on a page without scrolling: measured, at least one. */
function useFitting(list: { readonly current: HTMLElement | null }, page: number): number {
  const [onPage, setOnPage] = useState(mostOnPage);
  useLayoutEffect(() => {
    const { current } = list;
    // Page sizes are fixed once the visitor turned a page, so that no consent is skipped.
    if (current && page === 0 && onPage > 1 && current.scrollHeight > current.clientHeight + 1)
      setOnPage(onPage - 1);
  }, [list, page, onPage]);
  return onPage;
}

/** Shares the choice on the last page, and turns the page on earlier ones. */
function ConsentActions({
  session,
  runtime,
  left,
  wholeInSight,
  page,
  turn,
  share,
}: {
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  /** Number of consents on later pages. */
  readonly left: number;
  readonly wholeInSight: boolean;
  readonly page: number;
  readonly turn: (page: number) => void;
  readonly share: (none: boolean) => void;
}) {
  const saving = session.saving === 'pending';
  const choseAny = Object.values(session.agreed).some((agrees) => agrees);
  return (
    <StepActions>
      {left <= 0 ? (
        <Button
          className="pill action action-strong"
          isDisabled={saving || !wholeInSight || !choseAny}
          onPress={() => share(false)}
        >
          <Text id="consent.share" />
        </Button>
      ) : (
        <Button
          className="pill action action-strong"
          isDisabled={!wholeInSight}
          onPress={() => turn(page + 1)}
        >
          <Text id="consent.more" values={{ count: left }} />
        </Button>
      )}
      <Button className="pill action" isDisabled={saving} onPress={() => share(true)}>
        <Text id="consent.none" />
      </Button>
      {page > 0 ? (
        <Button className="pill action action-quiet" onPress={() => turn(page - 1)}>
          <Text id="question.back" />
        </Button>
      ) : null}
      {session.saving === 'failed' ? (
        <Button className="pill action" onPress={() => runtime.send({ kind: 'next' })}>
          <Text id="question.skip" />
        </Button>
      ) : null}
    </StepActions>
  );
}
