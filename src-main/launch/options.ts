/**
 * Parses the command line of Touchpoint. Pure.
 *
 * Invariants:
 * - the result is options, help, or one sentence that names the fault; nothing is guessed;
 * - no sentence contains a key.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkAddress } from '../core/foundations/api/address.ts';

/** A real event, instead of the demo event. */
export type PlatformOption = {
  readonly url: string;
  readonly key: string;
  readonly password: string;
  readonly expo: string;
  /** Whether `url` may be plain http to a numeric address of a private network. */
  readonly privateHttp: boolean;
};

/** The result of the command line. */
export type Options = {
  readonly shell: 'auto' | 'electron' | 'browser';
  readonly open: boolean;
  /** Whether the window of the Electron shell fills the screen and cannot be closed. */
  readonly kiosk: boolean;
  /** Null means the default port, or any free port if that is in use. */
  readonly port: number | null;
  /** Null means the default folder of this machine and event. */
  readonly data: string | null;
  readonly reader: 'auto' | 'pcsc' | 'none';
  /** A code scanner on a serial port, in addition to the badge reader; null if there is none. */
  readonly scanner: { readonly path: string; readonly baud: number } | null;
  /** Null means the event chosen on the screen, or else the embedded demo event. */
  readonly platform: PlatformOption | null;
  /**
   * Whether the event is chosen on the screen or by a hub's file, instead of running the demo event; usual in a
   * package.
   */
  readonly setUp: boolean;
  /** A hub's file that sets this device up, and the device's id in it; null without a file. */
  readonly provision: { readonly file: string; readonly device: string | null } | null;
  /** A hub's file to show on the set-up page, as named on the command line; null without a file. */
  readonly file: string | null;
  /** Address of the AppImage's updates; null if it does not check for updates. */
  readonly updates: string | null;
  /** Whether the Electron package starts with its user's session from now on; null if that does not change. */
  readonly autostart: 'on' | 'off' | null;
};

/**
 * The options for the log: without the key, and without the path of a hub's file, which may contain personal data. Of
 * an address only the origin, because its path may be secret.
 */
export function loggedOptions(options: Options): object {
  return {
    ...options,
    platform: options.platform === null ? null : new URL(options.platform.url).origin,
    updates: options.updates === null ? null : new URL(options.updates).origin,
    provision: options.provision !== null,
    file: options.file !== null,
  };
}

export type ParsedOptions =
  | { readonly kind: 'options'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Printed by `--help`. */
export const helpText = `Touchpoint: badge taps at a trade-fair stand become safe leads.

  npm start -- [options] [FILE.touchpoint]

  --shell auto|electron|browser   window of its own, or a page in a browser (auto: what this machine can do)
  --no-open                       do not open a window or browser; print the address only
  --kiosk                         let the window fill the screen and stay (Electron; or TOUCHPOINT_KIOSK=1)
  --port N                        port of the browser shell, 1 to 65535 (default: 4747, else a free one)
  --data DIR                      folder for leads, settings and logs (or TOUCHPOINT_DATA)
  --reader auto|pcsc|none         badge reader (auto and pcsc: the card service; none: scanner and typed codes only)
  --scanner PORT[,BAUD]           code scanner on a serial port, such as /dev/ttyACM0 (Linux, macOS; default: 9600 baud)
  --set-up                        set the device up on its screen, for your event (default in an installed package)
  --demo                          run the demo event (default in a source tree)
  FILE.touchpoint                 show this file of a hub on the set-up page, as a double click on it does
  --provision FILE [--device ID]  set the device up with the file that a hub in the hall wrote (docs/hub.md)
  --platform URL --key KEY --expo ID
                                  the event to work for, instead of the demo event; the key may stand in
                                  TOUCHPOINT_KEY (and a password in TOUCHPOINT_PASSWORD) to keep it out of
                                  the list of processes
  --private-http                  let --platform be plain http to a numeric address of a private network, for a
                                  hub in the hall without a certificate; everybody on that network can read the key
  --updates URL                   let the AppImage take signed updates from there while the stand is idle (default: off)
  --autostart on|off              let the Electron package start when this user signs in, with the other options of this start
                                  (kept until it is switched off; default: off)
  --help                          this text
`;

const autostarts = [null, 'on', 'off'] as const;
const shells = ['auto', 'electron', 'browser'] as const;
const readers = ['auto', 'pcsc', 'none'] as const;

/** The behaviour of a start without an event: a source tree runs the demo event, an installed package the set-up. */
export type UsualStart = 'demo' | 'set-up';

/** Parses the arguments after the program's name, and the environment variables that can replace some of them. */
export function parseOptions(
  args: readonly string[],
  env: Environment,
  usual: UsualStart = 'demo',
): ParsedOptions {
  if (args.includes('--help')) return { kind: 'help' };
  const given = new Map<string, string>();
  const flags = new Set<string>();
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries([
      ...[...valued].map((name) => [name, { type: 'string' }]),
      ...[...flagNames].map((name) => [name, { type: 'boolean' }]),
    ]),
    strict: false,
    tokens: true,
  });
  let file: string | null = null;
  for (const token of tokens) {
    if (token.kind === 'positional' && file === null && isGivenFile(token.value)) {
      file = token.value;
    } else if (token.kind !== 'option') {
      return wrong('Touchpoint takes options and one .touchpoint file; --help lists them all.');
    } else if (flagNames.has(token.name) && token.value === undefined) {
      flags.add(token.name);
    } else if (flagNames.has(token.name)) {
      return wrong(`The option --${token.name} takes no value.`);
    } else if (!valued.has(token.name)) {
      return wrong(`There is no option ${clip(token.rawName)}; --help lists them all.`);
    } else if (given.has(token.name)) {
      return wrong(`The option --${token.name} is given twice.`);
    } else if (token.value === undefined || token.value === '' || looksLikeOption(token)) {
      return wrong(`The option --${token.name} needs a value.`);
    } else {
      given.set(token.name, token.value);
    }
  }
  return combine(given, flags, file, env, usual);
}

