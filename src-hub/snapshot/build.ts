/**
 * Builds one snapshot in its own thread. `workerData` is the task; the only message is the result.
 *
 * Invariants
 * - For each list, the snapshot holds every record up to the list's revision, as devices read it. It may also hold
 *   changes made during the build; devices receive them again by revision.
 * - The file gets its final name when it is complete.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createZstdCompress } from 'node:zlib';
import type { Resource } from '../../src-main/core/event/mirror/resources.ts';
import { rowsOf } from '../../src-main/core/event/mirror/rows.ts';
import { createSnapshotFile, type SnapshotFile } from '../../src-main/core/event/mirror/snapshot-file.ts';
import { readPage } from '../../src-main/core/foundations/api/page.ts';
import { openExistingData } from '../../src-platform/data.ts';
import { type DeviceView, shownTo } from '../../src-platform/hub/narrowing.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { SNAPSHOT_RESOURCES, servedAs } from '../mirror/resources.ts';
import type { BuildTask, BuiltSnapshot } from './snapshots.ts';

/** Number of records per read. */
const PORTION = 1_000;

/** The view that every device of the hub may have. */
const USUAL_VIEW: DeviceView = { partnerId: null, seesAllDetails: false };

/** Writes a list into the file. Returns the number of records. */
async function putList(
  store: Store,
  expoId: string,
  resource: Resource,
  file: SnapshotFile,
): Promise<number> {
  const { kind, list } = servedAs(resource.name);
  const counter = await store.db.selectFrom('counter').select('value').executeTakeFirstOrThrow();
  const showsDeleted = resource.showsDeleted || list?.alwaysShowsDeleted === true;
  let count = 0;
  let known = 0n;
  for (let last = ''; ; ) {
    const rows = await store.db
      .selectFrom('record')
      .select(['kind', 'id', 'basic', 'revision', 'deleted', 'partner_id'])
      .where('kind', '=', kind)
      .where('expo_id', '=', expoId)
      .where('id', '>', last)
      .$if(!showsDeleted, (shown) => shown.where('deleted', '=', 0))
      .orderBy('id')
      .limit(PORTION)
      .execute();
    const shown = rows.map((row) => shownTo(USUAL_VIEW, row)).filter((text) => text !== null);
    const bytes = Buffer.from(`[${shown.join(',')}]`);
    const page = readPage(bytes.toString(), resource.idField);
    if (page.kind === 'malformed') throw new Error(`${resource.name} of the store: ${page.reason}`);
    file.put(resource.name, rowsOf(resource.name, bytes, page));
    count += rows.length;
    // Devices continue from this revision, so the snapshot must contain its record.
    for (const { revision } of rows) if (revision <= counter.value && revision > known) known = revision;
    if (rows.length < PORTION) break;
    last = rows.at(-1)?.id ?? last;
  }
  file.end(resource.name, known);
  return count;
}

/** Compresses the file at `from`; returns hash and length of the result. */
async function pack(from: string, to: string): Promise<{ readonly sha256: string; readonly length: number }> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    createReadStream(from),
    createZstdCompress(),
    hashed,
    createWriteStream(to, { mode: 0o600 }),
  );
  return { sha256: hash.digest('hex'), length: statSync(to).size };
}

async function build({ data, database, expoId, folder }: BuildTask): Promise<BuiltSnapshot> {
  const plain = join(folder, 'next.db');
  const packed = join(folder, 'next.zst');
  for (const path of [plain, packed]) rmSync(path, { force: true });
  const store = await openExistingData(data, database);
  try {
    const file = createSnapshotFile(plain, expoId);
    let records = 0;
    try {
      for (const resource of SNAPSHOT_RESOURCES) records += await putList(store, expoId, resource, file);
    } finally {
      file.close();
    }
    const size = statSync(plain).size;
    const { sha256, length } = await pack(plain, packed);
    renameSync(packed, join(folder, `${sha256}.zst`));
    return { sha256, length, size, records };
  } finally {
    rmSync(plain, { force: true });
    await store.close();
  }
}

parentPort?.postMessage(await build(workerData as BuildTask));
