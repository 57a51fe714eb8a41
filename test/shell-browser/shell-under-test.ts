/**
 * A browser shell for each test, with a small page and a stub of the contract. Tests use raw sockets, so that no
 * client library adds headers.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { os } from '@orpc/server';
import { z } from 'zod';
import type { Log } from '../../src-main/core/foundations/ports.ts';
import { realClock, realRandom } from '../../src-main/machine/real-time.ts';
import { openAttractFiles } from '../../src-main/page/attract-files.ts';
import { readPageFiles } from '../../src-main/page/page-files.ts';
import { type BrowserShell, openBrowserShell } from '../../src-main/shell-browser/browser-shell.ts';

const router = {
  echo: os.input(z.object({ text: z.string() })).handler(({ input }) => input.text),
  count: os.handler(async function* () {
    for (let at = 0; at < 3; at += 1) yield at;
  }),
};

/** A log that discards everything. */
export const quiet: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** The answer on a raw socket. Status 0 means that there was none. */
export type Reply = { readonly status: number; readonly head: string; readonly body: string };

/** Starts a shell with a new folder. */
export async function startShell() {
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-shell-'));
  await makePage(folder);
  const attract = openAttractFiles(join(folder, 'attract'));
  let now = realClock.now();
  const open = (port: number | null = null, pingMs = 30_000): Promise<BrowserShell> =>
    openBrowserShell({
      clock: { now: () => now },
      random: realRandom,
      log: quiet,
      router,
      files: readPageFiles(join(folder, 'page')),
      attract,
      folder,
      port,
      token: 'tool-token',
      pingMs,
    });
  let shell = await open();

  /** Sends `text` and returns everything that the server sends until it closes the socket. */
  const raw = (text: string, host = '127.0.0.1', hangUp = false): Promise<Reply> =>
    new Promise((resolve) => {
      const socket = connect(shell.port, host);
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        received += chunk;
      });
      socket.once('close', () => {
        const [head = '', ...body] = received.split('\r\n\r\n');
        resolve({ status: Number(head.split(' ')[1] ?? 0), head, body: body.join('\r\n\r\n') });
      });
      socket.once('error', () => undefined);
      if (hangUp) socket.end(text);
      else socket.write(text);
    });

  /** A request with the given header lines; `Host` and `Connection: close` are added. */
  const ask = (line: string, headers: readonly string[] = [], host = `127.0.0.1:${shell.port}`) =>
    raw([`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n'));

  const freshPath = () => shell.freshLink().replace(/^http:\/\/[^/]+/, '');

  return {
    folder,
    attract,
    open,
    raw,
    ask,
    /** The path of an unused launch link. */
    freshPath,
    port: () => shell.port,
    rpc: () => shell.rpc,
    /** Opens a new link as a browser does; returns the cookie pair. */
    signIn: async () => cookieOf(await ask(`GET ${freshPath()}`)),
    wait: (ms: number) => {
      now += ms;
    },
    restart: async (port: number | null, pingMs?: number) => {
      await shell.stop();
      shell = await open(port, pingMs);
    },
    stop: () => shell.stop(),
    end: async () => {
      await shell.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The name and value of the cookie that a reply sets. */
export function cookieOf({ head }: Reply): string {
  return /set-cookie: ([^;]+);/i.exec(head)?.[1] ?? '';
}

async function makePage(folder: string): Promise<void> {
  await mkdir(join(folder, 'page', 'assets'), { recursive: true });
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(folder, 'page', 'assets', 'main.js'), 'export {};');
  await writeFile(join(folder, 'page', '.secret.json'), '{}');
  await writeFile(join(folder, 'outside.json'), '{}');
  await symlink(join(folder, 'outside.json'), join(folder, 'page', 'link.json'));
}
