/**
 * The visitor's screen: ring, words, controls, marks. Draws a `View`, knows no rules.
 *
 * Invariants: the result is painted first, sound and movement follow; every stage is announced once; every
 * control is at least 48 px and none is dead.
 */
import { useEffect, useMemo } from 'react';
import type { Link } from '../link.ts';
import { useClock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import { AttractSide } from './attract-side.tsx';
import { useLogo } from './brand-logo.tsx';
import type { Camera } from './camera.ts';
import { Controls } from './controls.tsx';
import { Brand, Foot, Marks } from './frame.tsx';
import { Ring, shapeOf, toneOf } from './ring.tsx';
import type { DisplayRuntime, View } from './runtime.ts';
import type { SoundBox } from './sounds.ts';
import { soundOf } from './sounds.ts';
import type { Stage } from './stages.ts';
import { SyncNumbers } from './sync-numbers.tsx';
import { type Words, wordsOf } from './words.ts';

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
  const { stage, device, stand } = view;
  const logo = useLogo(link, stand?.brand.logo ?? null);
  const clock = useClock(device?.event?.timezone);
  const words = useMemo(() => wordsOf(stage, device, clock), [stage, device, clock]);
  const moment = 'since' in stage ? stage.since : 0;
  const shape = shapeOf(stage);
  const sound = soundOf(stage);

  // Sound follows the paint. `moment` makes two equal outcomes sound twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (sound) sounds.play(sound);
  }, [sound, moment, sounds]);

  return (
    <main className="display" data-stage={stage.kind} data-shape={shape} data-tone={toneOf(shape)}>
      <header className="top">
        <Brand device={device} logo={logo} onHold={onStaff} />
        <Marks view={view} runtime={runtime} />
      </header>
      <section className="words" data-length={lengthOf(words)}>
        <h1 className="headline">
          <Text {...words.headline} />
        </h1>
        <p className="sentence">
          <Text {...words.sentence} />
        </p>
        {stage.kind === 'firstSync' ? <SyncNumbers device={device} /> : null}
        <Controls view={view} runtime={runtime} />
      </section>
      <div className="sign">
        <Ring stage={stage} device={device} moment={moment} />
      </div>
      <AttractSide view={view} camera={camera} />
      <Foot view={view} runtime={runtime} onStaff={onStaff} />
      <Announcement words={words} stage={stage} />
    </main>
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
        : [words.headline, words.sentence].map((part) => asSentence(text(part.id, part.values))).join(' ')}
    </div>
  );
}

/** Ends with a stop, once. */
function asSentence(text: string): string {
  return /[.!?。！？…]$/.test(text) ? text : `${text}.`;
}

/** Long names get smaller letters before they get cut. */
function lengthOf(words: Words): 'short' | 'long' | 'huge' {
  const name = words.headline.values?.name;
  const length = typeof name === 'string' ? [...name].length : 0;
  return length > 60 ? 'huge' : length > 22 ? 'long' : 'short';
}
