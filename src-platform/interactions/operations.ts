/**
 * The write extension as an operation: `POST /actions/{expoId}`. Not published:
 * docs/interface/undocumented.md#writing-interactions.
 */
import { z } from 'zod';
import type { Operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { acceptBatch } from './accept.ts';
import { itemSchema, resultSchema } from './item.ts';

const most = 100;

/** The operation that accepts interactions. */
export function writeOperation(store: Store, newId: () => string): Operation {
  return {
    method: 'POST',
    path: '/actions/{expoId}',
    tag: 'actions',
    summary: 'Send interactions of a touchpoint',
    description:
      'One result per item, matched by id. The same id with the same content is a duplicate and carries the first ' +
      'result; with other content it is rejected. A bad item does not affect the others. ' +
      'A tap of a visitor who was turned away at a door has the reason in `fields.turnedAway` and makes no connection.',
    documented: false,
    right: 'write',
    ofCompany: 'own',
    body: z.array(z.unknown()).max(most),
    example: [
      {
        id: '0193a1b2-0000-7000-8000-0000000000a1',
        kind: 'tap',
        at: '2026-11-24T10:15:30.123Z',
        touchpointID: 'AD2026T01',
        badge: '04A1B2C3D4E5F6',
        source: 'nfc',
      },
    ],
    bodyShape: z.array(itemSchema).max(most),
    answer: z.array(resultSchema),
    onExpo: true,
    handle: ({ caller, expo, body }) =>
      acceptBatch(
        store,
        { expoId: expo.id, company: caller.partnerId },
        body as unknown[],
        newId,
      ) as Promise<object>,
  };
}
