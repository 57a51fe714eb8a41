/**
 * The two databases of a kiosk, opened together.
 *
 * Invariant: a data folder holds one event; that of another is refused before anything is written, unless nothing was captured
 * here yet.
 */
import { join } from 'node:path';
import { openMirror } from './event/mirror/mirror.ts';
import type { Clock, Log, Random } from './foundations/ports.ts';
import { StartRefusal } from './foundations/refusal.ts';
import { createStamper } from './journal/facts/stamp.ts';
import { openDurableJournal } from './journal/recovery/durable-journal.ts';

export type StoresPorts = {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly platform: { readonly expoId: string };
};

export type Stores = ReturnType<typeof openStores>;

/** The two databases. @throws StartRefusal when they cannot serve, or hold another event */
export function openStores({ folder, clock, random, log, platform }: StoresPorts) {
  const durable = openDurableJournal({ folder, stamper: createStamper(clock, random), clock, log });
  const { journal } = durable;
  const isEmpty = journal.outbox.counts().captured === 0;
  if (isEmpty && journal.settings.get('expo') !== platform.expoId) journal.settings.set('touchpoint', '');
  if (!isEmpty) refuseOtherEvent(journal.settings.get('expo'), platform.expoId, journal.close);
  journal.settings.set('expo', platform.expoId);
  const mirror = openMirror(join(folder, 'mirror.db'), platform.expoId, (why) =>
    log.warn('the mirror could not be used and is fetched again', { why }),
  );
  return { durable, journal, mirror, isInPlace: () => durable.current().isInPlace() };
}

function refuseOtherEvent(kept: string | null, expoId: string, close: () => void): void {
  if (kept === null || kept === expoId) return;
  close();
  throw new StartRefusal(
    'otherEvent',
    `This data folder holds the leads of event ${kept}, not of ${expoId}. ` +
      'Choose another folder with --data, so that no lead goes to the wrong event. Nothing was changed.',
  );
}
