/**
 * The real platform of a test, with the demo event: in its own process, or in the process of the test, which saves a
 * second of CPU at each start. It can be stopped and started at the same address.
 *
 * Invariant: it has its own port and folder, and ends with the test.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { parseServeOptions } from '../../src-platform/options.ts';
import { startServing } from '../../src-platform/serve.ts';
import { freePort } from '../free-port.ts';

const ENTRY = join(import.meta.dirname, '../../src-platform/main.ts');

export type PlatformProcess = {
  readonly baseUrl: string;
  readonly key: string;
  readonly expoId: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** A documented call with the demo key. Returns the parsed JSON answer, or null if there is none. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
  /** Simulates a fault from now on (docs/platform-faults.md). Requires `--faults`. */
  readonly addFault: (fault: object) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** All actions of the event. */
  readonly actions: () => Promise<readonly Record<string, unknown>[]>;
};

/** A platform that was started with options of its command line. `up` resolves when it serves. */
type Started = { readonly up: Promise<unknown>; readonly stop: () => Promise<void> };

function startProcess(args: readonly string[]): Started {
  const child = spawn(process.execPath, [ENTRY, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const serving = async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('Demo platform:')) return;
    }
    throw new Error('The platform ended before it was up');
  };
  return {
    up: serving(),
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function startHere(args: readonly string[]): Started {
  const options = parseServeOptions(args);
  if (options === null) throw new Error('Expected options of a platform');
  const serving = startServing(options, pino({ level: 'silent' }));
  return { up: serving, stop: async () => (await serving).stop() };
}

/** A platform process in `folder`, not started. `more`: further options of its command line. */
export const createPlatformProcess = (folder: string, more: readonly string[] = []) =>
  createPlatform(folder, more, startProcess);

/** A platform in `folder` that runs in the process of the test, not started. */
export const createPlatformHere = (folder: string, more: readonly string[] = []) =>
  createPlatform(folder, more, startHere);

const createPlatform = async (
  folder: string,
  more: readonly string[],
  begin: (args: readonly string[]) => Started,
): Promise<PlatformProcess> => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/create/v2`;
  const key = 'demo-key-touchpoint';
  const expoId = 'AD2026';
  let started: Started | null = null;

  const stop = async (): Promise<void> => {
    await started?.stop();
    started = null;
  };
  onTestFinished(stop);

  const call = async (method: string, path: string, body?: unknown) => {
    for (;;) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // The device under test uses the key's two slots as well.
      if (response.status === 429) continue;
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    }
  };

  return {
    baseUrl,
    key,
    expoId,
    start: async () => {
      started = begin(['--port', String(port), '--data', folder, '--seed', 'demo', ...more]);
      await started.up;
    },
    stop,
    call,
    addFault: async (fault) => {
      const headers = { 'content-type': 'application/json' };
      await fetch(`http://127.0.0.1:${port}/faults`, {
        ...{ method: 'POST', headers, body: JSON.stringify(fault) },
      });
    },
    clearFaults: async () => {
      await fetch(`http://127.0.0.1:${port}/faults`, { method: 'DELETE' });
    },
    actions: async () => {
      const all = new Map<string, Record<string, unknown>>();
      let from = 0;
      for (;;) {
        const { body } = await call('GET', `/actions/${expoId}?fromRevision=${from}&limit=100`);
        const page = body as Record<string, unknown>[];
        for (const action of page) all.set(String(action.id), action);
        const top = Number(page.at(-1)?.revision ?? from);
        if (top === from) return [...all.values()];
        from = top;
      }
    },
  };
};
