/**
 * Set-ups that a hub distributes to its devices. A set-up is one JSON document with the stand settings, texts and
 * pictures. Its name is its SHA-256.
 *
 * Invariant: a document never changes. A device that got the hash from a signed file can verify the document.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { notFound } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { deviceOf } from './access.ts';

/** Maximum length of a set-up in characters. A device accepts no larger answer. */
export const LONGEST_STAND = 6_000_000;

/** Stores a set-up; returns its SHA-256 in hex. */
export async function keepStand(store: Store, text: string): Promise<string> {
  const sha256 = createHash('sha256').update(text).digest('hex');
  await store.transaction(async (db) => {
    await db
      .insertInto('box_stand')
      .values({ sha256, text })
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .execute();
  });
  return sha256;
}

/** Returns a set-up to a device, even if the device so far has only the enrolment key from its file. */
export function standOperation(store: Store): Operation {
  return {
    method: 'GET',
    path: '/hub/stand/{sha256}',
    tag: 'hub',
    summary: 'The set-up that a file of this hub names',
    documented: false,
    right: 'read',
    enrols: true,
    mayMiss: true,
    answer: z.object({ text: z.string() }),
    onExpo: false,
    handle: async (call) => {
      deviceOf(call);
      const { sha256 = '' } = call.params;
      const row = await store.db
        .selectFrom('box_stand')
        .select('text')
        .where('sha256', '=', sha256)
        .executeTakeFirst();
      if (row === undefined) throw notFound('There is no such set-up');
      return { text: row.text };
    },
  };
}
