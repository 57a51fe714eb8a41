/**
 * What a visitor can do in each view that is no step: take it back, go on, be done, type a code, read the notice.
 *
 * Invariant: a control is there only while it works.
 */
import { AttractControls } from '../attract/attract-controls.tsx';
import { TypedCode } from '../input/typed-code.tsx';
import { NoticeBrief, NoticePage } from '../notice/notice-brief.tsx';
import { CapturedControls } from '../outcome/captured-controls.tsx';
import { DoneButton } from '../outcome/done-button.tsx';
import { GoodbyeControls } from '../outcome/goodbye-controls.tsx';
import { IdlePrompt } from '../outcome/idle-prompt.tsx';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';

type ControlsProps = { readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

/** The controls of the view that is shown. */
export function ViewControls({ snapshot, runtime }: ControlsProps) {
  const { view, stand, now } = snapshot;
  switch (view.kind) {
    case 'firstSync':
      return stand?.notice ? <NoticeBrief notice={stand.notice} runtime={runtime} /> : null;
    case 'attract':
      return <AttractControls snapshot={snapshot} runtime={runtime} />;
    case 'captured':
      return <CapturedControls view={view} snapshot={snapshot} runtime={runtime} />;
    case 'goodbye':
      return <GoodbyeControls session={view.session} snapshot={snapshot} runtime={runtime} />;
    case 'notice':
      return stand?.notice ? <NoticePage notice={stand.notice} runtime={runtime} /> : null;
    case 'idlePrompt':
      return <IdlePrompt left={view.until - now} runtime={runtime} />;
    case 'typing':
      return <TypedCode runtime={runtime} />;
    case 'notAdmitted':
    case 'notRead':
    case 'refused':
    case 'failed':
    case 'undone':
      return (
        <div className="actions">
          <DoneButton runtime={runtime} />
        </div>
      );
    default:
      return null;
  }
}
