/**
 * A private PostgreSQL server for tests: Debian's own, with its data in a temporary folder and its own port on
 * loopback. It is fast because nothing it holds has to last (`fsync=off`), unless it is asked to be as Debian sets it up.
 *
 * Invariants: it runs as a user without rights, since PostgreSQL refuses root; it is gone when `stop` returns.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../free-port.ts';

const run = promisify(execFile);

const versionsFolder = '/usr/lib/postgresql';

/** The folder of the server's programs, or null when PostgreSQL is not installed. */
export const postgresPrograms = (): string | null => {
  if (!existsSync(versionsFolder)) return null;
  const versions = readdirSync(versionsFolder).sort((a, b) => Number(b) - Number(a));
  const folder = versions.map((version) => join(versionsFolder, version, 'bin'));
  return folder.find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
};

export type Cluster = {
  /** Process of the server; all others of it are its children. */
  readonly pid: number;
  /** The address of its first database, from which others can be made. */
  readonly address: string;
  readonly stop: () => Promise<void>;
};

/** Starts a server of its own; `lasting`: what it answers is on disk, as it is in earnest. */
export const startCluster = async (programs: string, lasting = false): Promise<Cluster> => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const isRoot = userInfo().uid === 0;
  if (isRoot) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chmod(folder, 0o700);
    await chown(folder, Number(stdout), -1);
  }
  /** Runs one of its programs as somebody who may. */
  const program = (name: string, args: readonly string[]) => {
    const command = [join(programs, name), ...args];
    return isRoot
      ? run('runuser', ['-u', 'postgres', '--', ...command], { cwd: folder })
      : run(command[0] ?? name, command.slice(1), { cwd: folder });
  };
  const data = join(folder, 'data');
  await program('initdb', ['-D', data, '-U', 'platform', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']);
  const port = await freePort();
  const fast = '-c fsync=off -c synchronous_commit=off -c full_page_writes=off';
  const settings =
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200 ` +
    (lasting ? '' : fast);
  await program('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start']);
  return {
    pid: Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10),
    address: `postgres://platform@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await program('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Makes an empty database on the server that has `address` and answers the address of the new one. */
export const newDatabase = async (address: string): Promise<string> => {
  const name = `platform_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return address.replace(/[^/]+$/, name);
};
