/**
 * A private PostgreSQL server for tests: Debian's own, with its data in a temporary folder and its own port
 * on loopback. It is fast because its data need not last (`fsync=off`), unless the test requests Debian's
 * defaults.
 *
 * Invariants:
 * - It runs as an unprivileged user, because PostgreSQL refuses root.
 * - It has stopped when `stop` returns.
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

/** The folder of the server's programs, or null if PostgreSQL is not installed. */
export const postgresPrograms = (): string | null => {
  if (!existsSync(versionsFolder)) return null;
  const versions = readdirSync(versionsFolder).sort((a, b) => Number(b) - Number(a));
  const folder = versions.map((version) => join(versionsFolder, version, 'bin'));
  return folder.find((bin) => existsSync(join(bin, 'initdb'))) ?? null;
};

export type Cluster = {
  /** The server's main process; all its other processes are children. */
  readonly pid: number;
  /** The address of its first database. A connection to it can create other databases. */
  readonly address: string;
  /** Restarts it as an administrator does: every connection is lost, everything committed is kept. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a private server. `lasting`: it answers only after data is on disk, as in production. */
export const startCluster = async (programs: string, lasting = false): Promise<Cluster> => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const isRoot = userInfo().uid === 0;
  if (isRoot) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chmod(folder, 0o700);
    await chown(folder, Number(stdout), -1);
  }
  /** Runs one of its programs as the unprivileged user. */
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
    restart: async () => {
      await program('pg_ctl', ['-D', data, '-w', '-m', 'fast', '-l', join(folder, 'log'), 'restart']);
    },
    stop: async () => {
      await program('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Creates an empty database on the server at `address` and returns its address. */
export const newDatabase = async (address: string): Promise<string> => {
  const name = `platform_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return address.replace(/[^/]+$/, name);
};
