/**
 * Inspects a quiet fleet, its hub and the platform, and returns the broken laws.
 *
 * Invariants:
 * - The data of devices and hub is read from their files.
 * - The sums are those on the screens.
 */
import { join } from 'node:path';
import { HUB_RESOURCES, servedAs } from '../../../src-hub/mirror/resources.ts';
import { RESOURCES, type ResourceName } from '../../../src-main/core/event/mirror/resources.ts';
import { openReadOnly } from '../../../src-main/core/foundations/store/database.ts';
import { readFactLines } from '../../../src-main/core/journal/facts/fact-lines.ts';
import type { Device } from '../device.ts';
import { differences, journalBreaches, mirrorBreaches, textsById } from '../inspect.ts';
import { detailOf, type ModelPlatform } from '../model-platform.ts';
import { BEGINNING } from '../virtual-time.ts';
import type { Hub } from './hub.ts';

/** A device with its partner. */
export type Member = { readonly device: Device; readonly partner: string };

export type FleetParts = {
  readonly members: readonly Member[];
  readonly hub: Hub;
  readonly platform: ModelPlatform;
};

type DeviceFact = {
  readonly id: string;
  readonly state: string;
  readonly ofTeam: number;
  readonly atHub: number;
  readonly isErased: number;
  readonly undoes: string | null;
};
/** `undoes`: the undone fact, or null. */
type HubFact = {
  readonly id: string;
  readonly state: string;
  readonly partner: string;
  readonly undoes: string | null;
};
type Record = {
  readonly kind: string;
  readonly id: string;
  readonly basic: string;
  readonly detail: string | null;
};

const DETAILED: readonly ResourceName[] = ['partners', 'contents', 'activities'];

const rowsIn = <Row>(path: string, query: string): readonly Row[] => {
  const database = openReadOnly(path);
  if (database === null) throw new Error(`Expected ${path}`);
  try {
    return database.prepare<[], Row>(query).all();
  } finally {
    database.close();
  }
};

const factsOn = (device: Device): readonly DeviceFact[] =>
  rowsIn(
    join(device.folder(), 'journal.db'),
    `SELECT fact.id, state, of_team AS ofTeam, at_box AS atHub, payload IS NULL AS isErased,
       json_extract(payload, '$.undoes') AS undoes
     FROM fact LEFT JOIN outbox USING (seq)`,
  );

const factsAt = (hub: Hub): readonly HubFact[] =>
  rowsIn(
    join(hub.folders().store, 'platform.db'),
    "SELECT id, state, partner_id AS partner, json_extract(item, '$.undoes') AS undoes FROM relay_fact",
  );

/** Every broken law, as text. */
export const inspectFleet = (parts: FleetParts): readonly string[] => {
  const facts = new Map(parts.members.map(({ device }) => [device, factsOn(device)]));
  const atHub = factsAt(parts.hub);
  return [
    ...parts.members.flatMap((member) => [
      ...memberBreaches(parts, member, facts.get(member.device) ?? [], atHub),
    ]),
    ...teamBreaches(parts, facts),
    ...sumBreaches(parts, facts, atHub),
    ...parts.members.flatMap((member) => [...timeBreaches(parts, member)]),
    ...hubCopyBreaches(parts),
    ...parts.members.flatMap((member) => [...deviceCopyBreaches(parts, member)]),
  ];
};

function* memberBreaches(
  { platform }: FleetParts,
  { device, partner }: Member,
  facts: readonly DeviceFact[],
  atHub: readonly HubFact[],
): Generator<string> {
  const who = `kiosk ${device.owner}:`;
  const foreign = new Set(facts.filter(({ ofTeam }) => ofTeam === 1).map(({ id }) => id));
  for (const what of journalBreaches(device.folder(), platform, device.shown, foreign))
    yield `${who} ${what}`;
  for (const { id, atHub: isThere } of facts)
    if (isThere === 1) yield `${who} ${id} is said to be only at the hub`;
  const here = new Set(facts.map(({ id }) => id));
  // If this hub never received a tap, the undo of that tap waits for it.
  for (const { id, partner: whose, undoes } of atHub)
    if (whose === partner && !here.has(id) && (undoes === null || here.has(undoes)))
      yield `${who} the team's fact ${id} never came`;
  const pause = device.pause();
  if (pause !== null) yield `${who} still paused by ${pause}`;
  const state = device.kiosk()?.state().delivery;
  if (state === undefined) return;
  const { captured, due, inFlight, uncertain, sent, confirmed, parked } = state;
  const own = facts.length - foreign.size;
  if (captured !== own || due + inFlight + uncertain + sent + confirmed + parked !== captured)
    yield `${who} docs/laws.md#law-2: ${own} facts on disk, the screen is told ${JSON.stringify(state)}`;
}

/**
 * Laptops of one partner end with the same facts, even after another hub took over
 * (docs/decisions/sharing-laptops.md).
 */
