/**
 * `npm run screen`: shows the running app in Chromium in kiosk mode, and runs until Chromium ends.
 *
 * Invariants:
 * - it waits for the app without a limit;
 * - a process list shows the launch link, but the link is invalid after Chromium has opened it;
 * - this command ends with Chromium's exit code, so that the service manager restarts it.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { dataFolderPath } from '../data-folder/data-folder.ts';
import { childEnvironment } from '../machine/child-environment.ts';
import { realClock } from '../machine/real-time.ts';
import { readOptions, refuse } from './command-line.ts';
import { findBrowser, kioskArguments } from './screen/kiosk-flags.ts';
import { findRunningApp, type RunningApp } from './tap/app-connection.ts';

const HELP = `npm run screen -- [--data DIR] [--browser PATH] [--window] [--with=--FLAG ...]

Shows the Touchpoint that runs on this data folder full screen in Chromium. Waits for Touchpoint to start if it
does not run yet. Exits when Chromium exits. --window: in a window, to try it out. --with: another flag of Chromium.
Without --data: the folder of the demo event.
`;

const POLL_EVERY_MS = 500;

async function waitForApp(folder: string): Promise<RunningApp & { readonly rpc: string }> {
  for (let said = false; ; said = true) {
    const app = findRunningApp(folder);
    if (app !== null && app.rpc !== null) return { ...app, rpc: app.rpc };
    if (!said) process.stderr.write(`Waiting for Touchpoint on ${folder} ...\n`);
    await realClock.sleep(POLL_EVERY_MS);
  }
}

/** A new launch link; null if the app does not return one, for example while it starts or ends. */
async function askForLink({
  rpc,
  token,
}: {
  readonly rpc: string;
  readonly token: string;
}): Promise<string | null> {
  const place = new URL('/link', rpc.replace(/^ws/, 'http'));
  try {
    const answer = await fetch(place, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
    if (!answer.ok) return null;
    const { address } = (await answer.json()) as { readonly address?: unknown };
    return typeof address === 'string' ? address : null;
  } catch {
    return null;
  }
}

async function freshLink(folder: string): Promise<string> {
  for (;;) {
    const link = await askForLink(await waitForApp(folder));
    if (link !== null) return link;
    await realClock.sleep(POLL_EVERY_MS);
  }
}

function show(browser: string, args: readonly string[]): Promise<number> {
  const child = spawn(browser, args, {
    env: childEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => refuse(`${browser} could not be started: ${error.message}`));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const options = readOptions(
  {
    data: { type: 'string' },
    browser: { type: 'string' },
    window: { type: 'boolean' },
    with: { type: 'string', multiple: true },
  },
  HELP,
);
const folder = dataFolderPath({ data: options.data ?? null, platform: null });
const browser = options.browser ?? findBrowser();
if (browser === null) refuse('There is no Chromium here; install it, or name it with --browser.');
const args = kioskArguments({
  profile: join(folder, 'screen'),
  window: options.window === true,
  more: options.with ?? [],
});
process.exitCode = await show(browser, [...args, await freshLink(folder)]);
