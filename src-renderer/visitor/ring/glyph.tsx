/**
 * The glyph inside the ring: one drawing per shape, in the 600 by 600 units of the ring.
 *
 * Invariant: a drawing contains no colour. The colours come from ring.css.
 */
import type { ReactNode } from 'react';
import type { Shape } from './shape.ts';

/** The drawing for `shape`. Empty if the ring needs none. */
export function Glyph({ shape }: { readonly shape: Shape }) {
  return drawings[shape];
}

/** The visitor's badge: the thing to hold to the reader. */
function BadgeCard() {
  return (
    <g className="badge-card">
      <rect className="badge-paper" x="236" y="210" width="128" height="180" rx="20" />
      <rect className="badge-faint" x="277" y="222" width="46" height="10" rx="5" />
      <circle className="badge-ink" cx="300" cy="277" r="25" />
      <rect className="badge-ink" x="262" y="320" width="76" height="12" rx="6" />
      <rect className="badge-faint" x="274" y="344" width="52" height="10" rx="5" />
    </g>
  );
}

function Keys() {
  const rows = [232, 300, 368];
  return rows.flatMap((y) =>
    rows.map((x) => (
      <rect key={`${x} ${y}`} className="fill" x={x - 22} y={y - 22} width="44" height="44" rx="14" />
    )),
  );
}

/** A group of people. Their number does not mean a number of places. */
function Crowd() {
  return (
    <g transform="translate(45 45) scale(0.85)">
      <circle className="fill" cx="190" cy="250" r="36" />
      <circle className="fill" cx="410" cy="250" r="36" />
      <path className="line" strokeWidth="34" d="M138 396a54 70 0 0 1 62-66M462 396a54 70 0 0 0-62-66" />
      <circle className="fill" cx="300" cy="216" r="50" />
      <path className="line" strokeWidth="40" d="M214 416a86 96 0 0 1 172 0" />
    </g>
  );
}

/** One drawing for each shape. Null if the ring needs none. */
const drawings: Readonly<Record<Shape, ReactNode>> = {
  attract: <BadgeCard />,
  sync: <BadgeCard />,
  captured: <path className="line" strokeWidth="46" d="M206 308l66 66 128-140" />,
  unknown: (
    <>
      <circle className="fill" cx="206" cy="300" r="28" />
      <circle className="fill" cx="300" cy="300" r="28" />
      <circle className="fill" cx="394" cy="300" r="28" />
    </>
  ),
  longer: (
    <>
      <path className="line" strokeWidth="46" d="M300 188v128" />
      <circle className="fill" cx="300" cy="406" r="29" />
    </>
  ),
  phone: (
    <>
      <rect className="line" strokeWidth="30" x="228" y="176" width="144" height="248" rx="32" />
      <path className="line" strokeWidth="26" d="M286 378h28" />
      <path className="line cut" strokeWidth="92" d="M190 410L410 190" />
      <path className="line" strokeWidth="40" d="M136 464L464 136" />
    </>
  ),
  notABadge: (
    <>
      <path className="line" strokeWidth="34" d="M240 246a60 60 0 1 1 84 56c-16 8-24 20-24 42" />
      <circle className="fill" cx="300" cy="412" r="24" />
    </>
  ),
  failed: <path className="line" strokeWidth="48" d="M222 222l156 156M378 222L222 378" />,
  undone: (
    <path className="line" strokeWidth="40" d="M214 236h124a70 70 0 0 1 0 140h-92M282 168l-70 68 70 68" />
  ),
  outOfOrder: <path className="line" strokeWidth="34" d="M206 228h188M206 300h188M206 372h104" />,
  linkLost: <circle className="fill ring-search" cx="300" cy="300" r="34" />,
  typing: <Keys />,
  // An open door.
  welcome: (
    <>
      <path className="line" strokeWidth="30" d="M236 424V176h148v248" />
      <path className="fill door-leaf" d="M236 176l-92 46v244l92-42z" />
      <path className="line" strokeWidth="30" d="M196 424h232" />
    </>
  ),
  // The same door, closed behind the visitor.
  inAlready: (
    <>
      <path className="line" strokeWidth="30" d="M216 416V168h168v248M178 416h244" />
      <path className="line" strokeWidth="32" d="M256 296l32 32 58-68" />
    </>
  ),
  notRegistered: (
    <>
      <circle className="line" strokeWidth="34" cx="300" cy="222" r="54" />
      <path className="line" strokeWidth="34" strokeDasharray="1 57" d="M176 430a124 100 0 0 1 248 0" />
    </>
  ),
  full: <Crowd />,
  restricted: (
    <>
      <rect className="line" strokeWidth="34" x="210" y="286" width="180" height="136" rx="30" />
      <path className="line" strokeWidth="34" d="M244 280v-36a56 56 0 0 1 112 0v36" />
    </>
  ),
  clash: (
    <>
      <rect className="line" strokeWidth="28" x="176" y="200" width="128" height="176" rx="24" />
      <rect className="line" strokeWidth="28" x="296" y="228" width="128" height="176" rx="24" />
      <circle className="fill" cx="360" cy="306" r="24" />
      <circle className="fill" cx="240" cy="278" r="24" />
    </>
  ),
  choosing: <BadgeCard />,
  notice: (
    <>
      <circle className="fill" cx="300" cy="204" r="29" />
      <path className="line" strokeWidth="46" d="M300 290v116" />
    </>
  ),
  goodbye: (
    <>
      <circle className="fill" cx="232" cy="252" r="25" />
      <circle className="fill" cx="368" cy="252" r="25" />
      <path className="line" strokeWidth="36" d="M206 340c50 72 138 72 188 0" />
    </>
  ),
  step: <path className="line" strokeWidth="38" d="M230 306l50 50 92-104" />,
  idlePrompt: null,
  again: null,
  reading: null,
  connecting: null,
};
