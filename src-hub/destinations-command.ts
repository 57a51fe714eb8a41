/**
 * `destinations add|list|token|remove`: manages the destinations of partners' leads whose token is at the hub, even
 * while the hub serves.
 *
 * Invariants
 * - A token comes from a file or from standard input, never from an argument: arguments appear in the process list.
 * - A token is stored only after the destination accepted it. No printed line and no error contains it.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { type DestinationKindName, destinationKindSchema } from '../src-main/contract/destinations.ts';
import type { Pause } from '../src-main/contract/device.ts';
import { ApiError } from '../src-main/core/foundations/api/error-class.ts';
import { createWebClient } from '../src-main/core/foundations/api/web-request.ts';
import {
  beginAuthorization,
  createAccess,
  type Secret,
  type SecretKeeper,
} from '../src-main/core/team/destinations/access.ts';
import { addressOf, isToken, KINDS } from '../src-main/core/team/destinations/kinds.ts';
import { awaitRedirect, REDIRECT_PORT } from '../src-main/core/team/destinations/loopback.ts';
import { realClock, realRandom } from '../src-main/machine/real-time.ts';
import { openExistingData } from '../src-platform/data.ts';
import { BadOption, parseDatabase, readArguments } from '../src-platform/options.ts';
import { readHubSetting } from '../src-platform/store/hub-setting.ts';
import { findRecords } from '../src-platform/store/records.ts';
import type { Store } from '../src-platform/store/store.ts';
import { openSigningKey } from './certificate/hub-keys.ts';
import { type KeptDestination, type KeptDestinations, openKeptDestinations } from './destinations/kept.ts';
import { usualFolder } from './options.ts';

const help = `Destinations of partners' leads, whose token stays at the hub

  destinations add --partner ID --kind KIND [--name NAME] [--address URL]
                             let the devices of a partner send leads there; the token comes from standard input
  destinations list          show all destinations
  destinations token ID      replace the token of one
  destinations remove ID     revoke its access where possible, and remove it with its token

Of add and token
  --token-file FILE  read the token (of a webhook: the signing secret) from this file instead
  --sign-in KEY      Salesforce: sign in with the browser of this machine instead; KEY is the app's consumer key

Of add
  --partner ID       the partner; npm run hub -- devices list shows those of the devices
  --kind KIND        hubspot, salesforce or webhook
  --name NAME        what the team reads (default: HubSpot, Salesforce or Webhook)
  --address URL      origin of the CRM, or the address of the webhook; HubSpot needs none

Where
  --data DIR         folder of the hub (default .data/hub)
  --database ADDRESS postgres://... where the hub was started with it
`;

const known = {
  partner: { type: 'string' },
  kind: { type: 'string' },
  name: { type: 'string' },
  address: { type: 'string' },
  'token-file': { type: 'string' },
  'sign-in': { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof known>>['values'];

/** The environment of the command. */
type Around = {
  readonly store: Store;
  readonly kept: KeptDestinations;
  readonly values: Values;
  readonly say: (text: string) => void;
};

/** Time limit of each step of a command that sends requests to the destination, in milliseconds. */
const LONGEST_MS = 60_000;

/** The names without `--name`. */
const NAMES: Readonly<Record<DestinationKindName, string>> = {
  hubspot: 'HubSpot',
  salesforce: 'Salesforce',
  webhook: 'Webhook',
};

/** The verbs, and whether each needs an id. */
const verbs: Readonly<Record<string, boolean>> = { add: false, list: false, token: true, remove: true };

/** Runs the command in the arguments after `destinations` and prints its result. */
export async function manageDestinations(
  args: readonly string[],
  say: (text: string) => void,
): Promise<void> {
  const { values, positionals } = readArguments(args, known, 'destinations');
  if (values.help === true) return say(help);
  const [verb = '', word, ...rest] = positionals;
  if (rest.length > 0 || verbs[verb] !== (word !== undefined))
    throw new BadOption('Use destinations add, list, token ID or remove ID. See destinations --help.');
  const folder = values.data ?? usualFolder;
  const store = await openExistingData(folder, parseDatabase(values.database));
  try {
    const kept = openKeptDestinations(store, openSigningKey(folder));
    const around = { store, kept, values, say };
    if (verb === 'add') return await add(around);
    const all = await kept.list();
    if (verb === 'list') return say(all.map((one) => `${lineOf(one)}\n`).join(''));
    const destination = all.find(({ id }) => id === word);
    if (destination === undefined) throw new BadOption(`There is no destination ${word}.`);
    await (verb === 'token' ? replaceToken(around, destination) : remove(around, destination));
  } finally {
    await store.close();
  }
}

async function add(around: Around): Promise<void> {
  const { store, kept, values, say } = around;
  const { data: kind } = destinationKindSchema.safeParse(values.kind);
  if (kind === undefined) throw new BadOption('--kind must be hubspot, salesforce or webhook.');
  const expo = await readHubSetting(store.db, 'expo');
  if (expo === null) throw new BadOption('This hub was never started: it does not know its event yet.');
  const { partner = '' } = values;
  const [record] = await findRecords(store.db, 'partner', expo, [partner]);
  if (record === undefined || record.deleted)
    throw new BadOption(partner === '' ? '--partner is missing.' : `The event has no partner ${partner}.`);
  const address = addressOf(kind, values.address ?? '');
  if (address === null) throw new BadOption('--address must be an https address.');
  const name = (values.name ?? NAMES[kind]).slice(0, 80);
  const id = `C${randomBytes(5).toString('hex')}`;
  const { secret, address: proven } = await obtain(around, { id, partner, kind, name, address });
  const destination = { id, partner, kind, name, address: proven };
  await kept.add(destination, JSON.stringify(secret));
  say(`${lineOf(destination)}\nDevices of ${partner} can connect it now, on their page CRM.\n`);
}

