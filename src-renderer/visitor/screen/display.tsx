/**
 * The visitor's screen: ring, words, controls, status marks. Draws a `Snapshot` and contains no rules.
 *
 * Invariants:
 * - The result is painted first; sound and movement follow.
 * - Every view except `attract` and `typing` is announced once.
 * - Every control is at least 48 px high.
 */
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { useIntl } from 'react-intl';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { useText } from '../../messages/text.tsx';
import type { SoundPlayer } from '../../sound/sound-player.ts';
import { displayTimes } from '../../times.ts';
import { Countdown } from '../../widgets/countdown.tsx';
import { afterPaint, takeFocus } from '../../widgets/focus.ts';
import { AttractSide } from '../attract/attract-side.tsx';
import { SyncProgress } from '../attract/sync-progress.tsx';
import type { Camera } from '../camera/camera.ts';
import { useComfort } from '../comfort/comfort.ts';
import type { Asking } from '../comfort/comfort-bar.tsx';
import { NoticeLink } from '../notice/notice-text.tsx';
import { BagCode } from '../outcome/bag.tsx';
import { soundOf } from '../outcome/outcome-sound.ts';
import { Ring } from '../ring/ring.tsx';
import { RingPlace } from '../ring/ring-place.tsx';
import { shapeOf, toneOf } from '../ring/shape.ts';
import { isStep, StepScreen } from '../session/step-screen.tsx';
import { useSpeech } from '../speech/speech.ts';
import type { Voice } from '../speech/voice.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import { isOutcome } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import { TextLine } from '../wording/text-line.tsx';
import { asSentence, type Wording, wordingOf } from '../wording/wording.ts';
import { useLogo } from './brand-logo.tsx';
import { Brand, Foot, Marks, WayOut } from './frame.tsx';
import { HeroPicture } from './hero-picture.tsx';
import { ViewControls } from './view-controls.tsx';

type DisplayProps = {
  readonly link: Link;
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
  readonly camera: Camera;
  readonly sounds: SoundPlayer;
  readonly voice: Voice;
  readonly onStaff: () => void;
};

/** The whole display. */
export function DisplayScreen({ link, snapshot, runtime, camera, sounds, voice, onStaff }: DisplayProps) {
  const { view, device, stand, basket } = snapshot;
  const logo = useLogo(link, stand?.brand.logo ?? null);
  const clock = useClock(device?.event?.timezone);
  const { locale } = useIntl();
  const scans = useSyncExternalStore(camera.subscribe, camera.state).kind === 'on';
  const wording = useMemo(
    () => wordingOf(view, { device, stand, basket, language: locale, clock, scans }),
    [view, device, stand, basket, locale, clock, scans],
  );
  const moment = 'since' in view ? view.since : 0;
  const shape = shapeOf(view);
  const sound = soundOf(view);

  // The sound starts after the paint. `moment` lets two equal outcomes sound twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    return sound ? afterPaint(() => sounds.play(sound)) : undefined;
  }, [sound, moment, sounds]);

  usePresence(runtime);
  const asking = useAsking(voice, snapshot, runtime);

  const step = isStep(view);
  useFlow(step, view.kind, moment);
  const tapped = view.kind === 'reading' || ('since' in view && isOutcome(view));
  return (
    <main
      className="display"
      data-view={view.kind}
      data-shape={shape}
      data-tone={toneOf(shape)}
      data-step={step}
    >
      <header className="top">
        <Brand device={device} logo={logo} onHold={onStaff} />
        <Marks snapshot={snapshot} runtime={runtime} />
        <WayOut view={view} runtime={runtime} />
      </header>
      {step ? (
        <StepScreen view={view} snapshot={snapshot} link={link} runtime={runtime} wording={wording} />
      ) : (
        <MessageFrame wording={wording} view={view} moment={moment}>
          {view.kind === 'firstSync' ? <SyncProgress device={device} /> : null}
          <ViewControls link={link} snapshot={snapshot} runtime={runtime} />
        </MessageFrame>
      )}
      <RingPlace small={step} moves={!tapped && !step}>
        {view.kind === 'notice' && stand?.notice?.link ? (
          <NoticeLink link={stand.notice.link} />
        ) : view.kind === 'idlePrompt' ? (
          <Countdown key={moment} total={displayTimes.idlePrompt} left={view.until - snapshot.now} />
        ) : (
          <Ring view={view} device={device} moment={moment} />
        )}
        <HeroPicture link={link} snapshot={snapshot} />
        {view.kind === 'goodbye' ? <BagCode snapshot={snapshot} session={view.session} /> : null}
      </RingPlace>
      <AttractSide snapshot={snapshot} camera={camera} asking={asking} />
      <Foot snapshot={snapshot} runtime={runtime} asking={asking} onStaff={onStaff} />
      <Announcement wording={wording} view={view} />
    </main>
  );
}

