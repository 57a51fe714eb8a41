/**
 * Two parallel requests per key across all processes on one PostgreSQL database
 * (docs/interface/limits.md#parallel-requests).
 *
 * A slot is an advisory lock of a session that each process keeps open for this purpose only. Nothing is written, and
 * the slots of a dead process are free as soon as its connection is closed.
 *
 * Invariants
 * - A third request is refused at once, unless another process is sending the answer of a request that holds a slot.
 *   Then this slot may be free a moment later, and the third request waits for it.
 * - A process never requests a lock it holds: one session can take an advisory lock twice.
 * - When the session is lost, its locks are lost too. Requests that held them continue; new requests count from zero.
 * - The connection must reach the server itself, not a pooler that shares sessions between transactions.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Semaphore, Slot } from './semaphore.ts';

/**
 * After the answer was sent, another process may need a moment to release its slot. A third request then retries
 * after these times, in milliseconds, so that a client with two at a time is not refused.
 */
const handOver = [2, 10, 50];

type Session = {
  readonly client: pg.Client;
  /** Runs a query after all earlier queries. */
  readonly query: (text: string, ...locks: readonly string[]) => Promise<boolean>;
  readonly held: Map<string, Set<number>>;
};

export type SharedSemaphore = Semaphore & { readonly close: () => Promise<void> };

/** The lock of a slot, or the mark that shows that its answer is being sent: 64 bits of the hash of its name. */
function lockOf(what: 'slot' | 'leaving', keyId: string, slot: number): string {
  return createHash('sha256').update(`${what} ${keyId} ${slot}`).digest().readBigInt64BE().toString();
}

const lockText = 'select pg_try_advisory_lock($1) as done';
/** The slot is released before its mark: while the mark exists, the slot may become free. */
const unlockText = 'select pg_advisory_unlock($1) as done, pg_advisory_unlock($2)';
const unlockOneText = 'select pg_advisory_unlock($1) as done';
/** The lock is shared, so that several processes can check a mark at the same time. */
const lookText = 'select pg_try_advisory_lock_shared($1) as done';
const endLookText = 'select pg_advisory_unlock_shared($1) as done';

async function openSession(address: string): Promise<Session> {
  const client = new pg.Client({ connectionString: address, keepAlive: true });
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  const query = (text: string, ...locks: readonly string[]): Promise<boolean> => {
    const run = async (): Promise<boolean> => {
      const { rows } = await client.query<{ done: boolean }>(text, [...locks]);
      return rows[0]?.done === true;
    };
    const answer = last.then(run, run);
    last = answer;
    return answer;
  };
  return { client, query, held: new Map() };
}

/** Takes the first slot that is free in all processes. Null if there is none. */
async function takeSlot(session: Session, keyId: string, slots: number): Promise<number | null> {
  for (let slot = 0; slot < slots; slot += 1) {
    const held = session.held.get(keyId) ?? new Set();
    if (held.has(slot)) continue;
    session.held.set(keyId, held.add(slot));
    let taken = false;
    try {
      taken = await session.query(lockText, lockOf('slot', keyId, slot));
    } finally {
      if (!taken) dropSlot(session, keyId, slot);
    }
    if (taken) return slot;
  }
  return null;
}

/** Whether another process is sending the answer of a request that holds a slot of the key. */
async function isLeaving(session: Session, keyId: string, slots: number): Promise<boolean> {
  for (let slot = 0; slot < slots; slot += 1) {
    if (session.held.get(keyId)?.has(slot) === true) continue;
    const mark = lockOf('leaving', keyId, slot);
    if (!(await session.query(lookText, mark))) return true;
    await session.query(endLookText, mark);
  }
  return false;
}

function dropSlot({ held }: Session, keyId: string, slot: number): void {
  const slots = held.get(keyId);
  slots?.delete(slot);
  if (slots?.size === 0) held.delete(keyId);
}

/** The semaphore of a process that shares its slots with others on the database at `address`. */
export async function openSharedSemaphore(address: string, slots = 2): Promise<SharedSemaphore> {
  let current: Promise<Session> | null = null;
  let inUse = 0;

  /** The open session; a lost one is replaced by the next request. */
  const connect = (): Promise<Session> => {
    if (current) return current;
    const opening = openSession(address);
    const forget = (): void => {
      if (current === opening) current = null;
    };
    current = opening;
    opening.then(({ client }) => client.on('error', forget).on('end', forget), forget);
    return opening;
  };

  const slotOf = (session: Session, keyId: string, slot: number): Slot => {
    let held = true;
    let marked = false;
    inUse += 1;
    const lock = lockOf('slot', keyId, slot);
    const mark = lockOf('leaving', keyId, slot);
    // A session that cannot lock or unlock is closed, which releases its locks.
    const send = async (text: string, ...locks: readonly string[]): Promise<void> => {
      await session.query(text, ...locks).catch(() => undefined);
    };
    return {
      leaving: async () => {
        if (!held || marked) return;
        marked = true;
        await send(lockText, mark);
      },
      release: () => {
        if (!held) return;
        held = false;
        inUse -= 1;
        dropSlot(session, keyId, slot);
        void (marked ? send(unlockText, lock, mark) : send(unlockOneText, lock));
      },
    };
  };

  await connect();
  return {
    take: async (keyId) => {
      const session = await connect();
      let slot = await takeSlot(session, keyId, slots);
      for (const ms of handOver) {
        if (slot !== null || session.held.get(keyId)?.size === slots) break;
        // If there is no mark, the slot was released before we looked for the mark, or it stays in use.
        const leaves = await isLeaving(session, keyId, slots);
        if (leaves) await delay(ms);
        slot = await takeSlot(session, keyId, slots);
        if (!leaves) break;
      }
      return slot === null ? null : slotOf(session, keyId, slot);
    },
    inUse: () => inUse,
    close: async () => {
      const session = current && (await current);
      await session?.client.end();
    },
  };
}
