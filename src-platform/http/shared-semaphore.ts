/**
 * Two parallel requests per key across all processes on one PostgreSQL database
 * (docs/interface/limits.md#parallel-requests).
 *
 * A slot is an advisory lock of a session that each process keeps open for this purpose only. Nothing is written, and
 * the slots of a dead process are free as soon as its connection is closed.
 *
 * Invariants
 * - A process never requests a lock it holds: one session can take an advisory lock twice.
 * - When the session is lost its locks are lost, too; requests that held them continue, new ones count from zero.
 * - The connection must reach the server itself, not a pooler that shares sessions between transactions.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Release, Semaphore } from './semaphore.ts';

/**
 * The slot of an answer just sent may take a moment to become free in another process. A third request retries after
 * these times, in milliseconds, so that a client with two at a time is not refused.
 */
const handOver = [2, 10, 50];

type Session = {
  readonly client: pg.Client;
  /** Runs a query after all earlier ones. */
  readonly query: (text: string, lock: string) => Promise<boolean>;
  readonly held: Map<string, Set<number>>;
};

export type SharedSemaphore = Semaphore & { readonly close: () => Promise<void> };

/** The lock of a slot: 64 bits of its name. */
function lockOf(keyId: string, slot: number): string {
  return createHash('sha256').update(`slot ${keyId} ${slot}`).digest().readBigInt64BE().toString();
}

const lockText = 'select pg_try_advisory_lock($1) as done';
const unlockText = 'select pg_advisory_unlock($1) as done';

async function openSession(address: string): Promise<Session> {
  const client = new pg.Client({ connectionString: address, keepAlive: true });
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  const query = (text: string, lock: string): Promise<boolean> => {
    const run = async (): Promise<boolean> => {
      const { rows } = await client.query<{ done: boolean }>(text, [lock]);
      return rows[0]?.done === true;
    };
    const answer = last.then(run, run);
    last = answer;
    return answer;
  };
  return { client, query, held: new Map() };
}

/** Takes the first slot that is free everywhere; null if there is none. */
async function takeSlot(session: Session, keyId: string, slots: number): Promise<number | null> {
  for (let slot = 0; slot < slots; slot += 1) {
    const held = session.held.get(keyId) ?? new Set();
    if (held.has(slot)) continue;
    session.held.set(keyId, held.add(slot));
    let taken = false;
    try {
      taken = await session.query(lockText, lockOf(keyId, slot));
    } finally {
      if (!taken) dropSlot(session, keyId, slot);
    }
    if (taken) return slot;
  }
  return null;
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

  const releaseOf = (session: Session, keyId: string, slot: number): Release => {
    let held = true;
    inUse += 1;
    return () => {
      if (!held) return;
      held = false;
      inUse -= 1;
      dropSlot(session, keyId, slot);
      // A session that cannot unlock is closed, and its locks with it.
      session.query(unlockText, lockOf(keyId, slot)).catch(() => undefined);
    };
  };

  await connect();
  return {
    take: async (keyId) => {
      const session = await connect();
      let slot = await takeSlot(session, keyId, slots);
      for (const ms of handOver) {
        if (slot !== null) break;
        await delay(ms);
        slot = await takeSlot(session, keyId, slots);
      }
      return slot === null ? null : releaseOf(session, keyId, slot);
    },
    inUse: () => inUse,
    close: async () => {
      const session = current && (await current);
      await session?.client.end();
    },
  };
}
