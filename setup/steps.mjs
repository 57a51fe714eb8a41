/**
 * The steps of set-up and how each knows that it is done.
 *
 * Invariants: a step that is done is recognised by what it left, not only by the stamp, so a work folder set up by hand
 * is taken over and an interrupted set-up goes on where it stopped; when the stamp fits, nothing is run and no
 * network is needed.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  runtimePackage,
  runtimeVersion,
} from './paths.mjs';
import { run, SetupFailure, say, step } from './progress.mjs';

const stampFile = join(runtimeFolder, 'stamp.json');
const oldestNode = [24, 11];

/** What the present set-up was made from; changes when any of it does. */
function wantedStamp() {
  return fingerprint(['package-lock.json', 'setup/runtime/package-lock.json', 'setup/steps.mjs']);
}

/** Brings runtime, dependencies and native build up to date; quick and silent where they are. */
export async function ensureSetup({ reader }) {
  const wanted = wantedStamp();
  if (isCurrent(wanted, reader)) return;
  await withSetupLock(async () => {
    if (isCurrent(wanted, reader)) return;
    await ensureRuntime();
    await ensureDependencies();
    const addon = reader ? await ensureReaderAddon() : addonState();
    writeFileSync(stampFile, JSON.stringify({ stamp: wanted, addon }));
  });
}

function isCurrent(wanted, reader) {
  const stamp = readJson(stampFile);
  if (stamp?.stamp !== wanted || !existsSync(nodePath()) || !existsSync(installedList)) return false;
  if (!reader || stamp.addon === 'failed') return true;
  return stamp.addon === 'none' ? !canBuild() : stamp.addon === addonState();
}

/** The pinned Node.js, from its npm platform package. */
async function ensureRuntime() {
  if (!runtimeIsPublished) return checkOwnNode();
  const version = await nodeVersion();
  if (version === `v${runtimeVersion}` && existsSync(join(runtimePackage, 'include', 'node', 'node.h')))
    return;
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

const addonFolder = join(modulesFolder, '@pokusew', 'pcsclite');
const addonFile = join(addonFolder, 'build', 'Release', 'pcsclite.node');
const addonNote = join(addonFolder, 'build', 'built-for');

/** For which Node.js the reader's addon stands built, or `none`. */
function addonState() {
  if (!existsSync(addonFile)) return 'none';
  return existsSync(addonNote) ? readFileSync(addonNote, 'utf8') : 'unknown';
}

function canBuild() {
  return process.platform !== 'linux' || existsSync('/usr/include/PCSC/winscard.h');
}

/** The one native build. Without it the app runs with keyboard scanners and typed codes only, and says so. */
async function ensureReaderAddon() {
  const wanted = `${process.platform}-${process.arch}-${runtimeVersion}`;
  if (addonState() === wanted && (await addonLoads())) return wanted;
  if (!(await addonLoads())) {
    if (!canBuild()) return 'none';
    await step('badge reader (native build)', buildAddon).catch((error) => {
      if (!(error instanceof SetupFailure)) throw error;
      say(`${error.message}\nset-up: going on without badge readers`);
    });
  }
  if (!(await addonLoads())) return 'failed';
  mkdirSync(join(addonFolder, 'build'), { recursive: true });
  writeFileSync(addonNote, wanted);
  return wanted;
}

function buildAddon() {
  const headers = runtimeIsPublished ? { npm_config_nodedir: runtimePackage } : {};
  const env = { ...runtimeEnvironment(), ...headers, npm_config_ignore_scripts: 'false' };
  return npm(['rebuild', '@pokusew/pcsclite', '--foreground-scripts'], root, env);
}

async function addonLoads() {
  if (!existsSync(addonFile)) return false;
  return run(nodePath(), ['-e', `require(${JSON.stringify(addonFile)})`], { timeoutMs: 20_000 }).then(
    () => true,
    () => false,
  );
}
