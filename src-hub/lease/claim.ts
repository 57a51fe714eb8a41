/**
 * Claims the data folder and the database for one hub. A standby waits until they are free.
 *
 * Invariants
 * - A hub that works alone on a PostgreSQL database holds a lease, which fences every write. A hub that loses the
 *   lease is notified once and must exit.
 * - Of processes that share a database, each one serves devices. The lease decides which one talks to the platform,
 *   and fences only the writes of that work.
 * - A standby or further process refuses to start if devices do not trust its key.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import { lockFolder } from '../../src-main/data-folder/folder-lock.ts';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { fenced, type Lease, LeaseLost, takeLease } from '../../src-platform/hub/lease.ts';
import { BadOption } from '../../src-platform/options.ts';
import { readHubSetting, writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import type { Store } from '../../src-platform/store/store.ts';

/** The hub that makes the claim. */
type Claimant = {
  readonly data: string;
  readonly database: string | null;
  readonly name: string;
  readonly isStandby: boolean;
  /** Whether other processes on the database also serve. */
  readonly isShared: boolean;
  readonly leaseMs: number;
  readonly store: Store;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  /** Prints a line for the person who started the hub. */
  readonly say: (sentence: string) => void;
};

/**
 * Work with the platform, until `signal` aborts. The lease fences `store`. `check` throws LeaseLost after the lease
 * was lost.
 */
export type Work = (
  held: { readonly store: Store; readonly check: () => Promise<void> },
  signal: AbortSignal,
) => Promise<void>;

type Claim = {
  /** The store for serving devices. The lease fences it if one hub works alone on a PostgreSQL database. */
  readonly store: Store;
  /**
   * Runs `work` until `signal` aborts: once, or (with a shared store) each time this process acquires the lease.
   * @throws its error
   */
  readonly run: (work: Work, signal: AbortSignal) => Promise<void>;
  /** Renews the claim until `signal` aborts; calls `onLost` when another hub has taken over. */
  readonly keep: (onLost: () => void, signal: AbortSignal) => Promise<void>;
  readonly release: () => Promise<void>;
};

/** Runs `work` each time this process acquires the lease. The signal of `work` aborts when another process takes over. */
async function workUnderLease(
  { data, name, leaseMs, store, clock, log, say }: Claimant,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  const holder = { id: holderOf(data), name, leaseMs };
  while (!signal.aborted) {
    const outcome = await takeLease(store, holder).catch((error: unknown) => {
      log.warn('the lease could not be requested', { error: String(error) });
      return null;
    });
    if (outcome?.kind !== 'taken') {
      await clock.sleep(TRY_EVERY_MS, signal);
      continue;
    }
    const { lease } = outcome;
    const ended = new AbortController();
    const whileHeld = AbortSignal.any([signal, ended.signal]);
    say('This process talks to the platform now.');
    const onLost = (): void => {
      say('Another process talks to the platform now.');
      ended.abort();
    };
    const keeping = keep({ leaseMs, clock, log }, lease, onLost, whileHeld);
    try {
      await work({ store: fenced(store, lease), check: () => lease.check(store.ownDb) }, whileHeld);
    } finally {
      ended.abort();
      await keeping;
      await lease.giveBack().catch(() => undefined);
    }
  }
}

/** How often a standby tries to take the lease. */
const TRY_EVERY_MS = 1_000;

/**
 * Claims the data folder and the database. @throws BadOption if another hub has them, or if this one must share them
 * and has another key
 */
export async function claim(claimant: Claimant): Promise<Claim> {
  const { data, database, isShared, store } = claimant;
  const lock = lockFolder(data);
  if (lock === null) throw new BadOption(`Another hub works in ${data}.`);
  const release = async (): Promise<void> => lock.release();
  const nothing = async (): Promise<void> => undefined;
  if (database === null)
    return { store, run: (work, signal) => work({ store, check: nothing }, signal), keep: nothing, release };
  try {
    if (isShared) {
      await refuseUnknownKey(data, store);
      return { store, run: (work, signal) => workUnderLease(claimant, work, signal), keep: nothing, release };
    }
    const lease = await waitForLease(claimant);
    const own = fenced(store, lease);
    const check = (): Promise<void> => lease.check(store.ownDb);
    return {
      store: own,
      run: (work, signal) => work({ store: own, check }, signal),
      keep: (onLost, signal) => keep(claimant, lease, onLost, signal),
      release: () => lease.giveBack().finally(lock.release),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function waitForLease({ data, name, isStandby, leaseMs, store, clock, say }: Claimant): Promise<Lease> {
  if (isStandby) await refuseUnknownKey(data, store);
  const holder = { id: holderOf(data), name, leaseMs };
  for (let before: string | null = null; ; ) {
    const outcome = await takeLease(store, holder);
    if (outcome.kind === 'taken') return outcome.lease;
    if (!isStandby) throw new BadOption('Another hub works on this database.');
    if (outcome.by !== before)
      say(`Standby: ${outcome.by || 'another hub'} works; this hub takes over when it is gone.`);
    before = outcome.by;
    await clock.sleep(TRY_EVERY_MS);
  }
}

/**
 * The identity of the hub with this folder: a random id from its first start that stays with the folder. Host name
 * and path cannot distinguish hubs: cloned images and containers share both.
 */
export function holderOf(data: string): string {
  const file = join(data, 'hub-id');
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8');
}

/** Devices trust only the key of their hub. They would refuse a standby with another key. */
async function refuseUnknownKey(data: string, store: Store): Promise<void> {
  const known = await readHubSetting(store.db, HUB_KEY);
  const file = join(data, 'box-key.pem');
  const own = existsSync(file) ? fingerprintOfKey(readFileSync(file, 'utf8')) : null;
  if (known !== null && own !== known)
    throw new BadOption(
      `Devices know the hub by its key: copy box-key.pem of the hub into ${data}, then start the standby.`,
    );
}

/** The setting with the fingerprint of the hub that devices know. */
const HUB_KEY = 'boxKey';

/** The setting with the hub's name at its last start. */
const HUB_NAME = 'name';

/** The hub's name at its last start, or null. */
export function hubName({ db }: Store): Promise<string | null> {
  return readHubSetting(db, HUB_NAME);
}

/** Stores the name of this hub, and the fingerprint of the key that devices know. */
export async function noteHub(store: Store, name: string, privateKey: string): Promise<void> {
  await writeHubSetting(store, HUB_NAME, name);
  await writeHubSetting(store, HUB_KEY, fingerprintOfKey(privateKey));
}

async function keep(
  { leaseMs, clock, log }: Pick<Claimant, 'leaseMs' | 'clock' | 'log'>,
  lease: Lease,
  onLost: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await lease.renew();
    } catch (error) {
      if (error instanceof LeaseLost) return onLost();
      log.warn('the lease could not be renewed', { error: String(error) });
    }
    await clock.sleep(leaseMs / 4, signal);
  }
}
