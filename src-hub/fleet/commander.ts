/**
 * Commands to devices: stored until the device reports that it executed them, valid for a day, signed when a device
 * fetches them.
 *
 * Invariants
 * - Command numbers only increase, even after the hub lost its store or its clock was set back. A number is at least
 *   the current time in milliseconds, and above the number that the device reports.
 * - A later command replaces a waiting one of its kind.
 * - The hub measures the validity with its own clock and states it in the platform's time, which devices use.
 */
import { type Command, commandSchema, writeCommand } from '../../src-main/provision/signed-command.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { readReport } from './reading.ts';

const DAY_MS = 86_400_000;
/** Maximum number of commands in one answer. At most one of each kind waits for a device. */
const MOST = 20;

export type Commander = {
  /** Sends `command` to devices. */
  readonly send: (devices: readonly string[], command: Command) => Promise<void>;
  /** The signed commands with a number above `followed`, the number of the last command that the device executed. */
  readonly waitingFor: (device: string, followed: number) => Promise<readonly string[]>;
};

/**
 * The commands of one hub. Times are epoch milliseconds. `now` is the hub's clock. `platformTime` is the platform's
 * clock, or the hub's while that is unknown.
 */
export function createCommander({
  store,
  privateKey,
  now,
  platformTime,
}: {
  readonly store: Store;
  readonly privateKey: string;
  readonly now: () => number;
  readonly platformTime: () => number;
}): Commander {
  return {
    send: async (devices, command) => {
      const expires = BigInt(now() + DAY_MS);
      await store.transaction(async (db, notify) => {
        for (const device of devices) {
          notify('commands', device);
          const last = await db
            .selectFrom('device_command')
            .select(({ fn }) => fn.max('number').as('number'))
            .where('device_id', '=', device)
            .executeTakeFirst();
          const reported = await db
            .selectFrom('device')
            .select('report')
            .where('id', '=', device)
            .executeTakeFirst();
          const followed = readReport(reported?.report ?? null, 0)?.command ?? 0;
          const number = Math.max(Math.round(platformTime()), Number(last?.number ?? 0) + 1, followed + 1);
          await db
            .deleteFrom('device_command')
            .where('device_id', '=', device)
            .where('kind', '=', command.kind)
            .execute();
          await db
            .insertInto('device_command')
            .values({
              device_id: device,
              number: BigInt(number),
              kind: command.kind,
              expires,
              text: JSON.stringify(command),
            })
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
        number: Number(number),
        text,
        left: Number(expires) - at,
      }));
      const open = left.filter((row) => row.number > followed && row.left > 0);
      if (open.length < rows.length) await deleteDone(store, device, followed, at);
      // After the clock was set back, a command is still valid for at most a day.
      if (open.some((row) => row.left > DAY_MS)) await shorten(store, device, at + DAY_MS);
      return open.flatMap((row) => {
        const command = commandSchema.safeParse(JSON.parse(row.text));
        if (!command.success) return [];
        const expiresAt = Math.round(platformTime() + Math.min(DAY_MS, row.left));
        const issuedAt = expiresAt - DAY_MS;
        return [
          writeCommand(
            { device, number: row.number, issuedAt, expiresAt, command: command.data },
            privateKey,
          ),
        ];
      });
    },
  };
}

/** Deletes commands that devices executed or that expired. */
async function deleteDone(store: Store, device: string, followed: number, now: number): Promise<void> {
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