const flagNames = new Set(['demo', 'kiosk', 'no-open', 'private-http', 'set-up']);
const valued = new Set([
  'shell',
  'port',
  'data',
  'reader',
  'scanner',
  'platform',
  'key',
  'expo',
  'provision',
  'device',
  'updates',
  'autostart',
]);

function looksLikeOption(token: {
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}) {
  return token.inlineValue !== true && token.value?.startsWith('--') === true;
}

function combine(
  given: ReadonlyMap<string, string>,
  flags: ReadonlySet<string>,
  file: string | null,
  env: Environment,
  usual: UsualStart,
): ParsedOptions {
  const shell = shells.find((name) => name === (given.get('shell') ?? 'auto'));
  if (shell === undefined) return wrong('The option --shell takes auto, electron or browser.');
  const reader = readers.find((name) => name === (given.get('reader') ?? 'auto'));
  if (reader === undefined) return wrong('The option --reader takes auto, pcsc or none.');
  const scanner = readScanner(given.get('scanner'));
  if (typeof scanner === 'string') return wrong(scanner);
  const portText = given.get('port');
  const port = portText === undefined ? null : readPort(portText);
  if (Number.isNaN(port)) return wrong('The option --port takes a number from 1 to 65535.');
  const platform = readPlatform(given, flags.has('private-http'), env);
  if (typeof platform === 'string') return wrong(platform);
  if (flags.has('set-up') && platform !== null)
    return wrong('The option --set-up asks for the event on the screen; it does not go with --platform.');
  const provision = readProvision(given, flags.has('set-up') || platform !== null);
  if (typeof provision === 'string') return wrong(provision);
  if (file !== null && (platform !== null || provision !== null))
    return wrong(
      'A .touchpoint file says which event this is; it does not go with --platform or --provision.',
    );
  const saysEvent = flags.has('set-up') || provision !== null || file !== null;
  if (flags.has('demo') && (saysEvent || platform !== null))
    return wrong(
      'The option --demo runs the demo event; it goes with no option or file that says another event.',
    );
  const setUp = saysEvent || (usual === 'set-up' && platform === null && !flags.has('demo'));
  const updates = given.get('updates') ?? null;
  if (updates !== null && checkAddress(updates, false).kind === 'refused')
    return wrong('The option --updates takes an address that begins with https://.');
  if (updates !== null && shell === 'browser')
    return wrong('The option --updates is for the AppImage; it does not go with --shell browser.');
  const autostart = autostarts.find((name) => name === (given.get('autostart') ?? null));
  if (autostart === undefined) return wrong('The option --autostart takes on or off.');
  if (autostart !== null && shell === 'browser')
    return wrong('The option --autostart is for the Electron packages; it does not go with --shell browser.');
  if (autostart === 'on' && platform !== null)
    return wrong(
      'The option --autostart keeps no key; set the device up on its screen (--set-up) instead of --platform.',
    );
  const open = !flags.has('no-open');
  const kiosk = flags.has('kiosk') || env.TOUCHPOINT_KIOSK === '1';
  const data = given.get('data') ?? (env.TOUCHPOINT_DATA || null);
  return {
    kind: 'options',
    options: {
      shell,
      open,
      kiosk,
      port,
      data,
      reader,
      scanner,
      platform,
      setUp,
      provision,
      file,
      updates,
      autostart,
    },
  };
}

