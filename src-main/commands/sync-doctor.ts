/**
 * `npm run sync-doctor`: compares the mirror of a data folder with the platform and prints the differences.
 *
 * Invariants: changes nothing on either side, may run beside the app; prints ids and names of fields, never people's
 * data; exit code 0 when equal, 1 when not, 2 when it could not look.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '../core/api/client.ts';
import { ApiError } from '../core/api/error-class.ts';
import { readMirror } from '../core/mirror/reading.ts';
import { RESOURCES, type Resource } from '../core/mirror/resources.ts';
import { type Difference, examine, examineDetails } from '../core/sync/doctor.ts';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { realClock } from '../machine/real-time.ts';

const HELP = `npm run sync-doctor -- --platform URL --key KEY --expo ID [--data DIR] [--private-http]

Compares the local copy of the event with the platform, record by record, and prints what differs.
It only reads, and may run beside the app. The key may stand in TOUCHPOINT_KEY. Without --data: the event's usual
folder. --private-http: as for npm start. Exit code: 0 equal, 1 different, 2 could not look.
`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

function readOptions() {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    return parseArgs({
      options: { platform: text, key: text, expo: text, data: text, 'private-http': flag, help: flag },
    }).values;
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : 'Unknown option'}. Try --help.`);
  }
}

const options = readOptions();
if (options.help === true) {
  process.stdout.write(HELP);
  process.exit(0);
}
const { platform: baseUrl, expo: expoId } = options;
const key = options.key ?? process.env.TOUCHPOINT_KEY;
if (baseUrl === undefined || expoId === undefined || key === undefined) {
  refuse('sync-doctor needs --platform URL, --key KEY and --expo ID. Try --help.');
} else {
  const access = { baseUrl, key, password: process.env.TOUCHPOINT_PASSWORD ?? '', expoId };
  const privateHttp = options['private-http'] === true;
  const platform = { url: baseUrl, expo: expoId };
  const path = join(dataFolderPath({ data: options.data ?? null, platform }), 'mirror.db');
  const mirror = readMirror(path) ?? refuse(`There is no mirror at ${path}. Choose its folder with --data.`);
  if (mirror.expoId !== expoId)
    refuse(`The mirror at ${path} is of event ${mirror.expoId}, not of ${expoId}.`);
  const client = createClient(access, realClock, { privateHttp });

  const look = async (resource: Resource): Promise<number> => {
    const partner = ownPartner();
    if (resource.ofOwnPartner && partner === null) return 0;
    const filter = resource.ofOwnPartner ? { partnerId: partner ?? undefined } : {};
    const found = await examine(client, expoId, resource, filter, mirror.bodies(resource.name));
    say(`${resource.name}: ${found.records} on the platform, ${found.differences.length} different`);
    return tell(found.differences);
  };

  const lookAtDetails = async (): Promise<number> => {
    const kept = mirror.details();
    const found = await examineDetails(client, expoId, kept);
    say(`in detail: ${kept.length} here, ${found.length} different`);
    return tell(found);
  };

  const tell = (differences: readonly Difference[]): number => {
    for (const { id, kind, fields } of differences) {
      say(`  ${id} ${kind}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`);
    }
    return differences.length;
  };

  // Records of the own partner are mirrored for one partner only; theirs tell which.
  const ownPartner = (): string | null => {
    for (const body of mirror.bodies('connections').values()) {
      const { partnerID } = JSON.parse(body) as { partnerID?: unknown };
      if (typeof partnerID === 'string') return partnerID;
    }
    return null;
  };

  try {
    let differences = 0;
    for (const resource of RESOURCES) differences += await look(resource);
    differences += await lookAtDetails();
    say(differences === 0 ? 'The mirror equals the platform.' : `${differences} records differ.`);
    process.exitCode = differences === 0 ? 0 : 1;
  } catch (error) {
    refuse(error instanceof ApiError ? `The platform could not be read: ${error.message}.` : String(error));
  } finally {
    await client.close();
    mirror.close();
  }
}
