/**
 * Which slow test files an ordinary run leaves out.
 *
 * Invariants:
 * - Of each group a run takes one part, the next one at the next seed. The nightly run takes all.
 * - A run also takes a file if code in it or in its sources changed in the last commits, if the history is unknown,
 *   and if the command names it.
 * - Quick tests in every run cover each promise about captured data.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isDue } from './thoroughness.ts';

/**
 * How many commits back a change counts: an estimate, because a clone does not show which commits the previous run had.
 * A file with an older change runs when its turn comes, and every night.
 */
const COMMITS = 10;

/**
 * A run takes every `of`-th file of `files`, and all of them after a change in `sources`. The order of the files is
 * chosen so that each seed takes about equally long, packages included.
 */
type Group = { readonly of: number; readonly sources: readonly string[]; readonly files: readonly string[] };

const groups: readonly Group[] = [
  {
    // Making packages takes 80 s of CPU for each file.
    of: 5,
    sources: ['packaging', 'packages/pcsclite', 'package-lock.json', 'electron-builder.yml', 'setup/runtime'],
    files: ['test/packaging/electron-packages.test.ts', 'test/packaging/kiosk-package.test.ts'],
  },
  {
    // Laptops share their leads and one takes over: without a browser, and by their screens only.
    of: 2,
    sources: ['src-hub/sharing'],
    files: ['test/sharing/sharing.test.ts', 'test/end-to-end/sharing.test.ts'],
  },
  {
    // Devices switch to another hub: to a standby, and to a machine that replaces a lost one.
    of: 2,
    sources: ['src-platform/hub/lease.ts'],
    files: ['test/hub/https/second-address.test.ts', 'test/hub/https/gone-for-good.test.ts'],
  },
  {
    // Photos and voice notes of a lead, on the laptop and on a phone.
    of: 2,
    sources: ['src-main/phones'],
    files: ['test/end-to-end/files-of-a-lead.test.ts', 'test/end-to-end/phone.test.ts'],
  },
  {
    // A CRM is connected and follows the leads, from a laptop and at the hub.
    of: 2,
    sources: ['src-main/core/team/destinations'],
    files: ['test/end-to-end/crm.test.ts', 'test/end-to-end/crm-at-hub.test.ts'],
  },
  {
    // Hubs, their devices and their platform, most of them as processes.
    of: 5,
    sources: [],
    files: [
      'test/hub/standby.test.ts',
      'test/hub/team/forgotten.test.ts',
      'test/hub/https/https.test.ts',
      'test/hub/failures/returned.test.ts',
      'test/hub/fleet-screen.test.ts',
      'test/hub/destinations-of-processes.test.ts',
      'test/hub/failures/slow-hall.test.ts',
      'test/hub/start.test.ts',
      'test/hub/postgres.test.ts',
      'test/hub/upstream/webhook.test.ts',
      'test/hub/three-kiosks.test.ts',
      'test/hub/fairness.test.ts',
      'test/hub/team/team.test.ts',
      'test/hub/processes.test.ts',
      'test/hub/fleet-load.test.ts',
      'test/hub/fleet.test.ts',
      'test/hub/serving/stream.test.ts',
      'test/hub/lost-disk.test.ts',
      'test/hub/sheet.test.ts',
      'test/hub/failures/clocks.test.ts',
      'test/hub/failures/hanging.test.ts',
      'test/hub/mirror/replicator.test.ts',
      'test/hub/contact-details.test.ts',
      'test/hub/destinations-command.test.ts',
    ],
  },
  {
    // The whole app, from a tap, a file or a picture to the screen and the sheet. Every run takes `tap-to-screen`.
    of: 5,
    sources: [],
    files: [
      'test/hub/failures/copied-folder.test.ts',
      'test/end-to-end/defects.test.ts',
      'test/end-to-end/sheet-to-screen.test.ts',
      'test/end-to-end/rehearsal.test.ts',
      'test/end-to-end/evening.test.ts',
      'test/hub/monitoring.test.ts',
      'test/end-to-end/queue-to-screen.test.ts',
      'test/end-to-end/restart-to-screen.test.ts',
      'test/end-to-end/badge-by-picture.test.ts',
      'test/end-to-end/setup-to-lead.test.ts',
      'test/core/team/recognition/recognition.test.ts',
      'test/end-to-end/file-to-screen.test.ts',
    ],
  },
  {
    // Pages in Chromium: those of the team and those of visitors. Every run takes `screens`.
    of: 5,
    sources: [],
    files: [
      'test/renderer/visitor/screen/display.test.ts',
      'test/renderer/staff/setup.test.ts',
      'test/renderer/visitor/camera/camera.test.ts',
      'test/renderer/visitor/session/session-display.test.ts',
      'test/renderer/staff/leads.test.ts',
      'test/renderer/visitor/input/scripts.test.ts',
      'test/renderer/staff/rehearsal.test.ts',
      'test/renderer/staff/team-form.test.ts',
      'test/renderer/visitor/screen/focus.test.ts',
      'test/renderer/screens/comfort-screens.test.ts',
      'test/renderer/visitor/speech/real-voice.test.ts',
      'test/renderer/visitor/input/scans.test.ts',
      'test/renderer/staff/work.test.ts',
      'test/renderer/staff/entry.test.ts',
      'test/renderer/visitor/screen/keyboard.test.ts',
      'test/renderer/staff/worklist.test.ts',
      'test/renderer/visitor/input/demo-tray.test.ts',
      'test/renderer/visitor/screen/brand.test.ts',
      'test/renderer/visitor/comfort/comfort.test.ts',
      'test/renderer/screens/layout-faults.test.ts',
      'test/renderer/staff/delivery.test.ts',
      'test/renderer/staff/numbers.test.ts',
      'test/renderer/visitor/session/bag-code.test.ts',
      'test/renderer/staff/handover.test.ts',
      'test/renderer/visitor/attract/attract.test.ts',
      'test/renderer/staff/sheet.test.ts',
      'test/renderer/staff/team.test.ts',
      'test/renderer/visitor/speech/speech.test.ts',
      'test/renderer/screens/reflow.test.ts',
      'test/renderer/staff/about.test.ts',
      'test/renderer/staff/crm.test.ts',
      'test/renderer/screens/forced-colors.test.ts',
    ],
  },
  {
    // Readers with a card service, starts and ends of the app and its helpers, the platform, repeated kills and damaged
    // files.
    of: 5,
    sources: [],
    files: [
      'test/platform/postgres/notices.test.ts',
      'test/core/stand/visit/platform.test.ts',
      'test/core/journal/recovery/kill-points.test.ts',
      'test/chaos/chaos.test.ts',
      'test/devices/virtual-driver.test.ts',
      'test/devices/recovery.test.ts',
      'test/exploration/explorer.test.ts',
      'test/launch/start.test.ts',
      'test/platform/bad-input.test.ts',
      'test/commands/leads.test.ts',
      'test/platform/main.test.ts',
      'test/core/team/exports/export-jobs.test.ts',
      'test/platform/postgres/processes.test.ts',
      'test/setup/closing-line.test.ts',
      'test/commands/tap.test.ts',
      'test/devices/faults/catalogue.test.ts',
      'test/device-setup/lost-rights.test.ts',
      'test/device-setup/hub-setup.test.ts',
      'test/core/delivery/outbox/delivery.test.ts',
      'test/core/team/leads/two-devices.test.ts',
      'test/api-client/api-client.test.ts',
      'test/shell-browser/browser-page.test.ts',
      'test/commands/health.test.ts',
      'test/core/journal/recovery/corruption.test.ts',
      'test/shell-electron/shell.test.ts',
      'test/machine/lowest-priority.test.ts',
      'test/platform/notifications/delivery.test.ts',
      'test/core/team/exports/proof.test.ts',
      'test/setup/setup.test.ts',
      'test/chaos/moods.test.ts',
      'test/rehearsal/rehearsal.test.ts',
      'test/platform/log.test.ts',
      'test/core/stand/taps/crash.test.ts',
      'test/device-setup/provisioned-start.test.ts',
      'test/devices/quick-taps.test.ts',
      'test/commands/command-line.test.ts',
      'test/setup/end-with-parent.test.ts',
      'test/drawing/picture-drawer.test.ts',
      'test/phones/phones.test.ts',
      'test/core/journal/recovery/page-images.test.ts',
      'test/platform/notifications/schedule.test.ts',
    ],
  },
];

