/**
 * Inspects a stopped device's files and the platform, and returns the broken laws.
 *
 * Invariant: reads the real files. Nothing comes from the running device.
 */
import { join } from 'node:path';
import { RESOURCES, type Resource, type ResourceName } from '../../src-main/core/event/mirror/resources.ts';
import { openReadOnly } from '../../src-main/core/foundations/store/database.ts';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { chainAt } from '../core/real-parts.ts';
import type { Shown } from './device.ts';
import type { ModelPlatform } from './model-platform.ts';

type Body = Readonly<Record<string, unknown>>;

/** Breaches of one device that is connected to the platform itself, as text. */
export const inspect = (
  folder: string,
  platform: ModelPlatform,
  shown: readonly Shown[],
): readonly string[] => [
  ...journalBreaches(folder, platform, shown),
  ...mirrorBreaches(folder, RESOURCES, (name) => textsById(platform.living(name).map(({ body }) => body))),
];

/** Breaches of a journal. `foreign`: facts that another device captured and delivers. */
export function* journalBreaches(
  folder: string,
  platform: ModelPlatform,
  shown: readonly Shown[],
  foreign: ReadonlySet<string> = new Set(),
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
    // Two kinds of facts may stay `sent`: an erased fact, because no content is left to match with an action, and a
    // refused fact of another device, because only the device that captured it parks it.
    const isForeign = foreign.has(line.id);
    const isSent = state === 'sent' || (isForeign && state === 'at_hub');
    const isLastWord = isSent && (erased || (isForeign && poisoned));
    if (state !== 'confirmed' && state !== 'parked' && !isLastWord)
      yield `fact ${line.seq} (${line.kind} ${line.id}) ended ${state}: ${line.delivery?.reason}`;
    if (state === 'parked' && !poisoned && !erased) yield `fact ${line.seq} parked: ${line.delivery?.reason}`;
    // docs/laws.md#law-3: no device can detect that a restored platform lost this fact, if the platform ignores ids
    // and no action shows the id of the fact.
    const leavesAction = ['tap', 'collect', 'checkin'].includes(line.kind) && !takenBack.has(line.id);
    const unseen = !(leavesAction && platform.tellsFacts) && platform.lostUnseen(line.id);
    if (state === 'confirmed' && !erased && !unseen && !accepted.has(line.id)) {
      yield `docs/laws.md#law-3: fact ${line.seq} is confirmed, but the platform does not have it`;
    }
  }
  const { brokenAt } = chainAt(join(folder, 'journal.db'));
  if (brokenAt !== null) yield `the chain is broken at ${brokenAt}`;
}

/** Records as JSON texts by id. */
export const textsById = (bodies: readonly Body[]): ReadonlyMap<string, string> =>
  new Map(bodies.map((body) => [String(body.id ?? body.visitorID), JSON.stringify(body)]));

/** Breaches of a mirror: its differences from `expected`. `shown`: the compared part of a record. */
export function* mirrorBreaches(
  folder: string,
  resources: readonly Resource[],
  expected: (name: ResourceName) => ReadonlyMap<string, string>,
  shown: (body: Body) => Body = (body) => body,
): Generator<string> {
  const database = openReadOnly(join(folder, 'mirror.db'));
  if (database === null) throw new Error('Expected a mirror');
  try {
    const living = database.prepare<[string], { body: string }>(
      'SELECT body FROM record WHERE resource = ? AND deleted = 0',
    );
    for (const { name } of resources) {
      const ours = textsById(living.all(name).map(({ body }) => shown(JSON.parse(body) as Body)));
      for (const what of differences(ours, expected(name))) yield `docs/laws.md#law-4: ${name} ${what}`;
    }
  } finally {
    database.close();
  }
}

/** Differences between two sets of records. */
export function* differences(
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): Generator<string> {
  for (const [id, text] of theirs)
    if (ours.get(id) !== text) yield `${id} is ${ours.get(id) ?? 'missing'}, not ${text}`;
  for (const id of ours.keys()) if (!theirs.has(id)) yield `${id} is a ghost`;
}