async function replaceToken(around: Around, destination: KeptDestination): Promise<void> {
  const { secret, address } = await obtain(around, destination);
  if (address !== destination.address)
    throw new BadOption(`This token is for ${address}; add that one as a destination of its own.`);
  await around.kept.replace(destination.id, JSON.stringify(secret), null);
  around.say(`The token of ${destination.id} is replaced. Devices use it from their next request.\n`);
}

async function remove({ kept, say }: Around, { id, partner, kind }: KeptDestination): Promise<void> {
  const found = await kept.find(partner, id);
  const text = found === null ? null : kept.unseal(id, found.sealed);
  const { access, close } = accessOf(id, kind, text);
  const isRevoked = text !== null && (await access.revoke(AbortSignal.timeout(LONGEST_MS)));
  await close();
  await kept.remove(id);
  const rest = isRevoked
    ? 'Its access is revoked.'
    : `Its ${kind === 'webhook' ? 'secret' : 'token'} is still valid there: revoke it yourself.`;
  say(`Destination ${id} is removed. ${rest}\n`);
}

/** A new token, after the destination accepted it. @throws BadOption */
async function obtain(
  { values, say }: Around,
  { id, kind, address }: KeptDestination,
): Promise<{ readonly secret: Secret; readonly address: string }> {
  const clientId = values['sign-in'];
  const got =
    clientId === undefined
      ? { secret: { kind: 'token' as const, token: await tokenOf(kind, values['token-file']) }, address }
      : await signIn(kind, address, clientId, say);
  const { access, close } = accessOf(id, kind, JSON.stringify(got.secret));
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const adapter = KINDS[kind].connect({ ask: access.ask, clock: realClock, address: got.address });
    await adapter.prepare(signal);
    await adapter.properties(signal);
  } catch (error) {
    if (!(error instanceof ApiError) && !signal.aborted) throw error;
    const isRefusal = error instanceof ApiError && error.errorClass.kind === 'stop';
    throw new BadOption(
      `Nothing was kept. ${isRefusal ? refusalOf(error.errorClass.pause) : 'The destination does not answer now.'}`,
    );
  } finally {
    await close();
  }
  return got;
}

/** The token from a file, or from standard input. @throws BadOption */
async function tokenOf(kind: DestinationKindName, file: string | undefined): Promise<string> {
  let text: string;
  try {
    text = file === undefined ? await textOf(process.stdin) : readFileSync(file, 'utf8');
  } catch {
    throw new BadOption(`The file ${file} cannot be read.`);
  }
  const token = text.trim();
  if (token.length < 8 || token.length > 4_000 || /\s/u.test(token))
    throw new BadOption(
      'The token must be one word of 8 to 4,000 characters, from standard input or --token-file.',
    );
  if (!isToken(kind, token))
    throw new BadOption('A signing secret is whsec_ and the base64 of 24 to 64 random bytes.');
  return token;
}

async function signIn(
  kind: DestinationKindName,
  address: string,
  clientId: string,
  say: (text: string) => void,
): Promise<{ readonly secret: Secret; readonly address: string }> {
  const { send, close } = createWebClient();
  const ports = { send, random: realRandom, clock: realClock };
  let authorization: ReturnType<typeof beginAuthorization> = null;
  if (KINDS[kind].oauth === null) throw new BadOption('--sign-in is for salesforce only.');
  try {
    const code = await awaitRedirect(
      REDIRECT_PORT,
      (state) => state === authorization?.state,
      (redirect) => {
        authorization = beginAuthorization(ports, KINDS[kind], { address, clientId, redirect });
        say(`Open this address in a browser of this machine within five minutes:\n${authorization?.url}\n`);
      },
    );
    // The callback assigned the variable, which the compiler cannot see.
    const begun = authorization as ReturnType<typeof beginAuthorization>;
    if (code === null || begun === null) throw new BadOption('Nobody signed in. Nothing was kept.');
    return await begun.redeem(code, AbortSignal.timeout(LONGEST_MS));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new BadOption('The service refused the sign-in. Nothing was kept.');
  } finally {
    await close();
  }
}

/** Access with a secret that is kept in memory only. */
function accessOf(id: string, kind: DestinationKindName, text: string | null) {
  const { send, close } = createWebClient();
  const secrets: SecretKeeper = {
    read: () => Promise.resolve(text),
    keep: () => Promise.resolve(true),
    forget: () => Promise.resolve(),
    hide: () => undefined,
  };
  const access = createAccess({ id, isWebhook: kind === 'webhook', send, secrets, clock: realClock });
  return { access, close };
}

function refusalOf(pause: Pause): string {
  switch (pause) {
    case 'keyRefused':
      return 'The destination refuses the token.';
    case 'forbidden':
      return 'The token lacks a right; docs/crm.md lists the scopes.';
    case 'takesNoScans':
      return 'The field Touchpoint_Id__c is missing on leads.';
    default:
      return 'Nothing usable answers at this address.';
  }
}

/** A destination in one line, without the path of its address: the path of a webhook may be a secret. */
function lineOf({ id, partner, kind, name, address }: KeptDestination): string {
  return `${id}  ${name}  ${kind} at ${new URL(address).host}, for the devices of ${partner}`;
}
