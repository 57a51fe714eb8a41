/**
 * The hub as users start it, in its own process at one address. A test can start, kill, restart and suspend it.
 *
 * Invariant: each hub has its own port, and is killed when the test ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, fetch } from 'undici';
import { onTestFinished } from 'vitest';
import type { PlatformProcess } from '../core/platform-process.ts';
import { freePort } from '../free-port.ts';

const ENTRY = join(import.meta.dirname, '../../src-hub/main.ts');

export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

/** The program of a hub with its first arguments. */
type HubProgram = readonly [string, ...(readonly string[])];

const sourceHub: HubProgram = [process.execPath, ENTRY];

/** Runs a command of the hub of this tree until it exits. */
export const runHub = (...args: readonly string[]): Promise<Finished> => run(sourceHub, args);

const run = async ([file, ...first]: HubProgram, args: readonly string[]): Promise<Finished> => {
  const child = spawn(file, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const heard = { out: '', err: '' };
  child.stdout.on('data', (part) => {
    heard.out += part;
  });
  child.stderr.on('data', (part) => {
    heard.err += part;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...heard };
};

export type HubProcess = {
  readonly baseUrl: string;
  readonly folder: string;
  readonly start: () => Promise<void>;
  /** Runs a command of this hub's program until it exits. */
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  /** The hub's standard error so far, including its log. */
  readonly said: () => string;
  /** Sends these signals, by default SIGKILL. Returns the exit code, or null if a signal ended the hub. */
  readonly kill: (...signals: readonly NodeJS.Signals[]) => Promise<number | null>;
  /** Suspends the hub (SIGSTOP). `wake` resumes it, waits until it exits, and returns its exit code. */
  readonly sleep: () => Promise<{
    readonly wake: () => Promise<number | null>;
    /** Resumes the hub without waiting for its exit. */
    readonly resume: () => void;
  }>;
  /** Sends a request with a device's key. */
  readonly request: (
    method: string,
    path: string,
    key: string,
    body?: unknown,
    // biome-ignore lint/suspicious/noExplicitAny: the tests read answers of unknown shape, as any client does.
  ) => Promise<{ readonly status: number; readonly json: any }>;
};

/**
 * The scheme that it serves: plain http unless the test is about https. Without `isTold` no option sets the scheme,
 * and `scheme` is the one that the test expects.
 */
export type Serving = {
  readonly scheme: 'http' | 'https';
  readonly isTold: boolean;
  /** Environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: the hub in this tree. */
  readonly program?: HubProgram;
};

/** A hub with its data in `folder`, for the platform `upstream`. It is not started yet. */
export const createHubProcess = async (
  folder: string,
  upstream: Pick<PlatformProcess, 'baseUrl' | 'key' | 'expoId'>,
  more: readonly string[] = [],
  { scheme, isTold, environment = {}, program = sourceHub }: Serving = { scheme: 'http', isTold: true },
): Promise<HubProcess> => {
  const port = await freePort();
  let said = '';
  // In these tests the devices check the certificate, but this client does not.
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(() => agent.destroy());
  let child: ChildProcess | null = null;
  const kill = async (...signals: readonly NodeJS.Signals[]): Promise<number | null> => {
    const gone = child;
    child = null;
    if (gone === null || gone.exitCode !== null || gone.signalCode !== null) return gone?.exitCode ?? null;
    const exit = once(gone, 'exit');
    for (const signal of signals.length === 0 ? (['SIGKILL'] as const) : signals) gone.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  };
  onTestFinished(async () => {
    await kill();
  });
  const baseUrl = `${scheme}://127.0.0.1:${port}/create/v2`;
  return {
    baseUrl,
    folder,
    run: (...args) => run(program, args),
    said: () => said,
    start: async () => {
      const args = ['--upstream', upstream.baseUrl, '--key', upstream.key, '--expo', upstream.expoId];
      const own = ['--data', folder, '--port', String(port), '--host', '127.0.0.1'];
      const how = isTold ? [`--${scheme}`] : [];
      const [file, ...first] = program;
      const started = spawn(file, [...first, ...args, ...own, '--name', 'Hub', ...how, ...more], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environment },
      });
      child = started;
      started.stderr.on('data', (part) => {
        said += part;
      });
      for await (const line of createInterface({ input: started.stdout })) {
        if (line.startsWith('Hub:')) return;
      }
      throw new Error('The hub ended before it was up');
    },
    kill,
    sleep: async () => {
      const asleep = child;
      if (asleep === null) throw new Error('Expected a hub that runs');
      const exit = once(asleep, 'exit');
      asleep.kill('SIGSTOP');
      return {
        resume: () => void asleep.kill('SIGCONT'),
        wake: async () => {
          asleep.kill('SIGCONT');
          const [code] = (await exit) as [number | null];
          return code;
        },
      };
    },
    request: async (method, path, key, body) => {
      for (;;) {
        const response = await fetch(baseUrl + path, {
          dispatcher: agent,
          method,
          headers: {
            authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        // Tries again, because the kiosk with this key also uses slots.
        if (response.status === 429) continue;
        const text = await response.text();
        return { status: response.status, json: text === '' ? null : JSON.parse(text) };
      }
    },
  };
};

export type FileDevice = {
  readonly id: string;
  readonly key: string;
  readonly touchpoint: string;
  readonly partner: string | null;
};

/** The devices in a signed file. */
export const devicesIn = (file: string): readonly FileDevice[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as { readonly devices: readonly FileDevice[] }).devices;

/** A minimal browser: it keeps cookies and follows no redirect. */
export const openVisitor = (root: string) => {
  let cookie = '';
  const ask = async (path: string, form?: Record<string, string>, origin = root) => {
    const answer = await fetch(root + path, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie, ...(form === undefined ? {} : { origin }) },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return { ask };
};
