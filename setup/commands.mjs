/**
 * The commands that the scripts of package.json run: the requirements and the program of each command.
 *
 * Invariant: a command that needs no screens does not wait for their bundle.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './debian.mjs';
import { root } from './paths.mjs';

const tool = (name, file) => join(root, 'node_modules', name, file);

/** The checks of `npm run check`, quickest first. */
const checks = [
  { check: true, name: 'format and lint', args: [tool('@biomejs/biome', 'bin/biome'), 'check'] },
  {
    check: true,
    name: 'promise rules',
    args: [tool('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings'],
  },
  { check: true, name: 'types', args: [tool('typescript', 'bin/tsc'), '-p', 'tsconfig.json'] },
  {
    check: true,
    name: 'types of the screens',
    args: [tool('typescript', 'bin/tsc'), '-p', 'src-renderer/tsconfig.json'],
  },
  { check: true, name: 'unused code', args: [tool('knip', 'bin/knip.js')] },
];

const entry = (file) => (args) => [{ args: [join(root, file), ...args] }];

const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

const kioskFlags = json('setup/kiosk-flags.json');

/**
 * Flags of the app's Node.js (`kiosk-flags.json`): 4 MB for young objects instead of 16 MB, because the app shares
 * the machine with a browser.
 */
const app = (args) => [{ args: [...kioskFlags, join(root, 'src-main/launch/main.ts'), ...args] }];

const vitest = (args) => [{ name: 'tests', args: [tool('vitest', 'vitest.mjs'), 'run', ...args] }];

/** `test/slow-files.json`: the slow test files, each with its reason. */
const withoutSlow = () =>
  Object.values(json('test/slow-files.json'))
    .flat()
    .map((files) => `--exclude=${files}`);

const commands = {
  start: { screens: true, restarts: true, runs: app },
  platform: { runs: entry('src-platform/main.ts') },
  hub: { runs: entry('src-hub/main.ts') },
  tap: { runs: entry('src-main/commands/tap.ts') },
  leads: { runs: entry('src-main/commands/leads.ts') },
  facts: { runs: entry('src-main/commands/facts.ts') },
  backup: { runs: entry('src-main/commands/backup.ts') },
  diagnostics: { runs: entry('src-main/commands/diagnostics.ts') },
  health: { runs: entry('src-main/commands/health.ts') },
  restore: { runs: entry('src-main/commands/restore.ts') },
  screen: { runs: entry('src-main/commands/screen.ts') },
  'staff-pin': { runs: entry('src-main/commands/staff-pin.ts') },
  touchpoints: { runs: entry('src-main/commands/touchpoints.ts') },
  'sync-doctor': { runs: entry('src-main/commands/sync-doctor.ts') },
  'api-types': { runs: entry('packages/api-client/generate.ts') },
  bench: { screens: true, runs: entry('test/bench/main.ts') },
  gallery: { screens: true, runs: entry('test/renderer/screens/gallery.ts') },
  walk: { screens: true, runs: entry('test/renderer/screens/full-walk.ts') },
  'crm-double': { runs: entry('test/core/team/destinations/crm-double.ts') },
  explore: { screens: true, runs: entry('test/exploration/main.ts') },
  check: { runs: () => checks },
  mutations: { runs: entry('test/mutations/main.ts') },
  test: {
    screens: true,
    runs: vitest,
    beside: (args) => (args.length === 0 ? checks : []),
  },
  'test:fast': { runs: (args) => vitest([...withoutSlow(), ...args]), beside: () => checks },
  package: { runs: entry('packaging/main.ts') },
};

/** Names of all commands. */
export const commandNames = Object.keys(commands);

/**
 * The requirements and the program of the command `name`, whether a defect restarts it, and the checks that run
 * beside it; null for an unknown command. `--help` and `--list` need neither screens nor system packages.
 */
export function commandOf(name, args) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return null;
  const bare = args.includes('--help') || args.includes('--list');
  const noReader = bare || (name === 'start' && /(^| )--reader[ =]none( |$)/.test(args.join(' ')));
  return {
    screens: command.screens === true && !bare,
    restarts: command.restarts === true,
    packages: noReader ? [] : (packagesOf[name] ?? []),
    runs: command.runs(args),
    beside: command.beside?.(args) ?? [],
  };
}
