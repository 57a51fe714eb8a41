/**
 * The real platform as a process of a test, with the demo event. It can be stopped and started at the same address.
 *
 * Invariant: it has its own port and folder, and ends with the test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
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

/** A platform in `folder`, not started. `more`: further options of its command line. */
export const createPlatformProcess = async (
  folder: string,
  more: readonly string[] = [],
): Promise<PlatformProcess> => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/create/v2`;
  const key = 'demo-key-touchpoint';
  const expoId = 'AD2026';
  let child: ChildProcess | null = null;

  const stop = async (): Promise<void> => {
    if (child === null || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    child = null;
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
      const args = ['--port', String(port), '--data', folder, '--seed', 'demo', ...more];
      const started = spawn(process.execPath, [ENTRY, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
      child = started;
      for await (const line of createInterface({ input: started.stdout })) {
        if (line.startsWith('Demo platform:')) return;
      }
      throw new Error('The platform ended before it was up');
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
