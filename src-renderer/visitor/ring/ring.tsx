/**
 * The symbol of the app: one ring that breathes, rotates, and turns into the outcome.
 *
 * Invariants:
 * - Every state has the same three elements (core, halo, outer), so that CSS morphs one shape into the next
 *   (ring.css).
 * - Colour and glyph change at once. Only the geometry moves.
 * - It is decorative for assistive technology, because the words say the same.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import { progressOf, type Session } from '../state/session.ts';
import type { View } from '../state/view.ts';
import { Glyph } from './glyph.tsx';
import { shapeOf } from './shape.ts';

/** The ring in the shape of `view`. `moment` changes with every tap, so that equal outcomes animate again. */
export function Ring({ view, device, moment }: RingProps) {
  const shape = shapeOf(view);
  return (
    <svg className="ring" data-shape={shape} viewBox="0 0 600 600" aria-hidden="true" focusable="false">
      <circle className="ring-wave" cx="300" cy="300" r="170" />
      <circle className="ring-wave ring-wave-late" cx="300" cy="300" r="170" />
      <rect className="ring-outer" pathLength={100} />
      {shape === 'again' ? (
        <path className="ring-lens" d="M300 149a174 174 0 0 1 0 302a174 174 0 0 1 0-302Z" />
      ) : null}
      <rect className="ring-halo" pathLength={100} />
      <rect className="ring-core" pathLength={100} />
      {shape === 'sync' ? <SyncArcs device={device} /> : null}
      {shape === 'step' && 'session' in view ? <StepArcs session={view.session} /> : null}
      <g key={`${shape} ${moment}`} className="ring-glyph">
        <Glyph shape={shape} />
      </g>
    </svg>
  );
}

type RingProps = { readonly view: View; readonly device: DeviceState | null; readonly moment: number };

/** One arc for each consent and question of the session, filled up to the current one. */
function StepArcs({ session }: { readonly session: Session }) {
  const { at, of } = progressOf(session) ?? { at: 1, of: 1 };
  return <Arcs states={Array.from({ length: of }, (_, index) => (index < at ? 'complete' : 'waiting'))} />;
}

/** One arc for each kind of record, filled when that kind is complete. */
function SyncArcs({ device }: { readonly device: DeviceState | null }) {
  const resources = device?.mirror.resources ?? [];
  const running = resources.findIndex(({ complete }) => !complete);
  const states = resources.map(({ complete }, index): ArcState => {
    if (complete) return 'complete';
    return index === running ? 'running' : 'waiting';
  });
  return <Arcs states={states} />;
}

type ArcState = 'complete' | 'running' | 'waiting';

function Arcs({ states }: { readonly states: readonly ArcState[] }) {
  const share = 100 / Math.max(states.length, 1);
  const gap = states.length > 1 ? 5 : 0;
  return states.map((state, index) => (
    <circle
      // biome-ignore lint/suspicious/noArrayIndexKey: the position of an arc is its identity
      key={index}
      className="ring-arc"
      data-state={state}
      cx="300"
      cy="300"
      r="262"
      pathLength={100}
      strokeDasharray={`${share - gap} ${100 - share + gap}`}
      strokeDashoffset={-(index * share + gap / 2)}
      transform="rotate(-90 300 300)"
    />
  ));
}
