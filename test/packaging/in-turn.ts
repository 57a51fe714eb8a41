/**
 * Which package suites a run takes: making packages takes 80 s of CPU for each.
 *
 * Invariants:
 * - A run takes one of the two suites, the other one at the next seed.
 * - It takes both if something that decides about packages changed in the last commits, if the history is
 *   unknown, if a person names a file of this folder, and at night.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inTurn } from '../thoroughness.ts';

/** How many commits back a change counts: about a day of work. */
const COMMITS = 20;

/** What decides about packages. */
const SOURCES = [
  ...['packaging', 'test/packaging', 'package.json', 'package-lock.json', 'packages/pcsclite'],
  ...['electron-builder.yml', 'vite.config.ts', 'setup/runtime'],
];

/** A suite and what it makes. */
type Suite = { readonly file: string; readonly makes: string };

const suites: readonly Suite[] = [
  { file: 'test/packaging/electron-packages.test.ts', makes: 'the packages of the Electron app' },
  { file: 'test/packaging/kiosk-package.test.ts', makes: 'the Debian packages of kiosk and hub' },
];

/** The suites that this run leaves out. */
export function leftOut(): readonly Suite[] {
  const isNamed = process.argv.some((argument) => argument.includes('packag'));
  if (isNamed || haveSourcesChanged()) return [];
  const taken = inTurn(suites, 0);
  return suites.filter((suite) => !taken.includes(suite));
}

function haveSourcesChanged(): boolean {
  const range = [`HEAD~${COMMITS}`, 'HEAD'];
  const { status } = spawnSync('git', ['diff', '--quiet', ...range, '--', ...SOURCES], {
    cwd: join(import.meta.dirname, '..', '..'),
  });
  return status !== 0;
}
