/**
 * `health`: reports whether the hub of a folder serves and delivers now, for people and for monitoring.
 *
 * Invariants
 * - It works while the hub runs, and only reads, apart from migrating an older database. It prints no personal data and
 *   no key.
 * - Exit codes: 0 good, 1 needs attention, 2 the hub does not work, or the command was wrong.
 */

import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { openExistingData } from '../src-platform/data.ts';
import { BadOption, parseDatabase, readArguments } from '../src-platform/options.ts';
import { readHubSetting } from '../src-platform/store/hub-setting.ts';
import { type HubFigures, readFigures } from './figures.ts';
import { usualFolder } from './options.ts';
import { readScheme, type Scheme } from './settings.ts';

const help = `Whether the hub of a folder serves and delivers now

  health                 prints what works and what does not; exit code 0 good, 1 needs attention, 2 no-go

Options
  --json                 the same as JSON, for monitoring
  --port N               port of the hub on this machine (default 8820)
  --data DIR             folder of the hub (default .data/hub)
  --database ADDRESS     postgres://... where the hub was started with it
`;

const known = {
  json: { type: 'boolean' },
  port: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Verdict = 'good' | 'attention' | 'noGo';
type Check = { readonly name: string; readonly verdict: Verdict; readonly words: string };

const EXIT_CODES: Readonly<Record<Verdict, number>> = { good: 0, attention: 1, noGo: 2 };
const PATIENCE_MS = 5_000;
const MINUTE_MS = 60_000;
/** A fact that waits longer than this is reported. Until then the platform may only be slow. */
const WAITS_LONG_MS = 10 * MINUTE_MS;

/** Runs the command in the arguments after `health`; returns its exit code. */
export async function checkHealth(args: readonly string[], say: (text: string) => void): Promise<number> {
  const { values } = readArguments(args, known, 'health');
  if (values.help === true) {
    say(help);
    return 0;
  }
  const port = Number(values.port ?? '8820');
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new BadOption('--port must be a whole number from 1 to 65535.');
  const store = await openExistingData(values.data ?? usualFolder, parseDatabase(values.database));
  try {
    const expo = await readHubSetting(store.db, 'expo');
    if (expo === null) throw new BadOption('This hub was never started: it does not know its event yet.');
    const now = Date.now();
    const figures = await readFigures(store, expo, now);
    const checks = [
      await checkServing(port, await readScheme(store)),
      checkFacts(figures, now),
      checkDevices(figures),
    ].flat();
    const verdict = worstOf(checks);
    say(
      values.json === true
        ? `${JSON.stringify({ verdict, checks, ...figures })}\n`
        : [...checks.map(lineOf), `Verdict: ${WORDS[verdict]}`].join('\n').concat('\n'),
    );
    return EXIT_CODES[verdict];
  } finally {
    await store.close();
  }
}

const WORDS: Readonly<Record<Verdict, string>> = { good: 'good', attention: 'look', noGo: 'no-go' };

function lineOf({ name, verdict, words }: Check): string {
  return `${WORDS[verdict].padEnd(6)} ${name}: ${words}`;
}

function worstOf(checks: readonly Check[]): Verdict {
  const verdicts = checks.map(({ verdict }) => verdict);
  return (['noGo', 'attention'] as const).find((one) => verdicts.includes(one)) ?? 'good';
}

/** Whether the hub answers on this machine, and whether it reaches the platform. */
async function checkServing(port: number, scheme: Scheme): Promise<readonly Check[]> {
  const answer = await askReady(port, scheme);
  if (answer === null || answer.status !== 'ready') {
    const words = answer === null ? `nothing answers on port ${port}` : `it says "${answer.status}"`;
    return [{ name: 'hub', verdict: 'noGo', words }];
  }
  const serving: Check = { name: 'hub', verdict: 'good', words: `it serves on port ${port}` };
  const { upstream } = answer;
  if (upstream === undefined) return [serving];
  const verdict = upstream === 'online' ? 'good' : upstream === 'offline' ? 'attention' : 'noGo';
  const words = {
    online: 'reached',
    offline: 'not reached; facts wait here',
    refused: 'it refuses the hub: look at the key and the log',
  }[upstream];
  return [serving, { name: 'platform', verdict, words }];
}

type Ready = { readonly status: string; readonly upstream?: 'online' | 'offline' | 'refused' };

/**
 * The hub's answer about its state; null without an answer. The certificate needs no check, because the hub is on
 * this machine.
 */
function askReady(port: number, scheme: Scheme): Promise<Ready | null> {
  const options = { host: '127.0.0.1', port, path: '/health/ready', timeout: PATIENCE_MS };
  return new Promise((resolve) => {
    const asked =
      scheme === 'https' ? request({ ...options, rejectUnauthorized: false }) : plainRequest(options);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(readyIn(text)));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.on('close', () => resolve(null));
    asked.end();
  });
}

function readyIn(text: string): Ready | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'status' in answer ? (answer as Ready) : null;
  } catch {
    // Another program uses this port.
    return null;
  }
}

function checkFacts({ facts, oldestWaitingAt }: HubFigures, now: number): Check {
  const { waiting, parked } = facts;
  const minutes = oldestWaitingAt === null ? 0 : Math.floor((now - oldestWaitingAt) / MINUTE_MS);
  const isLong = oldestWaitingAt !== null && now - oldestWaitingAt > WAITS_LONG_MS;
  const words = [
    `${waiting} wait${waiting === 0 ? '' : `, the oldest for ${minutes} min`}`,
    `${facts.sent} sent, ${facts.confirmed} confirmed, ${parked} set aside`,
  ].join('; ');
  return { name: 'facts', verdict: isLong || parked > 0 ? 'attention' : 'good', words };
}

function checkDevices({ devices }: HubFigures): Check {
  const { working, needsLook, stopped, silent, toEnrol, revoked } = devices;
  const words = [
    `${working} work, ${needsLook} need a look, ${stopped} do not work, ${silent} silent`,
    `${toEnrol} to be set up, ${revoked} revoked`,
  ].join('; ');
  return { name: 'devices', verdict: stopped + silent + needsLook > 0 ? 'attention' : 'good', words };
}
