/**
 * Concurrent writes, made directly at the store: each is kept or fails separately, and reads continue in the
 * meantime.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, Store, Write } from '../../src-platform/store/store.ts';
import { type Backend, openBackend } from './backend.ts';

let folder: string;
let backend: Backend;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchpoint-writes-'));
  backend = await openBackend(folder);
  store = backend.instances[0].store;
});
afterEach(async () => {
  await backend.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A separate setting for each write, with the revision that the write was assigned. */
const keep =
  (name: string) =>
  async ({ db, nextRevision, noteChange }: Write): Promise<bigint> => {
    const revision = nextRevision();
    await db
      .insertInto('box_setting')
      .values({ name, value: String(revision) })
      .execute();
    noteChange({ expoId: 'E', kind: name, revision });
    return revision;
  };

const kept = async (): Promise<ReadonlyMap<string, string>> => {
  const rows = await store.db.selectFrom('box_setting').select(['name', 'value']).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
};

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `n${index}`);

describe('concurrent writes', () => {
  it('are all kept, each with its own revision, in the order of arrival', async () => {
    const all = names(120);
    const revisions = await Promise.all(all.map((name) => store.write(keep(name))));
    expect(revisions).toEqual(revisions.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Set(revisions).size).toBe(all.length);
    expect(await kept()).toEqual(new Map(all.map((name, index) => [name, String(revisions[index])])));
    const after = await store.write(async ({ nextRevision }) => nextRevision());
    expect(after).toBe((revisions.at(-1) ?? 0n) + 1n);
  });

  it('roll back only their own changes when they fail', async () => {
    const heard: Change[] = [];
    store.onChange((changes) => heard.push(...changes));
    const all = names(30);
    const fails = (index: number): boolean => index % 3 === 1;
    const ends = await Promise.allSettled(
      all.map((name, index) =>
        store.write(async (write) => {
          const revision = await keep(name)(write);
          // Another way to fail: the database itself refuses the write.
          if (fails(index) && index % 2 === 0) await keep(name)(write);
          if (fails(index)) throw new Error(`no ${name}`);
          return revision;
        }),
      ),
    );
    expect(ends.map(({ status }) => status)).toEqual(
      all.map((_, index) => (fails(index) ? 'rejected' : 'fulfilled')),
    );
    const good = all.filter((_, index) => !fails(index));
    expect([...(await kept()).keys()].toSorted()).toEqual(good.toSorted());
    expect(heard.map(({ kind }) => kind)).toEqual(good);
    // A failed write leaves no gap among the assigned revisions.
    const given = heard.map(({ revision }) => revision);
    expect(given).toEqual(given.map((_, index) => (given[0] ?? 0n) + BigInt(index)));
  });

  it('are answered only after the commit', async () => {
    const seen = await Promise.all(
      names(20).map(async (name) => {
        await store.write(keep(name));
        return (await kept()).has(name);
      }),
    );
    expect(seen).not.toContain(false);
  });

  it('do not block reads while they wait for a slow one', async () => {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const long = store.write(async (write) => {
      await keep('long')(write);
      await held;
    });
    const others = names(25).map((name) => store.write(keep(name)));
    expect((await kept()).size).toBe(0);
    end();
    await Promise.all([long, ...others]);
    expect((await kept()).size).toBe(26);
  });
});
