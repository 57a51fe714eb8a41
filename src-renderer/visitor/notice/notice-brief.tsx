/**
 * The notice beside other things, and the whole of it on a page of its own.
 *
 * Invariant: the notice is in sight before anybody taps.
 */
import { Button } from 'react-aria-components';
import type { Notice } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import { NoticeLines } from './notice-text.tsx';

type NoticeProps = { readonly notice: Notice; readonly runtime: DisplayRuntime };

/** The notice in short, and the way to the whole of it. */
export function NoticeBrief({ notice, runtime }: NoticeProps) {
  return (
    <div className="notice-brief">
      <NoticeLines notice={notice} />
      <Button className="quiet-button" onPress={() => runtime.send({ kind: 'readNotice' })}>
        <Text id="notice.headline" />
      </Button>
    </div>
  );
}

/** The whole notice, and the way back. */
export function NoticePage({ notice, runtime }: NoticeProps) {
  return (
    <div className="notice-page">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must be able to scroll it */}
      <div className="notice-scroll" tabIndex={0}>
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