/** The files that this run leaves out. */
export function leftOut(): readonly string[] {
  const named = process.argv.slice(3).filter((argument) => !argument.startsWith('-'));
  const isNamed = (file: string) => named.some((part) => file.includes(part) || part.includes(file));
  const changed = changedSince(`HEAD~${COMMITS}`);
  const hasChanged = (path: string) =>
    changed === null || changed.some((file) => file === path || file.startsWith(`${path}/`));
  return groups.flatMap(({ of, files, sources }) =>
    files.filter(
      (file, index) => !isDue(index, of) && !isNamed(file) && ![file, ...sources].some(hasChanged),
    ),
  );
}

/** Lines that decide nothing: of a comment, and the first line of a test if only its title can change in it. */
const proseLines = [
  '^[[:space:]]*[*/#]',
  '^[[:space:]]*((it|test|describe)|\\]\\))\\([\'"`].*[\'"`], (async )?\\([^()]*\\) => \\{$',
];

/**
 * The files in the repository `folder` in which a line of code changed since the revision `since`, besides prose in
 * comments and titles of tests; null if the history is unknown.
 */
export function changedSince(
  since: string,
  folder = join(import.meta.dirname, '..'),
): readonly string[] | null {
  const ofCode = ['--ignore-blank-lines', ...proseLines.flatMap((lines) => ['-I', lines])];
  const { status, stdout } = spawnSync(
    'git',
    ['diff', '--numstat', '--no-renames', ...ofCode, since, 'HEAD'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  if (status !== 0) return null;
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => line.split('\t').at(-1) ?? '');
}
