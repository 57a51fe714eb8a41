/**
 * The attract loop: pictures and films in turn, beside the prompt to tap.
 *
 * Invariants:
 * - Shown only on the idle screen, so nothing plays over an outcome. It is silent and carries no information that a
 *   visitor needs.
 * - With reduced motion, pictures change without a fade, and films and animated pictures stand still until a user
 *   starts them.
 * - It can be paused (WCAG 2.2, 2.2.2).
 */
import { useEffect, useReducer, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { attractTimes } from '../../times.ts';
import { emptyLoop, type LoopInput, type LoopItem, stepLoop } from './attract-loop.ts';

const stillness = '(prefers-reduced-motion: reduce)';

/** Shows the loop of `items`. Each idle phase continues where the previous one ended. */
export function useLoop(items: readonly LoopItem[]) {
  const [loop, tell] = useReducer(stepLoop, emptyLoop);
  const [playing, setPlaying] = useState(true);
  /** Whether films and animated pictures move: as the system is set, until the user presses the control. */
  const [films, setFilms] = useState(() => !window.matchMedia(stillness).matches);
  const key = items.map(({ address }) => address).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same addresses are the same loop
  useEffect(() => tell({ kind: 'items', items }), [key]);
  return {
    loop,
    tell,
    playing,
    films: playing && films,
    toggle: () => {
      setFilms(true);
      setPlaying(!playing);
    },
  };
}

type LoopState = ReturnType<typeof useLoop>;

/** The previous, the current and the next item, one layer each. */
export function AttractLoop({ state }: { readonly state: LoopState }) {
  const { loop, tell, playing, films } = state;
  const { before, shown, coming, turn } = loop;
  const alone = coming === null;
  const film = shown?.kind === 'video' && films;
  useEffect(() => {
    if (!shown || !playing || alone) return;
    const timer = setTimeout(
      () => tell({ kind: 'due' }),
      film ? attractTimes.filmAtMost : attractTimes.picture,
    );
    return () => clearTimeout(timer);
  }, [shown, playing, alone, film, tell]);
  if (!shown && !coming) return null;
  const layers = [
    { item: before, number: turn - 1 },
    { item: shown, number: turn },
    { item: coming, number: turn + 1 },
  ];
  return (
    <div className="loop" aria-hidden="true" data-shown={shown !== null}>
      {layers.map(({ item, number }) =>
        item ? (
          <Layer
            key={`${number} ${item.address}`}
            item={item}
            shown={number === turn}
            playing={number === turn && films}
            still={!films}
            alone={alone}
            tell={tell}
          />
        ) : null,
      )}
    </div>
  );
}

type LayerProps = {
  readonly item: LoopItem;
  readonly shown: boolean;
  readonly playing: boolean;
  /** Animated pictures do not move. */
  readonly still: boolean;
  readonly alone: boolean;
  readonly tell: (input: LoopInput) => void;
};

function Layer({ item, shown, playing, still, alone, tell }: LayerProps) {
  const { kind, address } = item;
  const film = useRef<HTMLVideoElement>(null);
  const lost = () => tell({ kind: 'broken', address });
  const there = () => tell({ kind: 'there', address });
  useEffect(() => {
    const { current } = film;
    if (!current) return;
    // A film that the browser refuses to start is reported as broken by the check for stalled films below.
    if (playing) current.play().catch(() => undefined);
    else current.pause();
  }, [playing]);
  useEffect(() => {
    const { current } = film;
    if (!current || !playing) return;
    let at = -1;
    const timer = setInterval(() => {
      if (current.currentTime === at && !current.ended) tell({ kind: 'broken', address });
      at = current.currentTime;
    }, attractTimes.stalled);
    return () => clearInterval(timer);
  }, [playing, address, tell]);
  if (kind === 'picture' && still && address.endsWith('.gif')) {
    return <StillPicture address={address} shown={shown} onLoad={there} onError={lost} />;
  }
  return kind === 'picture' ? (
    <img className="loop-layer" data-shown={shown} src={address} alt="" onLoad={there} onError={lost} />
  ) : (
    <video
      ref={film}
      className="loop-layer"
      data-shown={shown}
      src={address}
      muted
      playsInline
      preload="auto"
      loop={alone}
      onLoadedData={there}
      onEnded={() => tell({ kind: 'due' })}
      onError={lost}
    />
  );
}

/** The first frame of an animated picture. */
function StillPicture({
  address,
  shown,
  onLoad,
  onError,
}: {
  readonly address: string;
  readonly shown: boolean;
  readonly onLoad: () => void;
  readonly onError: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one address is drawn once
  useEffect(() => {
    const image = new Image();
    image.src = address;
    image.decode().then(() => {
      const { current } = canvas;
      if (!current) return;
      current.width = image.naturalWidth;
      current.height = image.naturalHeight;
      current.getContext('2d')?.drawImage(image, 0, 0);
      onLoad();
    }, onError);
  }, [address]);
  return <canvas ref={canvas} className="loop-layer" data-shown={shown} />;
}

/** The control to pause and resume. */
export function LoopControl({ state }: { readonly state: LoopState }) {
  const { loop, playing, toggle } = state;
  if (loop.items.length === loop.broken.size) return null;
  return (
    <Button className="pill tool" onPress={toggle}>
      <svg className="tool-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d={playing ? 'M9 6v12M15 6v12' : 'M8 5.5v13l11-6.5z'} />
      </svg>
      <Text id={playing ? 'attract.loop.pause' : 'attract.loop.play'} />
    </Button>
  );
}
