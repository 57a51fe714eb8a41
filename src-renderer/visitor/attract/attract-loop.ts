/**
 * Chooses the picture or film of the attract loop, and the next one. Pure.
 *
 * Invariants:
 * - A broken item is never shown again. A loop that is empty or completely broken shows nothing. A loop of one item
 *   does not change.
 * - The next item is shown only once it is loaded, so the screen never goes blank.
 * - Each time an item is shown has its own number, so that the same film restarts from its beginning.
 */
import type { Stand } from '../../../src-main/contract/stand.ts';

export type LoopItem = Stand['attract'][number];

export type Loop = {
  readonly items: readonly LoopItem[];
  readonly broken: ReadonlySet<string>;
  /** The item that fades out while `shown` fades in. */
  readonly before: LoopItem | null;
  readonly shown: LoopItem | null;
  /** The item that loads out of sight. Null if there is no other. */
  readonly coming: LoopItem | null;
  readonly comingIsThere: boolean;
  /** Number of the current showing. `coming` gets the next one. */
  readonly turn: number;
  /** Whether the time of `shown` is over. */
  readonly due: boolean;
};

export type LoopInput =
  | { readonly kind: 'items'; readonly items: readonly LoopItem[] }
  | { readonly kind: 'there'; readonly address: string }
  | { readonly kind: 'broken'; readonly address: string }
  | { readonly kind: 'due' };

export const emptyLoop: Loop = {
  items: [],
  broken: new Set(),
  before: null,
  shown: null,
  coming: null,
  comingIsThere: false,
  turn: 0,
  due: false,
};

/** The loop after `input`. */
export function stepLoop(loop: Loop, input: LoopInput): Loop {
  switch (input.kind) {
    case 'items': {
      const kept = input.items.find(({ address }) => address === loop.shown?.address) ?? null;
      return prepare({ ...emptyLoop, items: input.items, shown: kept, turn: loop.turn });
    }
    case 'there':
      return input.address === loop.coming?.address ? turn({ ...loop, comingIsThere: true }) : loop;
    case 'broken': {
      const broken = new Set([...loop.broken, input.address]);
      const shown = loop.shown?.address === input.address ? null : loop.shown;
      return prepare({ ...loop, broken, shown, due: loop.due && shown !== null });
    }
    case 'due':
      return turn({ ...loop, due: true });
  }
}

/** Advances if it is time to, or if there is nothing to wait for. */
function turn(loop: Loop): Loop {
  if (!loop.coming || !loop.comingIsThere || (loop.shown && !loop.due)) return loop;
  return prepare({
    ...loop,
    before: loop.shown,
    shown: loop.coming,
    coming: null,
    turn: loop.turn + 1,
    due: false,
  });
}

/** Chooses the next intact item after the current one. */
function prepare(loop: Loop): Loop {
  const at = loop.items.findIndex(({ address }) => address === loop.shown?.address);
  const inOrder = [...loop.items.slice(at + 1), ...loop.items.slice(0, at + 1)];
  const sound = inOrder.filter(({ address }) => !loop.broken.has(address));
  const coming = sound.find(({ address }) => address !== loop.shown?.address) ?? null;
  const same = coming?.address === loop.coming?.address;
  return { ...loop, coming, comingIsThere: same && loop.comingIsThere };
}
