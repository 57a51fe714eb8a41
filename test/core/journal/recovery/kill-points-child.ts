/**
 * The process of `kill-points.test.ts` that ends itself with SIGKILL at a named point. `node kill-points-child.ts
 * <point> <countdown> <folder> <base url> <key> <expo> <touchpoint> <partner>`: records a few taps, prints their ids,
 * then works until it reaches the point for the `countdown`-th time.
 *
 * Invariants:
 * - The product has no hook for this: each point is in a port or in an injected object.
 * - An id is printed only after `record` returned.
 */
import { writeSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Clock, Log } from '../../../../src-main/core/foundations/ports.ts';
import { openDatabase } from '../../../../src-main/core/foundations/store/database.ts';
import { JOURNAL_MIGRATIONS } from '../../../../src-main/core/journal/facts/schema.ts';
import { openDurableJournal } from '../../../../src-main/core/journal/recovery/durable-journal.ts';
import { createMaintenance } from '../../../../src-main/core/journal/recovery/maintenance.ts';
import { pageOf, realClock, realRandom, stamperOf } from '../../real-parts.ts';

const [
  point = '',
  count = '1',
  folder = '',
  baseUrl = '',
  key = '',
  expoId = '',
  touchpoint = '',
  partner = '',
] = process.argv.slice(2);

let left = Number(count);
/** Called each time the process reaches the point. Kills the process at the last time. */
const reached = (): void => {
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
};
const never = new Promise<never>(() => undefined);
const log: Log = {
  error: (what) =>
    void writeSync(2, point === 'mid-quarantine' || point === 'mid-salvage' ? '' : `${what}\n`),
  warn: () => undefined,
  info: () => undefined,
};
/** A clock with short waits. For the point `mid-salvage`, each pause of the recovery is the point. */
const clock: Clock = {
  ...realClock,
  // Every slice ends immediately, so that there are many pauses to stop in.
  monotonic: point === 'mid-salvage' ? steps() : realClock.monotonic,
  sleep: async (ms, signal) => {
    if (point === 'mid-salvage') reached();
    await realClock.sleep(Math.min(ms, 10), signal);
  },
};

function steps(): () => number {
  let now = 0;
  return () => (now += 4);
}

const migrate = (): void => {
  // The step itself, followed by a query that runs until the process is killed.
  const endless =
    'SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n);';
  const migrations = JOURNAL_MIGRATIONS.map((step, index) =>
    index === left % JOURNAL_MIGRATIONS.length && index > 0
      ? {
          ...step,
          // Read in the middle of the transaction.
          get sql() {
            writeSync(1, 'end me\n');
            return `${step.sql};${endless}`;
          },
        }
      : step,
  );
  openDatabase(join(folder, 'journal.db'), { durability: 'full', migrations });
  process.kill(process.pid, 'SIGKILL');
};

const openDurable = () => {
  const durable = openDurableJournal({
    folder,
    stamper: stamperOf(),
    clock,
    log,
    step: () => {
      if (point === 'mid-quarantine') reached();
    },
  });
  const settings = durable.journal.settings;
  if (settings.get('expo') === null) settings.set('expo', expoId);
  return durable;
};

const capture = (record: ReturnType<typeof openDurable>['journal']['record'], taps: number): void => {
  for (let tap = 0; tap < taps; tap += 1) {
    const badge =
      `04${process.pid.toString(16).padStart(8, '0')}${tap.toString(16).padStart(4, '0')}`.toUpperCase();
    const { fact } = record(
      {
        kind: 'tap',
        source: 'nfc',
        reader: 'r',
        touchpoint,
        partner,
        clockOffset: null,
        staff: null,
        payload: { badge },
      },
      null,
    );
    writeSync(1, `${fact.id}\n`);
  }
};

