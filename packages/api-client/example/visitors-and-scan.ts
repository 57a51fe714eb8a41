/**
 * Follows the visitors of an event by revision and posts a scan.
 *
 *     npm run platform -- --seed demo            (in another terminal)
 *     node packages/api-client/example/visitors-and-scan.ts http://127.0.0.1:8810/create/v2 AD2026
 *
 * The key comes from PLATFORM_KEY, so that no process list shows it. Without it the demo key is used.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../src/client.ts';

const [baseUrl = 'http://127.0.0.1:8810/create/v2', expoId = 'AD2026'] = process.argv.slice(2);
const api = createApiClient({ baseUrl, key: process.env.PLATFORM_KEY ?? 'demo-key-touchpoint' });

/** The data of one answer, or an error that says why there are none. */
type Answer<Data> = {
  readonly data?: Data;
  readonly error?: { readonly title: string };
  readonly response: Response;
};

/** Repeats a request while the platform answers 429 (busy). @throws {Error} for any other answer without data */
async function answered<Data>(send: () => Promise<Answer<Data>>): Promise<Data> {
  for (;;) {
    const { data, error, response } = await send();
    if (data !== undefined) return data;
    if (response.status !== 429) {
      // Usually 401 (the key is not valid) or 400 (there is no such event): another request would fail in the same way.
      throw new Error(`The platform answered ${response.status}: ${error?.title ?? 'no reason given'}`);
    }
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
}

/**
 * One line per visitor that changed from a revision on, without deleted ones. Each page starts at the last revision of
 * the previous page, so pages repeat records.
 */
async function listVisitors(fromRevision: bigint): Promise<readonly string[]> {
  const path = { expoId };
  const names = new Map<string, string>();
  for (let from = fromRevision; ; ) {
    const query = { fromRevision: from, limit: 100, showDeleted: true };
    const page = await answered(() => api.GET('/visitors/{expoId}', { params: { path, query } }));
    for (const { id, deleted, firstName = '', lastName = '', company = '' } of page) {
      if (deleted === true) names.delete(id);
      else names.set(id, `${firstName} ${lastName}, ${company}`);
    }
    const last = page.at(-1)?.revision ?? from;
    if (last === from) return [...names.values()];
    from = last;
  }
}

try {
  const visitors = await listVisitors(0n);
  const scan = {
    id: randomUUID(),
    kind: 'tap' as const,
    at: new Date().toISOString(),
    touchpointID: 'AD2026T01',
    badge: '04A1B2C3D4E5F6',
    source: 'nfc' as const,
  };
  const results = await answered(() =>
    api.POST('/actions/{expoId}', { params: { path: { expoId } }, body: [scan] }),
  );
  process.stdout.write(`${visitors.join('\n')}\n${visitors.length} visitors\n`);
  process.stdout.write(`The scan: ${results.map(({ result }) => result).join()}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
