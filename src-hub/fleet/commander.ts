/**
 * Commands to devices: signed by the box, kept until the device says that it followed them, over after a day.
 *
 * Invariants: the number of a command is higher than that of any before, also when the store of the box was lost (it begins
 * with the time); a command that is waiting gives way to a later one of its kind.
 */
import { type Command, writeCommand } from '../../src-main/provision/signed-command.ts';
import type { Store } from '../../src-platform/store/store.ts';

const DAY_MS = 86_400_000;
/** More wait for no device: each kind has one. */
const MOST = 20;

export type Commander = {
  /** Sends `command` to devices. */
  readonly send: (devices: readonly string[], command: Command) => Promise<void>;
  /** What waits for a device that followed everything up to `followed`. */
  readonly waitingFor: (device: string, followed: number) => Promise<readonly string[]>;
};

export type CommanderPorts = {
  readonly store: Store;
  readonly privateKey: string;
  readonly now: () => number;
  /** These devices have something to ask for. */
  readonly onSent: (devices: readonly string[]) => void;
};

/** The commands of one box. */
export function createCommander({ store, privateKey, now, onSent }: CommanderPorts): Commander {
  return {
    send: async (devices, command) => {
      const issuedAt = now();
      const expiresAt = issuedAt + DAY_MS;
      await store.transaction(async (db) => {
        for (const device of devices) {
          const last = await db
            .selectFrom('device_command')
            .select(({ fn }) => fn.max('number').as('number'))
            .where('device_id', '=', device)
            .executeTakeFirst();
          const number = Math.max(issuedAt, Number(last?.number ?? 0) + 1);
          const text = writeCommand({ device, number, issuedAt, expiresAt, command }, privateKey);
          await db
            .deleteFrom('device_command')
            .where('device_id', '=', device)
            .where('kind', '=', command.kind)
            .execute();
          const row = { device_id: device, number: BigInt(number), kind: command.kind, text };
          await db
            .insertInto('device_command')
            .values({ ...row, expires: BigInt(expiresAt) })
            .execute();
        }
      });
      onSent(devices);
    },
    waitingFor: async (device, followed) => {
      const rows = await store.db
        .selectFrom('device_command')
        .select(['number', 'text', 'expires'])
        .where('device_id', '=', device)
        .orderBy('number')
        .limit(MOST)
        .execute();
      const open = rows.filter(({ number, expires }) => Number(number) > followed && Number(expires) > now());
      if (open.length < rows.length) await forget(store, device, followed, now());
      return open.map(({ text }) => text);
    },
  };
}

/** Forgets what was followed, and what is over. */
async function forget(store: Store, device: string, followed: number, now: number): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .deleteFrom('device_command')
      .where('device_id', '=', device)
      .where((row) => row.or([row('number', '<=', BigInt(followed)), row('expires', '<=', BigInt(now))]))
      .execute();
  });
}