/** Sends the first half of the body over its own socket, like a machine that crashes while sending. */
const sendHalf = async (path: string, body: string): Promise<void> => {
  const address = new URL(baseUrl + path);
  const socket = connect(Number(address.port), address.hostname);
  const head = [
    `POST ${address.pathname} HTTP/1.1`,
    `host: ${address.host}`,
    `authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ].join('\r\n');
  await new Promise<void>((resolve) => {
    socket.write(`${head}\r\n\r\n${body.slice(0, body.length / 2)}`, () => resolve());
  });
};

const deliver = async (): Promise<void> => {
  const { createClient } = await import('../../../../src-main/core/foundations/api/client.ts');
  const { createSender } = await import('../../../../src-main/core/delivery/outbox/sender.ts');
  const { createConnection } = await import('../../../../src-main/core/foundations/api/connection.ts');
  const { journal } = openDurable();
  const real = createClient({ baseUrl, key, password: '', expoId }, clock);
  const client: typeof real = {
    ...real,
    post: async (path, body, signal) => {
      if (point === 'before-send') reached();
      if (point === 'half-body') {
        await sendHalf(path, body);
        reached();
      }
      const answer = await real.post(path, body, signal);
      if (point === 'after-commit') reached();
      return answer;
    },
    get: async (path, query, signal) => {
      if (point === 'before-read-back') reached();
      return real.get(path, query, signal);
    },
  };
  const settle: typeof journal.outbox.settle = (settlements, at) => {
    if (point === 'before-acknowledgement') reached();
    journal.outbox.settle(settlements, at);
    if (point === 'after-acknowledgement') reached();
  };
  const sender = createSender({
    client,
    expoId,
    journal: { ...journal, outbox: { ...journal.outbox, settle } },
    clock,
    random: realRandom,
    log,
    connection: createConnection(() => undefined),
    owner: () => ({ touchpoint, partner }),
    onChange: () => setImmediate(goOn),
  });
  const goOn = (): void => {
    const { captured, confirmed } = journal.outbox.counts();
    if (captured !== confirmed) return;
    capture(journal.record, 1);
    sender.wake();
  };
  capture(journal.record, 2);
  await sender.run(new AbortController().signal);
};

const pull = async (): Promise<void> => {
  const { openMirror } = await import('../../../../src-main/core/event/mirror/mirror.ts');
  const { readPage } = await import('../../../../src-main/core/foundations/api/page.ts');
  const mirror = openMirror(join(folder, 'mirror.db'), expoId);
  for (;;) {
    const from = mirror.progress('visitors').revision;
    const response = await fetch(`${baseUrl}/visitors/${expoId}?fromRevision=${from}&limit=20`, {
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    });
    if (response.status === 429) continue;
    const page = readPage(await response.text(), 'id');
    if (page.kind === 'malformed') throw new Error(page.reason);
    const rows = pageOf('visitors', page.records).map((row) => ({
      ...row,
      // Read in the middle of the transaction.
      get codes() {
        reached();
        return row.codes;
      },
    }));
    mirror.applyPage('visitors', rows, page.records.at(-1)?.revision ?? from);
    reached();
    if (page.records.length < 2) process.kill(process.pid, 'SIGKILL');
  }
};

/**
 * Runs passes endlessly. In every second pass half of the visitors are gone. The process is killed in between, from
 * the second pass on, each time one call later.
 */
const sweep = async (): Promise<void> => {
  const { openMirror } = await import('../../../../src-main/core/event/mirror/mirror.ts');
  const mirror = openMirror(join(folder, 'mirror.db'), expoId);
  const visitors = Array.from({ length: 400 }, (_, index) => ({
    id: `v${index}`,
    revision: BigInt(index + 1),
    deleted: false,
    body: { id: `v${index}`, revision: index + 1, badges: [{ code: `CODE${index}` }] },
  }));
  const callsOfAPass = 3;
  let calls = 0;
  const beforeCall = (): void => {
    if (calls === callsOfAPass + left) writeSync(1, 'end me\n');
    calls += 1;
  };
  for (let round = 0; ; round += 1) {
    const seen = round % 2 === 0 ? visitors : visitors.slice(0, 200);
    const pass = { number: mirror.progress('visitors').passes + 1, from: 400n, sound: true };
    beforeCall();
    mirror.applyPassPage('visitors', pageOf('visitors', seen), pass);
    beforeCall();
    mirror.approveSweep('visitors');
    beforeCall();
    mirror.endPass('visitors', pass, 1);
  }
};

const backUp = async (): Promise<void> => {
  const durable = openDurable();
  const maintenance = createMaintenance({ durable, folder, clock, log, onSalvaged: () => undefined });
  const { database } = durable.current();
  const whole = database.backup.bind(database);
  database.backup = (path) =>
    whole(path, {
      progress: () => {
        reached();
        return 3;
      },
    });
  capture(durable.journal.record, 2);
  for (;;) await maintenance.backUp(new AbortController().signal);
};

const salvage = async (): Promise<void> => {
  const durable = openDurable();
  const maintenance = createMaintenance({ durable, folder, clock, log, onSalvaged: () => undefined });
  capture(durable.journal.record, 1);
  await maintenance.salvageOpen(new AbortController().signal);
  process.kill(process.pid, 'SIGKILL');
};

if (point === 'mid-migration') migrate();
else if (point === 'between-page-and-cursor') await pull();
else if (point === 'mid-sweep') await sweep();
else if (point === 'mid-backup') await backUp();
else if (point === 'mid-quarantine' || point === 'mid-salvage') await salvage();
else await deliver();
await never;
