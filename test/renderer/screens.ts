/**
 * Every screen of the app by name, and how a stage is brought to it. Tests and gallery share this list.
 *
 * Invariant: each entry leaves the page showing exactly that screen, settled.
 */
import type { TapEvent } from '../../src-main/contract/tap.ts';
import type { Stage } from './stage.ts';

export type Screen = {
  readonly name: string;
  /** What `data-shape` is on this screen. */
  readonly shape: string;
  readonly prepare: (stage: Stage) => void;
};

type Captured = Extract<TapEvent, { kind: 'captured' }>;

/** A captured event as the device tells it, with changes. */
export function captured(change: Partial<Captured> = {}): Captured {
  const at = Date.now();
  return {
    kind: 'captured',
    at,
    factId: `fact-${at}-${Math.round(performance.now() * 1000)}`,
    leadId: 'lead-1',
    visitor: { name: 'Amélie B.', company: 'Ateliers du Rhône', language: null },
    repeat: null,
    undoUntil: at + 8_000,
    ...change,
  };
}

const tapped = (name: string, shape: string, event: () => TapEvent): Screen => ({
  name,
  shape,
  prepare: (stage) => stage.tap(event()),
});

export const screens: readonly Screen[] = [
  { name: 'attract', shape: 'attract', prepare: () => undefined },
  { name: 'attract-offline', shape: 'attract', prepare: (stage) => stage.device({ network: 'offline' }) },
  {
    name: 'first-sync',
    shape: 'sync',
    prepare: (stage) =>
      stage.device({
        mirror: {
          complete: false,
          lastPassAt: null,
          resources: [
            { name: 'partners', count: 40, complete: true },
            { name: 'contents', count: 312, complete: true },
            { name: 'visitors', count: 12_400, complete: false },
            { name: 'participants', count: 0, complete: false },
          ],
        },
      }),
  },
  tapped('reading', 'reading', () => ({ kind: 'reading', at: Date.now() })),
  tapped('captured', 'captured', () => captured()),
  {
    name: 'captured-offline',
    shape: 'captured',
    prepare: (stage) => {
      stage.device({ network: 'offline' });
      stage.tap(captured({ visitor: { name: 'Takeshi K.', company: 'Shinkawa Seiki', language: null } }));
    },
  },
  tapped('unknown', 'unknown', () => captured({ visitor: null })),
  tapped('repeat', 'again', () => captured({ repeat: { count: 3, since: Date.now() - 3_600_000 } })),
  tapped('not-read', 'longer', () => ({ kind: 'notRead', at: Date.now(), reason: 'pulled' })),
  tapped('phone', 'phone', () => ({ kind: 'refused', at: Date.now(), reason: 'phone' })),
  tapped('not-a-badge', 'notABadge', () => ({ kind: 'refused', at: Date.now(), reason: 'notABadge' })),
  tapped('failed', 'failed', () => ({ kind: 'failed', at: Date.now(), reason: 'full' })),
  {
    name: 'undone',
    shape: 'undone',
    prepare: (stage) => {
      const event = captured();
      stage.tap(event);
      stage.tap({ kind: 'undone', at: Date.now(), factId: event.factId });
    },
  },
  {
    name: 'out-of-order',
    shape: 'outOfOrder',
    prepare: (stage) => stage.device({ cardService: 'up', readers: [] }),
  },
  { name: 'link-lost', shape: 'linkLost', prepare: (stage) => stage.cut() },
];
