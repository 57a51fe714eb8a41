/** The data folder: its path, its checks, and its lock. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartRefusal } from '../../src-main/core/foundations/refusal.ts';
import { dataFolderPath, openDataFolder } from '../../src-main/data-folder/data-folder.ts';
import { notRunUnless } from '../not-run.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'touchpoint-folder-')));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

describe('the default path', () => {
  const platform = { url: 'https://p.example:8443/api', key: 'k', password: '', expo: '77' };

  test('is below XDG_DATA_HOME, with a folder per event', () => {
    const env = { XDG_DATA_HOME: '/x', HOME: '/h' };
    expect(dataFolderPath({ data: null, platform: null }, env, 'linux')).toBe('/x/touchpoint/demo');
    expect(dataFolderPath({ data: null, platform }, env, 'linux')).toBe('/x/touchpoint/p.example_8443-77');
  });

  test('is below the home folder without XDG_DATA_HOME', () => {
    expect(dataFolderPath({ data: null, platform: null }, { HOME: '/h' }, 'linux')).toBe(
      '/h/.local/share/touchpoint/demo',
    );
  });

  test('is not used if a folder is given', () => {
    expect(dataFolderPath({ data: '/d/e', platform }, {}, 'linux')).toBe('/d/e');
  });
});

test('a missing data folder is created, and only its owner can read it', async () => {
  const path = join(folder, 'a', 'b');
  const opened = await openDataFolder(path);
  expect(opened.path).toBe(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  opened.release();
});

test('opening the data folder removes the access of others', async () => {
  await chmod(folder, 0o777);
  (await openDataFolder(folder)).release();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('a data folder that everybody shares is refused in one sentence and not changed', async () => {
  await chmod(folder, 0o1777);
  await expect(openDataFolder(folder)).rejects.toThrow(/is shared by everybody on this computer/);
  expect((await stat(folder)).mode & 0o7777).toBe(0o1777);
});

test('the write check leaves no file behind except the lock file', async () => {
  const opened = await openDataFolder(folder);
  opened.release();
  expect(await readdir(folder)).toEqual(['running.lock']);
});

test('a file in place of the data folder is refused', async () => {
  const path = join(folder, 'file');
  await writeFile(path, 'x');
  await expect(openDataFolder(path)).rejects.toThrow(StartRefusal);
  await expect(openDataFolder(join(path, 'below'))).rejects.toThrow(
    /cannot be made \(part of the path is a file\)/,
  );
});

test('a data folder without write permission is refused in one sentence', async () => {
  await chmod(folder, 0o555);
  const { said } = await anotherStart(folder, [], 'process.getuid() === 0 && process.setuid(65534)');
  expect(said).toBe(`StartRefusal The data folder ${folder} cannot be written (no permission).`);
});

test('a data folder on a read-only disk is refused', async () => {
  await expect(openDataFolder('/proc/self')).rejects.toThrow(StartRefusal);
  await expect(openDataFolder('/sys/touchpoint')).rejects.toThrow(StartRefusal);
});

const holder = `
  import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, '../../src-main/data-folder/data-folder.ts'))};
  try {
    eval(process.argv[2]);
    await openDataFolder(process.argv[1]);
    console.log('held');
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.name + ' ' + error.message);
  }
`;

/** Starts a process that opens the folder; returns it with its first line. */
async function anotherStart(path: string, prefix: readonly string[] = [], first = '') {
  const [command, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', holder, path, first];
  const child = spawn(command ?? process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  return { child, said: said.trim() };
}

describe('a second start on the same folder', () => {
  test('is refused with one sentence, also through a symbolic link', async () => {
    await anotherStart(folder);
    await expect(openDataFolder(folder)).rejects.toThrow(
      /^Touchpoint is already running on the data folder /,
    );
    const link = `${folder}-link`;
    await symlink(folder, link);
    await expect(openDataFolder(link)).rejects.toThrow(StartRefusal);
    await rm(link);
  });

  test('gets the folder at once after the first was killed', async () => {
    const { child } = await anotherStart(folder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(folder, 'running'))).toBe(true);
    const opened = await openDataFolder(folder);
    opened.release();
  });

  test('is not refused because of a reused process id', async () => {
    await writeFile(join(folder, 'running'), `${process.ppid} 00000000-0000-0000-0000-000000000000:1\n`);
    const opened = await openDataFolder(folder);
    opened.release();
  });

  notRunUnless(process.getuid?.() === 0 && existsSync('/usr/bin/unshare'), 'only root may make namespaces')(
    'is refused from another container, too, with its own network and process ids',
    async () => {
      await anotherStart(folder);
      const { said } = await anotherStart(folder, ['unshare', '--net', '--pid', '--fork', '--mount-proc']);
      expect(said).toMatch(/^StartRefusal Touchpoint is already running/);
    },
  );

  test('succeeds for exactly one of ten simultaneous starts', async () => {
    const path = join(folder, 'race');
    await mkdir(path);
    const starts = await Promise.all(Array.from({ length: 10 }, () => anotherStart(path)));
    expect(starts.filter(({ said }) => said === 'held')).toHaveLength(1);
  }, 60_000);
});
