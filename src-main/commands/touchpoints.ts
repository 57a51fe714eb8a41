/**
 * `npm run touchpoints`: prints the touchpoints of an event with their ids for `stand.json`.
 *
 * Invariants:
 * - it only reads;
 * - exit codes: 0 with at least one line, 1 without touchpoints, 2 when it could not read them.
 */
import { RESOURCES, type ResourceName } from '../core/event/mirror/resources.ts';
import { readAll } from '../core/event/sync/doctor.ts';
import { createClient } from '../core/foundations/api/client.ts';
import { ApiError } from '../core/foundations/api/error-class.ts';
import { realClock } from '../machine/real-time.ts';
import { readOptions, refuse } from './command-line.ts';

const HELP = `npm run touchpoints -- --platform URL --key KEY --expo ID [--json] [--private-http]

Lists the touchpoints of the event: the id for "touchpoint" in stand.json, the name, its purpose, and its owner.
The key may stand in TOUCHPOINT_KEY. --private-http: as for npm start. Exit code: 0 listed, 1 none, 2 could not read them.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

type Client = ReturnType<typeof createClient>;

async function main(): Promise<void> {
  const options = readOptions(
    { platform: text, key: text, expo: text, json: flag, 'private-http': flag },
    HELP,
  );
  const { platform: baseUrl, expo: expoId } = options;
  const key = options.key ?? process.env.TOUCHPOINT_KEY;
  if (baseUrl === undefined || expoId === undefined || key === undefined) {
    return refuse('touchpoints needs --platform URL, --key KEY and --expo ID. Try --help.');
  }
  const access = { baseUrl, key, password: process.env.TOUCHPOINT_PASSWORD ?? '', expoId };
  const client = createClient(access, realClock, { privateHttp: options['private-http'] === true });
  try {
    const partners = new Map((await readList(client, expoId, 'partners')).map((one) => [one.id, one.name]));
    const listed = (await readList(client, expoId, 'touchpoints')).map((one) => ({
      ...one,
      partner: partners.get(one.partnerID) ?? '',
    }));
    for (const one of listed) print(options.json === true ? JSON.stringify(one) : lineOf(one));
    process.exitCode = listed.length === 0 ? 1 : 0;
  } catch (error) {
    refuse(error instanceof ApiError ? `The platform could not be read: ${error.message}.` : String(error));
  } finally {
    await client.close();
  }
}

type Listed = {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly partnerID: string;
};

/** All records of a list. @throws ApiError */
async function readList(client: Client, expoId: string, name: ResourceName): Promise<readonly Listed[]> {
  const resource = RESOURCES.find((one) => one.name === name);
  const found = resource === undefined ? [] : await readAll(client, expoId, resource, {});
  return [...found].map(([id, text]): Listed => {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const field = (key: string): string => (typeof body[key] === 'string' ? body[key] : '');
    return { id, name: field('name'), purpose: field('purpose'), partnerID: field('partnerID') };
  });
}

function lineOf({ id, name, purpose, partner, partnerID }: Listed & { readonly partner: string }): string {
  const whose = partnerID === '' ? 'nobody' : `${partner} (${partnerID})`;
  return [id, name, purpose === '' ? 'lead' : purpose, whose].join('\t');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
