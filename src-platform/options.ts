/**
 * The command line of the platform.
 *
 * Invariant: an invalid command line results in one clear sentence (`BadOption`), never a stack trace.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { SeedOption } from './seed/seed.ts';

/** The command line is invalid. `message` is one sentence for the user. */
export class BadOption extends Error {}

/**
 * Parses a command line.
 *
 * @param command the command whose help has more details, and which accepts words besides its options;
 * without it, messages refer to `--help` and words are refused
 * @throws BadOption for anything else
 */
export function readArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  command?: string,
) {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals: command !== undefined, options });
  } catch (error) {
    const help = command === undefined ? '--help' : `${command} --help`;
    throw new BadOption(`${(error as Error).message.split('.')[0]}. See ${help}.`);
  }
}

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  /** Address of a PostgreSQL database, or null for SQLite in the data folder. */
  readonly database: string | null;
  readonly seed: SeedOption | null;
  /** Whether unknown badges of the demo are registered some time after they were tapped. */
  readonly registersLate: boolean;
  readonly basePath: string;
  /** Webhooks may point to loopback and private addresses. */
  readonly allowPrivateTargets: boolean;
  /** The public address for phones of visitors. Null: there are no such pages. */
  readonly publicUrl: string | null;
  /** Whether this process sends notifications. */
  readonly notifies: boolean;
  /** Address of a mail server, or null for the file outbox. */
  readonly smtp: string | null;
  /** Whether the fault console is open. */
  readonly faults: boolean;
  /** File the log goes to, or null for stderr. */
  readonly log: string | null;
};

export const help = `Event platform service

Usage
  npm run platform -- [options]                    serve
  npm run platform -- keys add|list|revoke --help  manage API keys

Options
  --port N            port to listen on, 0 for any free one (default 8810)
  --host ADDRESS      address to listen on (default 127.0.0.1)
  --data DIR          folder of the database, uploads and sent e-mail (default .data/platform)
  --database ADDRESS  postgres://... instead of SQLite in the data folder
  --seed WHAT         demo, empty, or a number of visitors; applied to an empty database only
  --late-registration register the demo's unknown badges a while after they were tapped
  --base-path PATH    path of the base address (default /create/v2)
  --allow-private-targets
                      let webhooks point to this machine and to private addresses
  --public-url ADDRESS
                      where phones reach this platform, e.g. https://events.example.org: it then has a page of what a
                      visitor took along, which the screens of the stands show as a code
  --no-notifications  send none; another process on the same database does
  --faults            open the fault console at /faults, for tests and rehearsals only
  --smtp ADDRESS      send e-mail by smtp://[user:password@]host[:port] or smtps://... instead of into files;
                      the environment variable PLATFORM_SMTP does the same without showing the password
  --log FILE          where the log goes (default: standard error)
  --help              this text
`;

const known = {
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  seed: { type: 'string' },
  'late-registration': { type: 'boolean' },
  'base-path': { type: 'string' },
  'allow-private-targets': { type: 'boolean' },
  'public-url': { type: 'string' },
  'no-notifications': { type: 'boolean' },
  faults: { type: 'boolean' },
  smtp: { type: 'string' },
  log: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** The address of a PostgreSQL database as given, or null. @throws BadOption if it is invalid */
export function parseDatabase(address: string | undefined): string | null {
  if (address !== undefined && !/^postgres(ql)?:\/\//.test(address))
    throw new BadOption('--database must be an address that starts with postgres://.');
  return address ?? null;
}

function wholeNumber(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new BadOption(`--${name} must be a whole number from ${least} to ${most}, got "${text}".`);
  }
  return value;
}

function parseSeed(text: string): SeedOption {
  if (text === 'demo' || text === 'empty') return text;
  if (!/^\d+$/.test(text)) {
    throw new BadOption(`--seed must be demo, empty or a number of visitors, got "${text}".`);
  }
  return wholeNumber(text, 'seed', 1, 5_000_000);
}

function parseBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) {
    throw new BadOption(`--base-path must look like /create/v2, got "${text}".`);
  }
  return path;
}

function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new BadOption('--public-url must be an address that starts with https:// or http://.');
  return url.href.replace(/\/+$/, '');
}

function parseSmtp(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (text !== null && (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')) {
    throw new BadOption('--smtp must be an address that starts with smtp:// or smtps://.');
  }
  return text;
}

/** Reads the options of the service. Null for `--help`. */
export function parseServeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): ServeOptions | null {
  const { values } = readArguments(args, known);
  if (values.help === true) return null;
  return {
    port: wholeNumber(values.port ?? '8810', 'port', 0, 65_535),
    host: values.host ?? '127.0.0.1',
    data: values.data ?? '.data/platform',
    database: parseDatabase(values.database),
    seed: values.seed === undefined ? null : parseSeed(values.seed),
    registersLate: values['late-registration'] === true,
    basePath: parseBasePath(values['base-path'] ?? '/create/v2'),
    allowPrivateTargets: values['allow-private-targets'] === true,
    publicUrl: values['public-url'] === undefined ? null : parsePublicUrl(values['public-url']),
    notifies: values['no-notifications'] !== true,
    faults: values.faults === true,
    smtp: parseSmtp(values.smtp ?? environment.PLATFORM_SMTP ?? null),
    log: values.log ?? null,
  };
}