function* teamBreaches(
  { members }: FleetParts,
  facts: ReadonlyMap<Device, readonly DeviceFact[]>,
): Generator<string> {
  for (const { device, partner } of members) {
    const here = new Set(facts.get(device)?.map(({ id }) => id));
    // An erased fact is not shared: its content is gone. The undo of a tap waits until the tap has come.
    const mustCome = ({ id, state, ofTeam, isErased, undoes }: DeviceFact): boolean =>
      ofTeam === 0 &&
      isErased === 0 &&
      state === 'confirmed' &&
      !here.has(id) &&
      (undoes === null || here.has(undoes));
    for (const other of members.filter((member) => member.partner === partner))
      for (const { id } of (facts.get(other.device) ?? []).filter(mustCome))
        yield `kiosk ${device.owner}: ${id} of kiosk ${other.device.owner} never came`;
  }
}

/** Checks docs/laws.md#law-2 for the whole fleet: the facts of the devices, of the hub and of the platform. */
function* sumBreaches(
  { platform }: FleetParts,
  facts: ReadonlyMap<Device, readonly DeviceFact[]>,
  atHub: readonly HubFact[],
): Generator<string> {
  const captured = new Map<string, string>();
  for (const each of facts.values())
    for (const { id, state, ofTeam } of each) {
      if (ofTeam === 1) continue;
      // Two devices hold the same fact if one has a copy of the other's disk.
      const other = captured.get(id);
      if (other !== undefined && other !== state)
        yield `${id} is ${other} on one device and ${state} on another`;
      captured.set(id, state);
    }
  for (const { id, state } of atHub) {
    const there = captured.get(id);
    if (there === undefined) yield `the hub holds ${id}, which nobody captured`;
    else if (there !== state) yield `${id} is ${state} at the hub and ${there} on its device`;
  }
  const accepted = platform.accepted();
  for (const id of accepted.keys())
    if (!captured.has(id)) yield `docs/laws.md#law-2: the platform has ${id}, which nobody captured`;
  for (const [id, state] of captured)
    if ((state === 'confirmed') !== accepted.has(id) && !platform.lostUnseen(id))
      yield `docs/laws.md#law-2: ${id} is ${state}, and the platform ${accepted.has(id) ? 'has' : 'lacks'} it`;
}

/** Allowed error of a time. Clocks are wrong by minutes, dates are in whole seconds, and answers are slow. */
const TOLERATED_MS = 20 * 60_000;

/**
 * The platform must have every tap with the right time, even if a clock is years off. There is one exception: a
 * device that restarted before it got an answer of the platform, and had none since its start or since its clock was
 * set. Such a device knows only its own clock.
 */
function* timeBreaches({ platform }: FleetParts, { device }: Member): Generator<string> {
  const recorded = new Map(
    [...(readFactLines(join(device.folder(), 'journal.db')) ?? [])].map((line) => [line.id, line]),
  );
  const accepted = platform.accepted();
  for (const { factId, at: capturedAt } of device.shown) {
    const content = accepted.get(factId)?.content;
    const line = recorded.get(factId);
    if (content === undefined || line === undefined) continue;
    const at = Date.parse((JSON.parse(content) as { readonly at: string }).at);
    const isOwnTime = line.clockOffset === null && at === line.at;
    if (!isOwnTime && Math.abs(at - BEGINNING - capturedAt) > TOLERATED_MS)
      yield `${factId} of kiosk ${device.owner} is upstream as of ${new Date(at).toISOString()}`;
  }
}

/**
 * Differences between the hub's mirror and the platform, and between the records that the hub serves and the
 * platform.
 */
export function* hubCopyBreaches({ hub, platform }: Omit<FleetParts, 'members'>): Generator<string> {
  const bodies = (name: ResourceName) => platform.living(name).map(({ body }) => body);
  for (const what of mirrorBreaches(hub.folders().mirror, HUB_RESOURCES, (name) => textsById(bodies(name))))
    yield `hub: ${what}`;
  const records = rowsIn<Record>(
    join(hub.folders().store, 'platform.db'),
    'SELECT kind, id, basic, detail FROM record WHERE deleted = 0',
  );
  for (const { name } of HUB_RESOURCES) {
    const { kind } = servedAs(name);
    const served = records.filter((record) => record.kind === kind);
    const ours = new Map(served.map(({ id, basic, detail }) => [id, `${basic} ${detail}`]));
    const theirs = new Map(
      bodies(name).map((body) => {
        const detail = DETAILED.includes(name) ? JSON.stringify(detailOf(body)) : null;
        return [String(body.id ?? body.visitorID), `${JSON.stringify(withoutRevision(body))} ${detail}`];
      }),
    );
    for (const what of differences(ours, theirs))
      yield `hub: docs/laws.md#law-4: of what it serves, ${name} ${what}`;
  }
}

function* deviceCopyBreaches({ platform }: FleetParts, { device, partner }: Member): Generator<string> {
  const expected = (name: ResourceName) => {
    const bodies = platform.living(name).map(({ body }) => body);
    // A hub shows attendance at check-ins only, and no touchpoint of this event is one.
    const isShown = name !== 'participants';
    const own = bodies.filter((body) => isShown && (name !== 'connections' || body.partnerID === partner));
    return textsById(own.map(withoutRevision));
  };
  for (const what of mirrorBreaches(device.folder(), RESOURCES, expected, withoutRevision))
    yield `kiosk ${device.owner}: ${what}`;
}

/** Devices follow the hub's revisions. */
const withoutRevision = ({ revision: _revision, ...body }: Readonly<{ [field: string]: unknown }>) => body;
