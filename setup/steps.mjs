/**
 * The steps of set-up and how each knows that it is done.
 *
 * Invariants: a step that is done is recognised by what it left, not only by the stamp, so a work folder set up by hand
 * is taken over and an interrupted set-up goes on where it stopped; when the stamp fits, nothing is run and no
 * network is needed.
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
  runtimeEnvironment,
  runtimeFolder,
  runtimeIsPublished,
  runtimeVersion,
} from './paths.mjs';
import { run, SetupFailure, step } from './progress.mjs';

const stampFile = join(runtimeFolder, 'stamp.json');
const oldestNode = [24, 11];

/** What the present set-up was made from; changes when any of it does. */
function wantedStamp() {
  return fingerprint(['package-lock.json', 'setup/runtime/package-lock.json', 'setup/steps.mjs']);
}

/** Brings runtime and dependencies up to date; quick and silent where they are. */
export async function ensureSetup() {
  const wanted = wantedStamp();
  if (isCurrent(wanted)) return;
  await withSetupLock(async () => {
    if (isCurrent(wanted)) return;
    await ensureRuntime();
    await ensureDependencies();
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
    await npm(['ci', '--ignore-scripts'], runtimeFolder, process.env);
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

/** `node_modules` exactly as the lockfile says; no package's script is run. */
async function ensureDependencies() {
  if (dependenciesMatch()) return;
  await step('dependencies', () => npm(['ci', '--ignore-scripts'], root, runtimeEnvironment()));
}

/** npm writes this list last, so an interrupted installation has none or an older one. */
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

function npm(args, cwd, env) {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return run('npm', [...args, ...quiet], { cwd, env });
}
