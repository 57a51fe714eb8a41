/**
 * The visitor's screen: ring, words, controls, marks. Draws a `View`, knows no rules.
 *
 * Invariants: the result is painted first, sound and movement follow; every stage is announced once; every
 * control is at least 48 px and none is dead.
 */
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useIntl } from 'react-intl';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { useText } from '../../messages/text.tsx';
import type { SoundBox } from '../../sound/sound-player.ts';
import { soundOf } from '../../sound/sound-player.ts';
import { afterPaint, takeFocus } from '../../widgets/focus.ts';
import { AttractSide } from '../attract/attract-side.tsx';
import { SyncNumbers } from '../attract/sync-progress.tsx';
import type { Camera } from '../camera/camera.ts';
import { NoticeLink } from '../notice/notice-text.tsx';
import { Controls } from '../outcome/outcome-controls.tsx';
import { Ring, shapeOf, toneOf } from '../ring/ring.tsx';
import { Sign } from '../ring/ring-place.tsx';
import { LineText } from '../session/step-parts.tsx';
import { isStep, StepScreen } from '../session/step-screen.tsx';
import type { DisplayRuntime, View } from '../state/runtime.ts';
import { isOutcome } from '../state/timed-views.ts';
import type { Stage } from '../state/view.ts';
import { type Words, wordsOf } from '../wording/wording.ts';
import { useLogo } from './brand-logo.tsx';
import { Brand, Foot, Marks } from './frame.tsx';

type DisplayProps = {
  readonly link: Link;
  readonly view: View;
  readonly runtime: DisplayRuntime;
  readonly camera: Camera;
  readonly sounds: SoundBox;
  readonly onStaff: () => void;
};

/** The whole display. */
export function DisplayScreen({ link, view, runtime, camera, sounds, onStaff }: DisplayProps) {
  const { stage, device, stand, basket } = view;
  const logo = useLogo(link, stand?.brand.logo ?? null);
  const clock = useClock(device?.event?.timezone);
  const { locale } = useIntl();
  const words = useMemo(
    () => wordsOf(stage, { device, stand, basket, language: locale, clock }),
    [stage, device, stand, basket, locale, clock],
  );
  const moment = 'since' in stage ? stage.since : 0;
  const shape = shapeOf(stage);
  const sound = soundOf(stage);

  // Sound follows the paint. `moment` makes two equal outcomes sound twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (sound) sounds.play(sound);
  }, [sound, moment, sounds]);

  useSignsOfLife(runtime);

  const step = isStep(stage);
  const tapped = stage.kind === 'reading' || ('since' in stage && isOutcome(stage));
  return (
    <main className="display" data-stage={stage.kind} data-shape={shape} data-tone={toneOf(shape)}>
      <header className="top">
        <Brand device={device} logo={logo} onHold={onStaff} />
        <Marks view={view} runtime={runtime} />
      </header>
      {step ? (
        <StepScreen stage={stage} view={view} link={link} runtime={runtime} words={words} />
      ) : (
        <WordsFrame words={words} stage={stage} moment={moment}>
          {stage.kind === 'firstSync' ? <SyncNumbers device={device} /> : null}
          <Controls view={view} runtime={runtime} />
        </WordsFrame>
      )}
      <Sign small={step} moves={!tapped}>
        {stage.kind === 'notice' && stand?.notice?.link ? (
          <NoticeLink link={stand.notice.link} />
        ) : (
          <Ring stage={stage} device={device} moment={moment} />
        )}
      </Sign>
      <AttractSide view={view} camera={camera} />
      <Foot view={view} runtime={runtime} onStaff={onStaff} />
      <Announcement words={words} stage={stage} />
    </main>
  );
}

/** What happened, in words, and what can be done about it. Whatever a person set off takes the focus when it comes. */
function WordsFrame({
  words,
  stage,
  moment,
  children,
}: {
  readonly words: Words;
  readonly stage: Stage;
  readonly moment: number;
  readonly children: ReactNode;
}) {
  const frame = useRef<HTMLElement>(null);
  const atRest = !('since' in stage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every stage and every tap arrives anew
  useEffect(
    () => (atRest ? undefined : afterPaint(() => takeFocus(frame.current))),
    [atRest, stage.kind, moment],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: no set of fields, but a part that has no name
    <section className="words" data-length={lengthOf(words, stage)} ref={frame} tabIndex={-1} role="group">
      <h1 className="headline">
        <LineText line={words.headline} />
      </h1>
      <p className="sentence">
        <LineText line={words.sentence} />
      </p>
      {children}
    </section>
  );
}

/** Says every outcome once to a screen reader; attract is silent. */
function Announcement({ words, stage }: { readonly words: Words; readonly stage: Stage }) {
  const text = useText();
  const quiet = stage.kind === 'attract' || stage.kind === 'typing';
  return (
    <div className="only-heard" role="status" aria-live="assertive" aria-atomic="true">
      {quiet
        ? ''
        : [words.headline, words.sentence]
            .map((line) => asSentence('own' in line ? line.own : text(line.id, line.values)))
            .join(' ')}
    </div>
  );
}

/** A finger or a key anywhere keeps a step open, a click answers whether somebody is there; `Escape` leaves. */
function useSignsOfLife(runtime: DisplayRuntime): void {
  useEffect(() => {
    const touch = () => runtime.send({ kind: 'touch' });
    const stay = () => runtime.send({ kind: 'stay' });
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') runtime.send({ kind: 'dismiss' });
    };
    // A button keeps the keys it answers to for itself: signs of life are heard on the way down.
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

/** Ends with a stop, once. */
function asSentence(text: string): string {
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`;
}

/** Long names get smaller letters before they get cut. */
function lengthOf(words: Words, stage: Stage): 'short' | 'long' | 'huge' {
  const { headline } = words;
  const name = 'own' in headline ? headline.own : headline.values?.name;
  const length = typeof name === 'string' ? [...name].length : 0;
  // At rest the notice stands below the name of what is taken or checked in to.
  const few = stage.kind === 'attract' ? 8 : 22;
  return length > 60 ? 'huge' : length > few ? 'long' : 'short';
}
