/**
 * `keys add|list|revoke`: manages API keys from the command line, also while the platform runs.
 *
 * Invariant: a key is printed once, when it is created, and never again.
 */
import { parseRange } from './keys/address.ts';
import { addKey, listKeys, type NewKey, newKey, revokeKey } from './keys/keys.ts';
import { BadOption, readArguments } from './options.ts';
import { findExpo } from './store/expo.ts';
import { isThere } from './store/records.ts';
import type { Store } from './store/store.ts';

export const keysHelp = `API keys of the event platform

  keys add --name NAME [rights]   make a key and print it, once
  keys list                       show all keys, without the keys themselves
  keys revoke ID                  end a key now

Rights of a new key (none of them: reading of all events)
  --expo ID          this event only; may be given several times
  --write            create, update and delete
  --connections      read connections
  --partner ID       the key of one exhibiting company: what is its own, and what a stand needs of the event
  --address CIDR     from this address or range only; may be given several times
  --expires ISO      until this moment, for example 2026-11-30T18:00:00Z

Where
  --data DIR         folder of the database (default .data/platform)
  --database ADDRESS postgres://... instead
`;

const options = {
  name: { type: 'string' },
  expo: { type: 'string', multiple: true },
  write: { type: 'boolean' },
  connections: { type: 'boolean' },
  partner: { type: 'string' },
  address: { type: 'string', multiple: true },
  expires: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

function parseExpires(text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()))
    throw new BadOption(`--expires must be a date and time, got "${text}".`);
  return moment.toISOString();
}

function aboutOf(values: Values): NewKey {
  if (values.name === undefined || values.name === '') throw new BadOption('A key needs a --name.');
  for (const range of values.address ?? []) {
    if (!parseRange(range)) throw new BadOption(`--address must be an address or a range, got "${range}".`);
  }
  return {
    name: values.name,
    expos: values.expo ?? null,
    addresses: values.address ?? null,
    canWrite: values.write ?? false,
    connections: values.connections ?? values.partner !== undefined,
    partnerId: values.partner ?? null,
    expires: parseExpires(values.expires),
  };
}

async function checkNames(store: Store, about: NewKey): Promise<void> {
  for (const expoId of about.expos ?? []) {
    if (!(await findExpo(store.db, expoId))) throw new BadOption(`There is no event ${expoId}.`);
  }
  if (about.partnerId === null) return;
  const [expoId] = about.expos ?? [];
  if (expoId === undefined) throw new BadOption('--partner needs the --expo the company exhibits at.');
  if (!(await isThere(store.db, 'partner', expoId, about.partnerId))) {
    throw new BadOption(`There is no partner ${about.partnerId} at ${expoId}.`);
  }
}

function describe(key: Awaited<ReturnType<typeof listKeys>>[number]): string {
  const rights = [
    `events: ${key.expos === null ? 'all' : (JSON.parse(key.expos) as string[]).join(' ')}`,
    ...(Number(key.can_write) === 1 ? ['write'] : []),
    ...(Number(key.connections) === 1 ? ['connections'] : []),
    ...(key.partner_id === null ? [] : [`partner ${key.partner_id}`]),
    ...(key.addresses === null ? [] : [`from ${(JSON.parse(key.addresses) as string[]).join(' ')}`]),
    ...(key.expires === null ? [] : [`until ${key.expires}`]),
    ...(key.revoked === null ? [] : [`revoked ${key.revoked}`]),
  ];
  return `${key.id}  ${key.name}  ${rights.join(', ')}`;
}

export type KeysCommand = {
  readonly data: string;
  readonly database: string | null;
  /** Runs the command on an open store and returns the lines to print. */
  readonly run: (store: Store, now: Date) => Promise<readonly string[]>;
};

/** Parses the arguments after `keys`; null when help was requested. */
export function parseKeysCommand(args: readonly string[]): KeysCommand | null {
  const { values, positionals } = readArguments(args, options, 'keys');
  const [verb, id, ...rest] = positionals;
  if (values.help === true) return null;
  const data = values.data ?? '.data/platform';
  const database = values.database ?? null;
  if (verb === 'list' && id === undefined) {
    return { data, database, run: async (store) => (await listKeys(store.db)).map(describe) };
  }
  if (verb === 'add' && id === undefined) {
    const about = aboutOf(values);
    return {
      data,
      database,
      run: async (store, now) => {
        await checkNames(store, about);
        const key = newKey();
        const keyId = await store.write((write) => addKey(write, key, about, now));
        return [`Key ${keyId} "${about.name}" (shown only this once):`, key];
      },
    };
  }
  if (verb === 'revoke' && id !== undefined && rest.length === 0) {
    return {
      data,
      database,
      run: async (store, now) => {
        if (!(await revokeKey(store, id, now))) throw new BadOption(`There is no valid key ${id}.`);
        return [`Key ${id} is revoked.`];
      },
    };
  }
  throw new BadOption('Say keys add, keys list or keys revoke ID. See keys --help.');
}