/** The outcome in words, with its controls. The focus moves to it, except on the idle screen. */
function MessageFrame({
  wording,
  view,
  moment,
  children,
}: {
  readonly wording: Wording;
  readonly view: View;
  readonly moment: number;
  readonly children: ReactNode;
}) {
  const frame = useRef<HTMLElement>(null);
  const text = useText();
  const { headline } = wording;
  const said = 'own' in headline ? headline.own : text(headline.id, headline.values);
  const idle = !('since' in view);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for every view and every tap
  useEffect(() => (idle ? undefined : afterPaint(() => takeFocus(frame.current))), [idle, view.kind, moment]);
  useFits(frame);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it contains no form fields
    <section className="words" {...measureOf(wording, view, said)} ref={frame} tabIndex={-1} role="group">
      <h1 className="headline">
        <TextLine line={wording.headline} />
      </h1>
      <p className="sentence">
        <TextLine line={wording.sentence} />
      </p>
      {children}
    </section>
  );
}

/**
 * Marks a part that does not scroll, because only a scrolling part clips the shadows in it. The keyboard can reach a
 * part that scrolls. The size is measured after the paint.
 */
function useFits(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = part;
    if (!current) return;
    const look = () => {
      const fits = current.scrollHeight <= current.clientHeight + 1;
      current.dataset.fits = String(fits);
      current.tabIndex = fits ? -1 : 0;
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    const stop = afterPaint(look);
    return () => {
      sizes.disconnect();
      stop();
    };
  });
}

/** Sets attributes for the style sheets of a scrolling page; every view starts at its top. */
function useFlow(step: boolean, kind: View['kind'], moment: number): void {
  const { dataset } = document.documentElement;
  useLayoutEffect(() => {
    dataset.step = String(step);
    return () => {
      delete dataset.step;
    };
  }, [dataset, step]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for every view and every tap
  useLayoutEffect(() => {
    // If nothing scrolls, no tap waits for a measurement.
    if (dataset.room === 'scroll' || dataset.room === 'low') void window.scrollTo(0, 0);
  }, [dataset, kind, moment]);
}

/** Announces a view once to a screen reader. `attract` and `typing` are not announced. */
function Announcement({ wording, view }: { readonly wording: Wording; readonly view: View }) {
  const text = useText();
  const quiet = view.kind === 'attract' || view.kind === 'typing';
  return (
    <div className="only-heard" role="status" aria-live="assertive" aria-atomic="true">
      {quiet
        ? ''
        : [wording.headline, wording.sentence]
            .map((line) => asSentence('own' in line ? line.own : text(line.id, line.values)))
            .join(' ')}
    </div>
  );
}

/** The comfort settings of the person. They last for the session, and they extend the undo window. */
function useAsking(voice: Voice, snapshot: Snapshot, runtime: DisplayRuntime): Asking {
  const [comfort, change, asked] = useComfort(snapshot.stand?.screen ?? null, snapshot.view);
  const speech = useSpeech(voice, snapshot, runtime, comfort, change);
  useEffect(() => runtime.send({ kind: 'comfort', on: asked }), [runtime, asked]);
  return { comfort, change, speech };
}

/** Any input keeps a step open, and a click answers the idle prompt. `Escape` closes the view. */
function usePresence(runtime: DisplayRuntime): void {
  useEffect(() => {
    const touch = () => runtime.send({ kind: 'touch' });
    const stay = () => runtime.send({ kind: 'stay' });
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') runtime.send({ kind: 'dismiss' });
    };
    // A button consumes the keys that it handles, so activity is detected on key down.
    window.addEventListener('pointerdown', touch, { capture: true });
    window.addEventListener('keydown', touch, { capture: true });
    window.addEventListener('click', stay);
    window.addEventListener('keydown', leave);
    return () => {
      window.removeEventListener('pointerdown', touch, { capture: true });
      window.removeEventListener('keydown', touch, { capture: true });
      window.removeEventListener('click', stay);
      window.removeEventListener('keydown', leave);
    };
  }, [runtime]);
}

/** Long names get a smaller font before they are cut. The longest word stays on one line. */
function measureOf(
  wording: Wording,
  view: View,
  said: string,
): { readonly 'data-length': 'short' | 'long' | 'huge'; readonly 'data-word': 'usual' | 'long' | 'vast' } {
  const { headline } = wording;
  const name = 'own' in headline ? headline.own : headline.values?.name;
  const length = typeof name === 'string' ? [...name].length : 0;
  // On the idle screen the notice is below the name of the content or activity.
  const few = view.kind !== 'attract' ? 22 : 'own' in headline ? 40 : 8;
  // A word that is longer than its line could break anywhere and leave a single letter on a line.
  const word = typeof name === 'string' ? longestWord(name) : 0;
  return {
    'data-length': length > 60 || word > 19 ? 'huge' : length > few || word > 14 ? 'long' : 'short',
    'data-word': word > 28 ? 'vast' : longestWord(said) > 13 ? 'long' : 'usual',
  };
}

function longestWord(text: string): number {
  return Math.max(...text.split(/[\s-]/).map((part) => [...part].length));
}
