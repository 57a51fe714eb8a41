/**
 * One Chromium for all test files of a run that start it in the same way. Each file has its own contexts.
 *
 * Invariants:
 * - A Chromium starts at the first request of a file, and exits with the run.
 * - A Chromium that exited by itself is started again at the next request.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** A running Chromium. `ended` resolves when it has exited for any reason. */
type SharedBrowser = {
  readonly address: string;
  readonly ended: Promise<unknown>;
  readonly close: () => void;
};

/** Starts a Chromium with these switches; the default starts it in its own process (`browser-server.ts`). */
type Launch = (switches: readonly string[]) => Promise<SharedBrowser>;

/**
 * The endpoint for test files: a POST with the switches as a JSON list answers with the address to connect
 * to.
 */
export async function shareBrowsers(
  launch: Launch = launchApart,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const running = new Map<string, Promise<SharedBrowser>>();
  const start = async (kind: string): Promise<SharedBrowser> => {
    const browser = await launch(JSON.parse(kind) as string[]);
    void browser.ended.then(() => running.delete(kind));
    return browser;
  };
  const addressFor = async (kind: string): Promise<string> => {
    const browser = running.get(kind) ?? start(kind);
    running.set(kind, browser);
    try {
      return (await browser).address;
    } catch (error) {
      running.delete(kind);
      throw error;
    }
  };
  const server = createServer((request, response) => {
    text(request)
      .then(addressFor)
      .then(
        (address) => response.end(address),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close();
      for (const started of [...running.values()]) {
        const browser = await started;
        browser.close();
        await browser.ended;
      }
    },
  };
}

/** The keys of a scanner pass through this process. The busy main process of the run would delay them. */
async function launchApart(switches: readonly string[]): Promise<SharedBrowser> {
  const args = [join(import.meta.dirname, 'browser-server.ts'), JSON.stringify(switches)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const address of createInterface({ input: child.stdout }))
    return { address, ended, close: () => void child.stdin.end() };
  throw new Error('Chromium ended before it was up');
}
