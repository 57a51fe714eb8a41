/**
 * Runs inside a test's namespace and puts cards on its virtual readers, controlled by the test over IPC. Answers every
 * order with `{ id, ok }` or `{ id, error }`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { modelOfCard, type VirtualCard } from '../../src-main/devices/virtual/virtual-card.ts';
import { firstSlotPort, type LyingCard, layCard } from '../../src-main/devices/virtual/virtual-slot.ts';

/** Orders of the test. `slot` 0 and 1 are the two readers of vpcd. */
export type CardOrder =
  | { readonly kind: 'insert'; readonly slot: number; readonly card: VirtualCard }
  | { readonly kind: 'remove'; readonly slot: number }
  | { readonly kind: 'tap'; readonly slot: number; readonly card: VirtualCard; readonly holdMs: number }
  | { readonly kind: 'commands'; readonly slot: number }
  | { readonly kind: 'answeredAt' | 'identifiedAt'; readonly slot: number };

const lying = new Map<number, LyingCard>();

async function insert(slot: number, card: VirtualCard): Promise<void> {
  await lying.get(slot)?.remove();
  lying.set(slot, await layCard(modelOfCard(card), firstSlotPort + slot));
}

async function obey(order: CardOrder): Promise<unknown> {
  switch (order.kind) {
    case 'insert':
      return insert(order.slot, order.card);
    case 'remove':
      return lying.get(order.slot)?.remove();
    case 'tap':
      await insert(order.slot, order.card);
      await wait(order.holdMs);
      return lying.get(order.slot)?.remove();
    case 'commands':
      return (lying.get(order.slot)?.traffic ?? []).flatMap((seen) =>
        seen.kind === 'command' ? [Buffer.from(seen.command).toString('hex').toUpperCase()] : [],
      );
    case 'answeredAt':
      return lying.get(order.slot)?.traffic.findLast((seen) => seen.kind === 'command')?.at;
    case 'identifiedAt':
      return lying.get(order.slot)?.traffic.find((seen) => seen.kind === 'command')?.at;
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message: { readonly id: number; readonly order: CardOrder }) => {
  obey(message.order).then(
    (result) => process.send?.({ id: message.id, ok: result ?? null }),
    (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
  );
});
