/**
 * An in-memory mirror for modelled devices. The puller writes the event into it, but without texts.
 *
 * Invariants:
 * - It answers the puller like the mirror on disk (`src-main/core/event/mirror/tables.ts`), but only by revision:
 *   a record with a changed text under the same revision does not count as changed.
 * - A sound pass removes every record that it did not see.
 */
import type { PulledMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import type { Progress } from '../../../src-main/core/event/mirror/progress.ts';
import type { ResourceName } from '../../../src-main/core/event/mirror/resources.ts';
import type { MirrorRow } from '../../../src-main/core/event/mirror/rows.ts';
import type { Applied } from '../../../src-main/core/event/mirror/tables.ts';

export type MemoryMirror = PulledMirror & {
  /** Another mirror with the same content, as if it had read the content itself. */
  readonly copy: () => MemoryMirror;
};

type Held = { readonly revision: bigint; readonly deleted: boolean };

type List = {
  progress: Progress;
  records: Map<string, Held>;
  /** The records that the running pass has seen so far. */
  seen: Set<string>;
};

const NOTHING: Progress = {
  ...{ revision: 0n, complete: false, pass: null, passes: 0, sweptAt: null },
  ...{ asks: 0, approved: false, living: 0 },
};

const put = (list: List, rows: readonly MirrorRow[], inPass: boolean): Applied => {
  const changed: Applied['changed'][number][] = [];
  let added = 0;
  let wentBack = false;
  for (const { record } of rows) {
    const { id, revision, deleted } = record;
    const before = list.records.get(id);
    if (inPass) list.seen.add(id);
    wentBack ||= before !== undefined && revision < before.revision;
    const wins = before === undefined || (inPass ? revision !== before.revision : revision > before.revision);
    if (!wins) continue;
    added += before === undefined ? 1 : 0;
    list.records.set(id, { revision, deleted });
    changed.push(record);
  }
  return { changed, added, wentBack };
};

const open = (
  lists: Map<ResourceName, List>,
  notes = new Map<string, string>(),
  refused = new Set<ResourceName>(),
): MemoryMirror => {
  const listOf = (resource: ResourceName): List => {
    const known = lists.get(resource) ?? { progress: NOTHING, records: new Map(), seen: new Set() };
    lists.set(resource, known);
    return known;
  };
  return {
    discardReplaced: () => undefined,
    generation: () => 0,
    progress: (resource) => listOf(resource).progress,
    applyPage: (resource, rows, revision) => {
      const list = listOf(resource);
      list.progress = { ...list.progress, revision };
      return put(list, rows, false);
    },
    applyPassPage: (resource, rows, pass) => {
      const list = listOf(resource);
      list.progress = { ...list.progress, pass, passes: pass.number };
      return put(list, rows, true);
    },
    endPass: (resource, pass, now) => {
      const list = listOf(resource);
      const removed = pass.sound ? [...list.records.keys()].filter((id) => !list.seen.has(id)) : [];
      for (const id of removed) list.records.delete(id);
      list.seen = new Set();
      list.progress = { ...list.progress, revision: pass.from, complete: true, pass: null, sweptAt: now };
      return { kind: 'swept', removed };
    },
    discardPositions: () => {
      for (const list of lists.values()) list.progress = { ...list.progress, pass: null, sweptAt: 0 };
    },
    metadata: (key) => notes.get(key) ?? null,
    setMetadata: (key, text) => void notes.set(key, text),
    isRefused: (resource) => refused.has(resource),
    setRefused: (resource, isRefused) => void (isRefused ? refused.add(resource) : refused.delete(resource)),
    copy: () =>
      open(
        new Map(
          [...lists].map(([name, { progress, records }]) => [
            name,
            { progress, records: new Map(records), seen: new Set() },
          ]),
        ),
        new Map(notes),
        new Set(refused),
      ),
  };
};

/** An empty mirror. */
export const createMemoryMirror = (): MemoryMirror => open(new Map());
