/**
 * Commands to devices: kept until the device says that it followed them, over after a day, signed when they are handed over.
 *
 * Invariants: the number of a command is higher than that of any before, also when the store of the hub was lost or its clock
 * was set back (it begins with the time, and behind what the device says it followed); a command that is waiting gives way to a
 * later one of its kind; how long one is still good is measured by the hub's own clock and said by the platform's, which is what a
 * device goes by.
 */
import { type Command, commandSchema, writeCommand } from '../../src-main/provision/signed-command.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { readReport } from './reading.ts';

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
  /** Epoch milliseconds by the hub's clock. */
  readonly now: () => number;
  /** The same by the platform's, or by the hub's while that is not known. */
  readonly platformTime: () => number;
};

/** The commands of one hub. */
export function createCommander(ports: CommanderPorts): Commander {
  const { store, privateKey, now, platformTime } = ports;
  return {
    send: async (devices, command) => {
      const expires = BigInt(now() + DAY_MS);
      await store.transaction(async (db) => {
        for (const device of devices) {
          const last = await db
            .selectFrom('device_command')
            .select(({ fn }) => fn.max('number').as('number'))
            .where('device_id', '=', device)
            .executeTakeFirst();
          const told = await db
            .selectFrom('device')
            .select('report')
            .where('id', '=', device)
            .executeTakeFirst();
          const followed = readReport(told?.report ?? null, 0)?.command ?? 0;
          const number = Math.max(Math.round(platformTime()), Number(last?.number ?? 0) + 1, followed + 1);
          await db
            .deleteFrom('device_command')
            .where('device_id', '=', device)
            .where('kind', '=', command.kind)
            .execute();
          const row = { device_id: device, number: BigInt(number), kind: command.kind, expires };
          await db
            .insertInto('device_command')
            .values({ ...row, text: JSON.stringify(command) })
            .execute();
        }
      });
    },
    waitingFor: async (device, followed) => {
      const rows = await store.db
        .selectFrom('device_command')
        .select(['number', 'text', 'expires'])
        .where('device_id', '=', device)
        .orderBy('number')
        .limit(MOST)
        .execute();
      const at = now();
      const left = rows.map(({ number, text, expires }) => ({
        ...{ number: Number(number), text, left: Number(expires) - at },
      }));
      const open = left.filter((row) => row.number > followed && row.left > 0);
      if (open.length < rows.length) await forget(store, device, followed, at);
      // The clock was set back: a command is good for a day, not for longer.
      if (open.some((row) => row.left > DAY_MS)) await shorten(store, device, at + DAY_MS);
      return open.flatMap((row) => {
        const command = commandSchema.safeParse(JSON.parse(row.text));
        if (!command.success) return [];
        const expiresAt = Math.round(platformTime() + Math.min(DAY_MS, row.left));
        const content = { device, number: row.number, issuedAt: expiresAt - DAY_MS, expiresAt };
        return [writeCommand({ ...content, command: command.data }, privateKey)];
      });
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

async function shorten(store: Store, device: string, most: number): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .updateTable('device_command')
      .set({ expires: BigInt(most) })
      .where('device_id', '=', device)
      .where('expires', '>', BigInt(most))
      .execute();
  });
}
