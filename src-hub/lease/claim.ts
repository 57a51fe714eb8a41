/**
 * Folder and database for one hub alone: it has them, or waits for them as a standby.
 *
 * Invariants: on a database the hub works under a lease, and every write of it is fenced by that; a hub that lost it is told
 * once and has to end; a standby that devices would not believe does not wait.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import { lockFolder } from '../../src-main/data-folder/folder-lock.ts';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { fenced } from '../../src-platform/hub/fenced-store.ts';
import { type Lease, LeaseLost, takeLease } from '../../src-platform/hub/lease.ts';
import { BadOption } from '../../src-platform/options.ts';
import { readHubSetting, writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import type { Store } from '../../src-platform/store/store.ts';

export type ClaimPorts = {
  readonly data: string;
  readonly database: string | null;
  readonly name: string;
  readonly isStandby: boolean;
  readonly leaseMs: number;
  readonly store: Store;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Log;
  /** Tells the person who started it. */
  readonly say: (sentence: string) => void;
};

export type Claim = {
  /** The store, fenced. */
  readonly store: Store;
  /** @throws LeaseLost where another hub works now */
  readonly check: () => Promise<void>;
  /** Keeps the claim until `signal` aborts; `onLost` where it cannot be kept. */
  readonly keep: (onLost: () => void, signal: AbortSignal) => Promise<void>;
  readonly release: () => Promise<void>;
};

/** A standby looks this often whether it is its turn. */
const LOOK_EVERY_MS = 1_000;

/** Claims folder and database. @throws BadOption where another hub has them */
export async function claim(ports: ClaimPorts): Promise<Claim> {
  const { data, database, store } = ports;
  const lock = await lockFolder(data);
  if (lock === null) throw new BadOption(`Another hub works in ${data}.`);
  if (database === null)
    return {
      store,
      check: async () => undefined,
      keep: async () => undefined,
      release: async () => lock.release(),
    };
  try {
    const lease = await waitForLease(ports);
    return {
      store: fenced(store, lease),
      check: () => lease.check(store.ownDb),
      keep: (onLost, signal) => keep(ports, lease, onLost, signal),
      release: async () => {
        await lease.giveBack();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function waitForLease(ports: ClaimPorts): Promise<Lease> {
  const { data, name, isStandby, leaseMs, store, clock, say } = ports;
  if (isStandby) await refuseUnknownKey(ports);
  const holder = { id: holderOf(data), name, leaseMs };
  for (let before: string | null = null; ; ) {
    const outcome = await takeLease(store, holder);
    if (outcome.kind === 'taken') return outcome.lease;
    if (!isStandby) throw new BadOption('Another hub works on this database.');
    if (outcome.by !== before)
      say(`Standby: ${outcome.by || 'another hub'} works; this hub takes over when it is gone.`);
    before = outcome.by;
    await clock.sleep(LOOK_EVERY_MS);
  }
}

/**
 * Who a hub with this folder is: a random id that is made at its first start and stays with the folder. Host name and path do
 * not tell hubs apart: cloned images and containers share both.
 */
export function holderOf(data: string): string {
  const file = join(data, 'hub-id');
  if (!existsSync(file)) writeFileSync(file, randomUUID(), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8');
}

/** Devices believe the key they know; with another one the standby would be another hub to them. */
async function refuseUnknownKey({ data, store }: ClaimPorts): Promise<void> {
  const known = await readHubSetting(store.db, HUB_KEY);
  const file = join(data, 'box-key.pem');
  const own = existsSync(file) ? fingerprintOfKey(readFileSync(file, 'utf8')) : null;
  if (known !== null && own !== known)
    throw new BadOption(
      `Devices know the hub by its key: copy box-key.pem of the hub into ${data}, then start the standby.`,
    );
}

/** The setting that holds the fingerprint of the hub that devices know. */
const HUB_KEY = 'boxKey';

/** The setting that holds what the hub was called at its last start. */
const HUB_NAME = 'name';

/** What the hub was called at its last start, or null. */
export function hubName({ db }: Store): Promise<string | null> {
  return readHubSetting(db, HUB_NAME);
}

/** Notes what this hub is called, and by which key devices know it. */
export async function noteHub(
  { store }: Pick<Claim, 'store'>,
  name: string,
  privateKey: string,
): Promise<void> {
  await writeHubSetting(store, HUB_NAME, name);
  await writeHubSetting(store, HUB_KEY, fingerprintOfKey(privateKey));
}

async function keep(
  { leaseMs, clock, log }: ClaimPorts,
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
