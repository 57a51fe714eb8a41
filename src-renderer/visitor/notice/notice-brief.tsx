/**
 * The notice in brief beside other content, and the full notice on its own page.
 *
 * Invariant: who receives the data is visible before any tap; the rest is one touch away.
 */
import { useRef } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Notice } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { nearest } from '../../messages/translated-text.ts';
import { useScrollEnd } from '../../widgets/scroll-end.ts';
import type { DisplayRuntime } from '../state/runtime.ts';
import { NoticeLines } from './notice-text.tsx';

type NoticeProps = { readonly notice: Notice; readonly runtime: DisplayRuntime };

/** One line of the notice, and the link to the full text. */
export function NoticeBrief({ notice, runtime }: NoticeProps) {
  const { locale } = useIntl();
  const found = nearest(notice.texts, locale);
  return (
    <div className="notice-brief">
      {found ? (
        <p className="notice-line" lang={found.language} dir="auto">
          {found.value.who}
        </p>
      ) : null}
      <Button className="quiet-button" onPress={() => runtime.send({ kind: 'readNotice' })}>
        <Text id="notice.headline" />
      </Button>
    </div>
  );
}

/** The full notice, and the way back. */
export function NoticePage({ notice, runtime }: NoticeProps) {
  const lines = useRef<HTMLDivElement>(null);
  const wholeInSight = useScrollEnd(lines);
  return (
    <div className="notice-page">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <div className="notice-scroll" tabIndex={0} ref={lines} data-more={!wholeInSight}>
        <NoticeLines notice={notice} />
      </div>
      <div className="actions">
        <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'dismiss' })}>
          <Text id="question.back" />
        </Button>
      </div>
    </div>
  );
}