/** A hub's file, null for none, or a sentence. `saysElse`: another option already names the event. */
function readProvision(given: ReadonlyMap<string, string>, saysElse: boolean): Options['provision'] | string {
  const file = given.get('provision');
  const device = given.get('device') ?? null;
  if (file === undefined) return device === null ? null : 'The option --device belongs to --provision.';
  if (saysElse)
    return 'The file after --provision says which event this is; it does not go with --platform or --set-up.';
  return { file, device };
}

/** The scanner, null for none, or a sentence. */
function readScanner(text: string | undefined): Options['scanner'] | string {
  if (text === undefined) return null;
  const [, path, baud = '9600'] = /^(\/[^,]*)(?:,(\d{3,7}))?$/.exec(text) ?? [];
  return path === undefined
    ? 'The option --scanner takes the path of a serial port, such as /dev/ttyACM0 or /dev/ttyUSB0,115200; on Windows the scanner types as a keyboard.'
    : { path, baud: Number(baud) };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port >= 1 && port <= 65_535 ? port : Number.NaN;
}

/** The event, null for none, or a sentence. */
function readPlatform(
  given: ReadonlyMap<string, string>,
  privateHttp: boolean,
  env: Environment,
): PlatformOption | string | null {
  const url = given.get('platform');
  const expo = given.get('expo');
  if (url === undefined && expo === undefined && !given.has('key')) {
    return privateHttp ? 'The option --private-http belongs to --platform.' : null;
  }
  const key = given.get('key') ?? env.TOUCHPOINT_KEY ?? '';
  if (url === undefined || expo === undefined || key === '') {
    return 'The options --platform, --key and --expo belong together (the key may stand in TOUCHPOINT_KEY).';
  }
  if (!/^[\w-]{1,64}$/.test(expo))
    return 'The option --expo takes the id of the event: letters, digits, - and _.';
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !['http:', 'https:'].includes(address.protocol)) {
    return 'The option --platform takes the address of the event platform, such as https://platform.example.';
  }
  if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '') {
    return 'The address after --platform must carry no user name, no password, no "?" and no "#".';
  }
  if (checkAddress(url, privateHttp).kind === 'refused') return whyNotHttp(url, privateHttp);
  return { url: url.replace(/\/+$/, ''), key, password: env.TOUCHPOINT_PASSWORD ?? '', expo, privateHttp };
}

/** Why the key must not be sent to this plain http address, and what to use instead. */
function whyNotHttp(url: string, privateHttp: boolean): string {
  if (privateHttp) {
    return 'With --private-http, the address after --platform must be https:// or a numeric address of a private network, such as http://192.168.1.20.';
  }
  const encrypted =
    'The address after --platform must begin with https://, so that the key does not travel in the open';
  return checkAddress(url, true).kind === 'fits'
    ? `${encrypted}; for a hub in a private network, --private-http allows http://.`
    : `${encrypted}.`;
}

function clip(text: string): string {
  const name = text.replace(/[^\x20-\x7e]/g, '?');
  return name.length > 40 ? `${name.slice(0, 40)}...` : name;
}

function wrong(sentence: string): ParsedOptions {
  return { kind: 'wrong', sentence };
}

/**
 * The last argument that names a hub's file, as an absolute path; null when none does. The system passes such a file to
 * the app on a double click or a drop on its icon. Only the set-up checks its content.
 */
export function givenFile(args: readonly string[], folder: string): string | null {
  const named = args.findLast((arg) => isGivenFile(arg));
  if (named === undefined) return null;
  // Linux desktops pass URLs.
  return URL.canParse(named) && named.startsWith('file:') ? fileURLToPath(named) : resolve(folder, named);
}

function isGivenFile(arg: string): boolean {
  return /\.touchpoint$/i.test(arg) && !arg.startsWith('-');
}
