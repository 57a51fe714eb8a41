/**
 * `npm run sync-doctor`: compares the mirror of a data folder with the platform and prints the differences.
 *
 * Invariants:
 * - it changes nothing on either side, and may run beside the app;
 * - it prints ids and names of fields, never personal data;
 * - exit codes: 0 when equal, 1 when different, 2 when it could not compare.
 */
import { join } from 'node:path';
import { readMirror } from '../core/event/mirror/reading.ts';
import { RESOURCES, type Resource } from '../core/event/mirror/resources.ts';
import { type Difference, examine, examineDetails } from '../core/event/sync/doctor.ts';
import { createClient } from '../core/foundations/api/client.ts';
import { ApiError } from '../core/foundations/api/error-class.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { realClock } from '../machine/real-time.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run sync-doctor -- --platform URL --key KEY --expo ID [--data DIR] [--private-http]

Compares the local copy of the event with the platform, record by record, and prints the differences.
It only reads, and may run beside the app. The key may stand in TOUCHPOINT_KEY. Without --data: the event's default
folder. --private-http: as for npm start. Exit code: 0 equal, 1 different, 2 could not compare.
`;

type Client = ReturnType<typeof createClient>;
type Mirror = NonNullable<ReturnType<typeof readMirror>>;

const text = { type: 'string' } as const;

async function main(): Promise<void> {
  const options = readOptions(
    { platform: text, key: text, expo: text, data: text, 'private-http': { type: 'boolean' } },
    HELP,
  );
  const { platform: baseUrl, expo: expoId } = options;
  const key = options.key ?? process.env.TOUCHPOINT_KEY;
  if (baseUrl === undefined || expoId === undefined || key === undefined) {
    return refuse('sync-doctor needs --platform URL, --key KEY and --expo ID. Try --help.');
  }
  const platform = { url: baseUrl, expo: expoId };
  const path = join(dataFolderPath({ data: options.data ?? null, platform }), 'mirror.db');
  const mirror = readMirror(path) ?? refuse(`There is no mirror at ${path}. Choose its folder with --data.`);
  if (mirror.expoId !== expoId)
    refuse(`The mirror at ${path} belongs to event ${mirror.expoId}, not to ${expoId}.`);
  const access = { baseUrl, key, password: process.env.TOUCHPOINT_PASSWORD ?? '', expoId };
  const client = createClient(access, realClock, { privateHttp: options['private-http'] === true });
  try {
    const differences = await compare(client, mirror, expoId);
    print(differences === 0 ? 'The mirror equals the platform.' : `${differences} records differ.`);
    process.exitCode = differences === 0 ? 0 : 1;
  } catch (error) {
    refuse(error instanceof ApiError ? `The platform could not be read: ${error.message}.` : String(error));
  } finally {
    await client.close();
    mirror.close();
  }
}

/** Prints every difference; returns their number. */
async function compare(client: Client, mirror: Mirror, expoId: string): Promise<number> {
  let differences = 0;
  for (const resource of RESOURCES) differences += await compareResource(client, mirror, expoId, resource);
  const kept = mirror.details();
  const found = await examineDetails(client, expoId, kept);
  print(`in detail: ${kept.length} here, ${found.length} different`);
  printDifferences(found);
  return differences + found.length;
}

async function compareResource(
  client: Client,
  mirror: Mirror,
  expoId: string,
  resource: Resource,
): Promise<number> {
  const partner = ownPartner(mirror);
  if (resource.ofOwnPartner && partner === null) return 0;
  const filter = resource.ofOwnPartner ? { partnerId: partner ?? undefined } : {};
  const found = await examine(client, expoId, resource, filter, mirror.bodies(resource.name));
  print(`${resource.name}: ${found.records} on the platform, ${found.differences.length} different`);
  printDifferences(found.differences);
  return found.differences.length;
}

/** The device's partner, read from its connections, because they are mirrored for one partner only. */
function ownPartner(mirror: Mirror): string | null {
  for (const body of mirror.bodies('connections').values()) {
    const { partnerID } = JSON.parse(body) as { partnerID?: unknown };
    if (typeof partnerID === 'string') return partnerID;
  }
  return null;
}

function printDifferences(differences: readonly Difference[]): void {
  for (const { id, kind, fields } of differences) {
    print(`  ${id} ${kind}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
