/**
 * The steps of set-up, and how each step detects that it is already done.
 *
 * Invariants:
 * - a completed step is recognised by its result, not only by the stamp, so a folder that was set up by hand is
 *   accepted, and an interrupted set-up resumes;
 * - when the stamp matches, nothing runs and no network is needed.
 */
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from './lock.mjs';
import {
  fingerprint,
  modulesFolder,
  nodePath,
  readJson,
  root,
  runtimeFolder,
  runtimeIsPublished,
  runtimeVersion,
} from './paths.mjs';
import { run, SetupFailure, step } from './progress.mjs';

const stampFile = join(runtimeFolder, 'stamp.json');
const oldestNode = [24, 11];

/** A fingerprint of everything that set-up depends on. */
function wantedStamp() {
  return fingerprint(['package-lock.json', 'setup/runtime/package-lock.json', 'setup/steps.mjs']);
}

/** Updates runtime and dependencies. Quick and silent when they are up to date. */
export async function ensureSetup() {
  const wanted = wantedStamp();
  if (isCurrent(wanted)) return;
  await withSetupLock(async () => {
    if (isCurrent(wanted)) return;
    // Each step holds the lock until it ends, even if the other one fails.
    await Promise.all([withSetupLock(ensureRuntime), withSetupLock(ensureDependencies)]);
    writeFileSync(stampFile, JSON.stringify({ stamp: wanted }));
  });
}

function isCurrent(wanted) {
  return readJson(stampFile)?.stamp === wanted && existsSync(nodePath()) && existsSync(installedList);
}

/** The pinned Node.js, from its npm platform package. */
async function ensureRuntime() {
  if (!runtimeIsPublished) return checkOwnNode();
  if ((await nodeVersion()) === `v${runtimeVersion}`) return;
  await step(`Node.js ${runtimeVersion}`, async () => {
    rmSync(join(runtimeFolder, 'node_modules'), { recursive: true, force: true });
    for (const file of ['package.json', 'package-lock.json']) {
      copyFileSync(join(root, 'setup', 'runtime', file), join(runtimeFolder, file));
    }
    await npm(['ci', '--ignore-scripts'], runtimeFolder);
    const installed = await nodeVersion();
    if (installed !== `v${runtimeVersion}`)
      throw new SetupFailure(`It says it is ${installed ?? 'not there'}.`);
  });
}

function checkOwnNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major === oldestNode[0] && minor >= oldestNode[1]) return;
  throw new SetupFailure(
    `For this machine (${process.platform} ${process.arch}) Node.js ${runtimeVersion} must be installed by hand; ` +
      `this is ${process.versions.node}.`,
  );
}

function nodeVersion() {
  if (!existsSync(nodePath())) return Promise.resolve(null);
  return run(nodePath(), ['--version'], { timeoutMs: 20_000 }).then(
    (output) => output.trim(),
    () => null,
  );
}

const installedList = join(modulesFolder, '.package-lock.json');

/** Installs `node_modules` exactly as in the lockfile, without install scripts. */
async function ensureDependencies() {
  if (dependenciesMatch()) return;
  await step('dependencies', () => npm(['ci', '--ignore-scripts'], root));
}

/** npm writes this list last, so after an interrupted installation it is missing or older. */
function dependenciesMatch() {
  const locked = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(installedList)?.packages;
  if (installed === undefined) return false;
  const same = (path) => installed[path]?.integrity === locked[path].integrity;
  return (
    Object.keys(installed).every((path) => locked[path] !== undefined) &&
    Object.keys(locked).every(
      (path) => path === '' || same(path) || locked[path].optional || locked[path].peer,
    )
  );
}

/** On the Node.js that runs set-up: the pinned one may not be complete yet, because both steps run at the same time. */
function npm(args, cwd) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return run('npm', [...args, ...quiet], { cwd });
}
