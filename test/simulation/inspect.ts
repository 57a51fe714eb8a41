/**
 * Looks at a stopped kiosk's files and at the platform, and says which law was broken.
 *
 * Invariant: reads the real files; nothing it says comes from the running kiosk.
 */
import { join } from 'node:path';
import { readFactLines } from '../../src-main/core/journal/fact-lines.ts';
import { openMirror } from '../../src-main/core/mirror/mirror.ts';
import { RESOURCES } from '../../src-main/core/mirror/resources.ts';
import { chainAt } from '../core/real-parts.ts';
import type { ModelPlatform } from './model-platform.ts';

/** A tap the screen was told is captured. */
export type Shown = { readonly factId: string; readonly owner: number };

/** Breaches of one kiosk, in words. */
export const inspect = (
  folder: string,
  expoId: string,
  platform: ModelPlatform,
  shown: readonly Shown[],
): readonly string[] => [
  ...journalBreaches(folder, platform, shown),
  ...mirrorBreaches(folder, expoId, platform),
];

function* journalBreaches(
  folder: string,
  platform: ModelPlatform,
  shown: readonly Shown[],
): Generator<string> {
  const lines = [...(readFactLines(join(folder, 'journal.db')) ?? [])];
  const ids = new Set(lines.map((line) => line.id));
  for (const { factId } of shown)
    if (!ids.has(factId)) yield `docs/laws.md#law-1: shown tap ${factId} is not in the journal`;
  const accepted = platform.accepted();
  const takenBack = new Set(
    lines.flatMap(({ payload }) => (payload !== null && 'undoes' in payload ? [payload.undoes] : [])),
  );
  for (const line of lines) {
    const state = line.delivery?.state ?? 'missing';
    const poisoned = line.payload !== null && platform.poison.has(line.payload.badge ?? '');
    const erased = line.payload === null;
    // Of an erased fact nothing is left to prove anything with; `sent` is the last word on it.
    const settled = state === 'confirmed' || state === 'parked' || (erased && state === 'sent');
    if (!settled) yield `fact ${line.seq} (${line.kind}) ended ${state}`;
    if (state === 'parked' && !poisoned && !erased) yield `fact ${line.seq} parked: ${line.delivery?.reason}`;
    // docs/laws.md#law-3: where ids are ignored, the platform's word is the last proof of what leaves no action.
    const leavesAction = ['tap', 'collect', 'checkin'].includes(line.kind) && !takenBack.has(line.id);
    const unseen = !leavesAction && platform.lostUnseen(line.id);
    if (state === 'confirmed' && !erased && !unseen && !accepted.has(line.id)) {
      yield `docs/laws.md#law-3: fact ${line.seq} is confirmed, but the platform does not have it`;
    }
  }
  const { brokenAt } = chainAt(join(folder, 'journal.db'));
  if (brokenAt !== null) yield `the chain is broken at ${brokenAt}`;
}

function* mirrorBreaches(folder: string, expoId: string, platform: ModelPlatform): Generator<string> {
  const mirror = openMirror(join(folder, 'mirror.db'), expoId);
  try {
    for (const { name } of RESOURCES) {
      const ours = new Map(mirror.records(name).map((record) => [record.id, JSON.stringify(record.body)]));
      const theirs = new Map(
        platform
          .living(name)
          .map((row) => [String(row.body.id ?? row.body.visitorID), JSON.stringify(row.body)]),
      );
      for (const [id, body] of theirs) {
        if (ours.get(id) !== body)
          yield `docs/laws.md#law-4: ${name} ${id} is ${ours.get(id) ?? 'missing'}, not ${body}`;
      }
      for (const id of ours.keys()) if (!theirs.has(id)) yield `docs/laws.md#law-4: ${name} ${id} is a ghost`;
    }
  } finally {
    mirror.close();
  }
}
