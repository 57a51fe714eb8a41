/**
 * `node start.ts APP BADGE [options]`: runs the entry of the packed app at APP (the folder that stands for its
 * archive) under fakes of Electron. When its page is idle, it scans BADGE, or with `--reader pcsc` it waits for BADGE
 * on the reader. It prints what the page shows afterwards, and quits.
 *
 * Invariant: the exit code is that of the app.
 */
import { once } from 'node:events';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { END_WITHIN_MS } from '../../../src-main/shell-electron/shell.ts';
import { scan } from '../../renderer/device/scan.ts';
import { standIn } from './electron-module.ts';

const [, , app = '', badge = '', ...options] = process.argv;
const inApp = pathToFileURL(`${app}/`).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' && context.parentURL?.startsWith(inApp)
      ? { url: new URL('electron-module.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

// A busy machine gets more time for an orderly exit than people would wait.
const { setTimeout: wait } = timers;
timers.setTimeout = ((ms, ...rest) =>
  wait(ms === END_WITHIN_MS ? 60_000 : ms, ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();

const exited = once(standIn.app, 'exited');
const created = once(standIn.app, 'web-contents-created');
// The arguments as a package gets them: the path of its own program, then the options.
process.argv = ['touchpoint', ...options];
await import(pathToFileURL(join(app, 'out', 'main', 'main.js')).href);

const drive = async (): Promise<void> => {
  await created;
  const [window] = standIn.windows;
  if (window === undefined) throw new Error('There is no window');
  if (!window.shown) await once(window, 'ready-to-show');
  const page = await window.webContents.settled();
  // The limit for a machine with much else to do.
  page.setDefaultTimeout(90_000);
  await page.locator('main[data-view="attract"]').waitFor();
  if (options.includes('pcsc')) process.stdout.write('It waits for a card\n');
  else await scan(page, `${badge}\n`);
  await page.locator('main[data-view="captured"]').waitFor();
  process.stdout.write('It shows: captured\n');
  standIn.app.quit();
};
await Promise.race([drive(), exited]);
await exited;
await standIn.end();
process.exit(standIn.app.exitCode ?? 1);
