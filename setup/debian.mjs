/**
 * Checks whether the Debian packages that a command needs are installed, and installs missing ones with apt if it runs
 * as root.
 *
 * Invariants:
 * - if all packages are present, nothing runs, so no network is needed;
 * - a package that is missing and cannot be installed is reported in one line with its consequence, and the command
 *   continues;
 * - without a running service manager an installation starts no service.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withSetupLock } from './lock.mjs';
import { readJson, runtimeFolder } from './paths.mjs';
import { programExists, run, SetupFailure, say, step } from './progress.mjs';

const bin = (name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`];

/**
 * A package: `files` (any one of them shows that it is installed) and `without` (what does not work if it is
 * missing).
 */
const packages = {
  pcscd: { files: ['/usr/sbin/pcscd'], without: 'badge readers are not seen' },
  'vsmartcard-vpcd': {
    files: ['/etc/reader.conf.d/vpcd', '/usr/lib/pcsc/drivers/serial/libifdvpcd.so'],
    without: 'badges cannot be tapped without a reader',
  },
  chromium: { files: bin('chromium'), without: 'tests of the screens do not run' },
  'chromium-headless-shell': {
    files: bin('chromium-headless-shell'),
    without: 'tests of the screens take longer',
  },
  'fonts-noto-core': {
    files: ['/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf'],
    without: 'pictures of the screens lack letters of some languages',
  },
  'fonts-noto-cjk': {
    files: ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'],
    without: 'pictures of the screens lack letters of some languages',
  },
  'speech-dispatcher': {
    files: ['/usr/bin/speech-dispatcher'],
    without: 'the test of the screens reading aloud does not run',
  },
  'speech-dispatcher-espeak-ng': {
    files: ['/usr/lib/speech-dispatcher-modules/sd_espeak-ng'],
    without: 'the test of the screens reading aloud does not run',
  },
  postgresql: { files: ['/usr/lib/postgresql'], without: 'tests of the platform on PostgreSQL do not run' },
  'squashfs-tools': { files: bin('mksquashfs'), without: 'AppImages are not made' },
  'desktop-file-utils': { files: bin('desktop-file-validate'), without: 'AppImages are not made' },
  systemd: { files: bin('systemd-analyze'), without: 'the units of the kiosk are not checked' },
  iproute2: {
    files: ['/usr/sbin/ip', '/sbin/ip', ...bin('ip')],
    without: 'tests in a private network do not run',
  },
};

const reader = ['pcscd', 'vsmartcard-vpcd'];
const screens = ['chromium', 'fonts-noto-core', 'fonts-noto-cjk'];
const packing = ['squashfs-tools', 'desktop-file-utils'];
const voice = ['speech-dispatcher', 'speech-dispatcher-espeak-ng'];

/** The packages of each command; a command without an entry needs none. */
export const packagesOf = {
  start: reader,
  tap: reader,
  bench: [...reader, ...screens, 'postgresql'],
  gallery: screens,
  walk: screens,
  explore: screens,
  package: [...reader, ...packing],
  test: [
    ...reader,
    ...screens,
    'chromium-headless-shell',
    ...voice,
    ...packing,
    'systemd',
    'postgresql',
    'iproute2',
  ],
};

/** The missing packages among these. */
export function missing(names) {
  return names.filter((name) => !packages[name].files.some((file) => existsSync(file)));
}

const triedFile = join(runtimeFolder, 'debian.json');
const tryAgainAfterMs = 60 * 60_000;

/** Installs missing packages if possible, or else reports them. A failed installation is reported, not thrown. */
export async function ensurePackages(names) {
  if (process.platform !== 'linux' || missing(names).length === 0) return;
  await withSetupLock(async () => {
    const wanted = missing(names);
    if (wanted.length > 0) await installOrSay(wanted);
  });
}

async function installOrSay(wanted) {
  const obstacle = await whyNotInstall(wanted);
  if (obstacle === null) {
    await step(`Debian packages ${wanted.join(' ')}`, () => install(wanted)).catch((error) => {
      if (!(error instanceof SetupFailure)) throw error;
      say(error.message);
    });
  }
  const still = missing(wanted);
  if (still.length === 0) return;
  sayMissing(still, obstacle);
  if (obstacle === null) writeFileSync(triedFile, JSON.stringify({ at: Date.now(), missing: still }));
}

function sayMissing(names, obstacle) {
  const losses = [...new Set(names.map((name) => packages[name].without))].join('; ');
  say(`set-up: missing ${names.join(' ')}${obstacle === null ? '' : ` (${obstacle})`}; going on: ${losses}`);
}

async function whyNotInstall(wanted) {
  if (!(await programExists('apt-get'))) return 'this machine has no apt-get';
  if (process.getuid?.() !== 0) return 'only root may install them';
  const tried = readJson(triedFile);
  const age = Date.now() - (tried?.at ?? 0);
  if (age >= 0 && age < tryAgainAfterMs && wanted.every((name) => tried.missing.includes(name))) {
    return 'installing them failed within the last hour';
  }
  return null;
}

/**
 * Installs packages with the existing package lists. If that fails, it finishes an interrupted installation, fetches
 * new lists, and tries again.
 */
async function install(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  const patience = [
    '-o',
    'Acquire::Retries=2',
    '-o',
    'Acquire::http::Timeout=20',
    '-o',
    'DPkg::Lock::Timeout=300',
  ];
  const apt = (...args) => run('apt-get', [...patience, ...args], { env });
  const get = () => apt('install', '--yes', '--no-install-recommends', ...names);
  const allowServices = holdServices();
  try {
    await get().catch(async () => {
      await run('dpkg', ['--configure', '-a'], { env });
      await apt('update');
      await get();
    });
  } finally {
    allowServices();
  }
}

const policyFile = '/usr/sbin/policy-rc.d';
const policyMark = '# put here by the set-up of Touchpoint while it installs packages; may be deleted';

/**
 * Prevents an installation from starting services where no service manager runs (a container), by Debian's
 * policy-rc.d. It keeps an existing policy-rc.d, and reuses one that an earlier run left. Returns a function that
 * removes the file again.
 */
function holdServices() {
  const runs = existsSync('/run/systemd/system');
  const foreign = existsSync(policyFile) && !readFileSync(policyFile, 'utf8').includes(policyMark);
  if (runs || foreign) return () => undefined;
  writeFileSync(policyFile, `#!/bin/sh\n${policyMark}\nexit 101\n`, { mode: 0o755 });
  const remove = () => rmSync(policyFile, { force: true });
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    remove();
  };
}
