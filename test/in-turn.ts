/**
 * Which slow test files an ordinary run leaves out.
 *
 * Invariants:
 * - A run takes one file of each group, the next one at the next seed. The nightly run takes all.
 * - It also takes a file if its sources or the file itself changed in the last commits, if the history is unknown, and
 *   if the command names it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { inTurn } from './thoroughness.ts';

/**
 * How many commits back a change counts: an estimate, because a clone does not show which commits the previous run had.
 * The turns and the nightly run cover an older change.
 */
const COMMITS = 20;

/** `files` show much of the same; null is a run that takes none of them. `sources` decide about all of them. */
type Group = { readonly files: readonly (string | null)[]; readonly sources: readonly string[] };

const groups: readonly Group[] = [
  {
    // Making packages takes 80 s of CPU for each file.
    files: ['test/packaging/electron-packages.test.ts', null, 'test/packaging/kiosk-package.test.ts', null],
    sources: ['packaging', 'packages/pcsclite', 'package-lock.json', 'electron-builder.yml', 'setup/runtime'],
  },
  // Laptops share and one takes over, without a browser and on their screens only.
  {
    files: ['test/sharing/sharing.test.ts', 'test/end-to-end/sharing.test.ts'],
    sources: ['src-hub/sharing'],
  },
  // Devices switch to another hub: to a standby, and to a machine that replaces a lost one.
  {
    files: ['test/hub/https/second-address.test.ts', 'test/hub/https/gone-for-good.test.ts'],
    sources: ['src-platform/hub/lease.ts'],
  },
  // Photos and voice notes of a lead, on the laptop and on a phone.
  {
    files: ['test/end-to-end/files-of-a-lead.test.ts', 'test/end-to-end/phone.test.ts'],
    sources: ['src-main/phones'],
  },
  // A CRM is connected and follows the leads, from a laptop and at the hub.
  {
    files: ['test/end-to-end/crm.test.ts', 'test/end-to-end/crm-at-hub.test.ts'],
    sources: ['src-main/core/team/destinations'],
  },
];

/** The files that this run leaves out. */
export function leftOut(): readonly string[] {
  const named = process.argv.slice(3).filter((argument) => !argument.startsWith('-'));
  return groups.flatMap(({ files, sources }, index) => {
    const taken = inTurn(files, index);
    return files.filter(
      (file): file is string =>
        file !== null &&
        !taken.includes(file) &&
        !named.some((part) => file.includes(part) || part.includes(file)) &&
        !haveChanged([file, ...sources]),
    );
  });
}

/** Whether a line of code in one of `paths` changed lately. Prose in comments does not count. */
function haveChanged(paths: readonly string[]): boolean {
  const range = [`HEAD~${COMMITS}`, 'HEAD'];
  const ofCode = ['--name-only', '-G', '^[[:space:]]*[^[:space:]*/#]'];
  const { status, stdout } = spawnSync('git', ['diff', ...ofCode, ...range, '--', ...paths], {
    cwd: join(import.meta.dirname, '..'),
  });
  return status !== 0 || stdout.length > 0;
}
