/**
 * `npm run tap`: plays a badge through the virtual reader and the card service, to show the whole path of a tap without a
 * reader.
 *
 * Invariant: exit codes: 0 the app showed the expected result; 1 the app showed another one or is not running; 2 the
 * command is wrong or this machine lacks a part. The output gives the reason.
 */
import { parseArgs } from 'node:util';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { realClock } from '../machine/real-time.ts';
import { findRunningApp, openAppConnection, type RunningApp } from './tap/app-connection.ts';
import { ensureCardService, hasVirtualReader, missingPackages } from './tap/card-service.ts';
import { type BadgeToPlay, findBadge, listOfBadges, readDemoBadges } from './tap/demo-badges.ts';
import { type Played, playWithApp, playWithoutConnection, waitForReader } from './tap/play.ts';

/** The demo badges. The bundle is at the same depth below the root folder as this file. */
const badgesFile = new URL('../../assets/demo/badges.json', import.meta.url);

/** The parsed arguments. `wrong` contains one sentence for the user. */
type TapArguments =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'tap'; readonly badge: string; readonly data: string | null }
  | { readonly kind: 'wrong'; readonly sentence: string };

const usage = `Plays a badge through the virtual reader and the card service of this machine.

  npm run tap -- <badge> [--data DIR]   taps a badge: its UID, its short name or the visitor's name
  npm run tap -- --list                 lists the demo badges, code first

  --data DIR   data folder of the running app (default: TOUCHPOINT_DATA, else the demo event's folder)

Exits with 0 when the app had the expected result, 1 when it had another one or no app runs,
2 when something is missing on this machine or the command is wrong.
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  data: { type: 'string' },
} as const;

/** Parses the arguments; a name of several words may come unquoted. */
function readArguments(args: readonly string[]): TapArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    if (values.help === true) return { kind: 'help' };
    if (values.list === true) return { kind: 'list' };
    const badge = positionals.join(' ').trim();
    if (values.data === '') return wrong('--data needs a folder.');
    if (badge === '') return wrong('Which badge? Give a UID or a demo badge; --list shows them.');
    return { kind: 'tap', badge, data: values.data ?? null };
  } catch (error) {
    // The first sentence of the error is about the argument; the rest is advice for programmers.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return wrong(`${sentence}; see --help.`);
  }
}

function wrong(sentence: string): TapArguments {
  return { kind: 'wrong', sentence };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(args: readonly string[]): Promise<number> {
  const asked = readArguments(args);
  switch (asked.kind) {
    case 'help':
      process.stdout.write(usage);
      return 0;
    case 'list':
      process.stdout.write(listOfBadges(readDemoBadges(badgesFile)));
      return 0;
    case 'wrong':
      complain(asked.sentence);
      return 2;
    case 'tap':
      return tap(asked.badge, asked.data ?? process.env.TOUCHPOINT_DATA ?? null);
  }
}

async function tap(wanted: string, data: string | null): Promise<number> {
  const badge = findBadge(wanted, readDemoBadges(badgesFile));
  if (typeof badge === 'string') return complained(badge, 2);
  const missing = missingPackages();
  if (missing !== null) return complained(missing, 2);
  const folder = dataFolderPath({ data, platform: null });
  const app = findRunningApp(folder);
  if (app === null)
    return complained(
      `No Touchpoint runs on ${folder}; start it with npm start, or name its folder with --data`,
      1,
    );
  const service = await ensureCardService(realClock.sleep);
  if (typeof service === 'object') return complained(service.missing, 2);
  if (service === 'started') say('Card service: started pcscd, which was not running.');
  const played = await play(badge, app);
  (played.asExpected ? say : complain)(played.sentence);
  return played.asExpected ? 0 : 1;
}

function complained(sentence: string, code: number): number {
  complain(sentence);
  return code;
}

async function play(badge: BadgeToPlay, app: RunningApp): Promise<Played> {
  if (app.rpc === null) {
    say(`On the reader: ${badge.title}`);
    return playWithoutConnection(badge, realClock.sleep);
  }
  const connection = await openAppConnection(app.rpc, app.token);
  if (connection === null)
    return { sentence: 'The app does not answer; is it still starting?', asExpected: false };
  try {
    const unseen = await waitForReader(connection.client, realClock.sleep);
    if (unseen !== null) return { sentence: unseen, asExpected: false };
    say(`On the reader: ${badge.title}`);
    return await playWithApp(badge, connection.client, realClock.sleep);
  } finally {
    connection.close();
  }
}

/** A service that started before its virtual reader was installed has no slot for a card. */
function sentenceOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') {
    return hasVirtualReader()
      ? 'The card service runs without the virtual reader; restart pcscd.'
      : 'The card service has no virtual reader (Debian package vsmartcard-vpcd).';
  }
  return `The tap could not be played: ${String(error)}`;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) =>
  complained(sentenceOf(error), 1),
);
