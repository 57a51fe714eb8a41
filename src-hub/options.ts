/**
 * The command line of the hub. Pure.
 *
 * Invariant: an invalid option results in one clear sentence (`BadOption`) that never contains the key.
 */
import { hostname } from 'node:os';
import { checkAddress } from '../src-main/core/foundations/api/address.ts';
import { BadOption, parseDatabase, readArguments } from '../src-platform/options.ts';
import type { Scheme } from './settings.ts';

export type HubOptions = {
  readonly upstream: { readonly url: string; readonly key: string; readonly password: string };
  readonly privateHttp: boolean;
  readonly expo: string;
  readonly data: string;
  /** Address of a PostgreSQL database, or null for SQLite in the data folder. */
  readonly database: string | null;
  /** Waits until no other hub works on the database. */
  readonly standby: boolean;
  /** Serves devices together with other processes on the database. One of them talks to the platform. */
  readonly serve: boolean;
  /** How long the hub may be silent before a standby takes over, in milliseconds. */
  readonly leaseMs: number;
  readonly name: string;
  readonly port: number;
  readonly host: string;
  /** The scheme to serve. Null means the scheme of the last start, and https for a new hub. */
  readonly scheme: Scheme | null;
  /** File for the log, or null for standard error. */
  readonly log: string | null;
};

export const help = `Touchpoint's hub in the hall: one platform key for many devices

Usage
  npm run hub -- --upstream URL --key KEY --expo ID [options]   serve
  npm run hub -- devices --help                                 manage the devices of the hub
  npm run hub -- destinations --help                            manage CRMs of partners whose token is at the hub
  npm run hub -- health                                         print whether it serves and delivers now, with exit codes
  npm run hub -- fleet key                                      make a key for the fleet page, at /fleet

Options
  --upstream URL      base address of the platform, with its version segment
  --key KEY           platform key; HUB_KEY (and a password in HUB_PASSWORD) keep it out of the list of processes
  --expo ID           the event
  --data DIR          folder of the hub: its database and its mirror of the event (default .data/hub)
  --database ADDRESS  postgres://... instead of SQLite in the data folder
  --standby           wait until the hub on this database is gone, then take over; needs --database and its own platform key
  --serve             serve devices beside other processes on this database, as many as there are cores or machines; one of them
                      talks to the platform, and any other takes over; needs --database, its own folder and the hub's key
  --lease SECONDS     how long a hub may be silent before a standby takes over, 5 to 300 (default 15)
  --name NAME         name of the hub (default: the name of this machine)
  --port N            port to listen on, 0 for any free one (default 8820)
  --host ADDRESS      address to listen on (default 0.0.0.0: every device of the network)
  --http              serve plain http, for example behind your own proxy; the hub remembers it
  --https             serve https with the hub's certificate, the default of a new hub; the hub remembers it
  --private-http      let --upstream be plain http to a numeric address of a private network
  --log FILE          where the log goes (default: standard error)
  --help              this text
`;

const known = {
  upstream: { type: 'string' },
  key: { type: 'string' },
  expo: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  standby: { type: 'boolean' },
  serve: { type: 'boolean' },
  lease: { type: 'string' },
  name: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  http: { type: 'boolean' },
  https: { type: 'boolean' },
  'private-http': { type: 'boolean' },
  log: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the hub's API, the same as the platform's. */
export const basePath = '/create/v2';

/** The default data folder. */
export const usualFolder = '.data/hub';

function needed(value: string | undefined, name: string, what: string): string {
  if (value === undefined || value === '') throw new BadOption(`--${name} is missing: ${what}.`);
  return value;
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new BadOption('--port must be a whole number from 0 to 65535.');
  return port;
}

function parseLease(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds < 5 || seconds > 300) throw new BadOption('--lease must be a whole number from 5 to 300.');
  return seconds * 1_000;
}

/** Reads the options of the hub; null for `--help`. */
export function parseHubOptions(args: readonly string[], environment: Environment): HubOptions | null {
  const { values } = readArguments(args, known);
  if (values.help === true) return null;
  const url = needed(values.upstream, 'upstream', 'the base address of the platform');
  const privateHttp = values['private-http'] === true;
  const address = checkAddress(url, privateHttp);
  if (address.kind === 'refused') throw new BadOption(address.sentence);
  const expo = needed(values.expo, 'expo', 'the event this hub is for');
  if (!/^[\w-]{1,64}$/.test(expo)) throw new BadOption('--expo must be the identifier of an event.');
  if (values.standby === true && values.database === undefined)
    throw new BadOption('--standby needs --database: a standby continues with the data of the previous hub.');
  if (values.serve === true && values.database === undefined)
    throw new BadOption('--serve needs --database: on SQLite one process serves.');
  if (values.serve === true && values.standby === true)
    throw new BadOption('Say --serve or --standby, not both: a process that serves takes over by itself.');
  if (values.http === true && values.https === true) throw new BadOption('Say --http or --https, not both.');
  return {
    upstream: {
      url,
      key: needed(values.key ?? environment.HUB_KEY, 'key', 'the key of the platform (or HUB_KEY)'),
      password: environment.HUB_PASSWORD ?? '',
    },
    privateHttp,
    expo,
    data: values.data ?? usualFolder,
    database: parseDatabase(values.database),
    standby: values.standby === true,
    serve: values.serve === true,
    leaseMs: parseLease(values.lease ?? '15'),
    name: (values.name ?? hostname()).slice(0, 80) || 'hub',
    port: parsePort(values.port ?? '8820'),
    host: values.host ?? '0.0.0.0',
    scheme: values.http === true ? 'http' : values.https === true ? 'https' : null,
    log: values.log ?? null,
  };
}
