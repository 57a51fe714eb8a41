/**
 * The controls of every view that is not a step: take contents, answer, type a code, read the notice.
 *
 * Invariant: a control is shown only while it works.
 */
import type { Link } from '../../link/link.ts';
import { AttractControls } from '../attract/attract-controls.tsx';
import { StandChoice } from '../attract/stand-choice.tsx';
import { TypedCode } from '../input/typed-code.tsx';
import { NoticeBrief, NoticePage } from '../notice/notice-brief.tsx';
import { CapturedControls } from '../outcome/captured-controls.tsx';
import { GoodbyeControls } from '../outcome/goodbye-controls.tsx';
import { IdlePrompt } from '../outcome/idle-prompt.tsx';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';

type ControlsProps = { readonly link: Link; readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

/** The controls of the view that is shown. */
export function ViewControls({ link, snapshot, runtime }: ControlsProps) {
  const { view, stand, now } = snapshot;
  switch (view.kind) {
    case 'firstSync':
      return stand?.notice ? <NoticeBrief notice={stand.notice} runtime={runtime} /> : null;
    case 'standChoice':
      return snapshot.device?.assignmentFault?.kind === 'unchosen' ? <StandChoice link={link} /> : null;
    case 'attract':
      return <AttractControls snapshot={snapshot} runtime={runtime} />;
    case 'captured':
      return <CapturedControls link={link} view={view} snapshot={snapshot} runtime={runtime} />;
    case 'goodbye':
      return <GoodbyeControls link={link} session={view.session} snapshot={snapshot} runtime={runtime} />;
    case 'notice':
      return stand?.notice ? <NoticePage notice={stand.notice} runtime={runtime} /> : null;
    case 'idlePrompt':
      return <IdlePrompt left={view.until - now} runtime={runtime} />;
    case 'typing':
      return <TypedCode runtime={runtime} pad={snapshot.device?.codePad ?? 'letters'} />;
    default:
      return null;
  }
}
