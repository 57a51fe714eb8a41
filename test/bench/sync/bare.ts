/**
 * The baseline for the first sync: downloads the same pages over one connection, one after another, with undici only.
 *
 * Invariant: of a page it reads only what the next request needs (the last revision in its text). It parses, checks
 * and stores nothing.
 */
import { Client } from 'undici';
import { RESOURCES } from '../../../src-main/core/event/mirror/resources.ts';
import { cpuSeconds } from './cpu.ts';
import type { Download } from './kiosk.ts';
import type { Access } from './processes.ts';

/** The texts of a list's pages, requested by revision like the kiosk does. */
async function* pagesOf(
  client: Client,
  { baseUrl, key, expoId }: Access,
  { path, pageSize, byRevision, showsDeleted }: (typeof RESOURCES)[number],
): AsyncGenerator<string> {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const deleted = showsDeleted ? '&showDeleted=true' : '';
  const root = new URL(baseUrl).pathname;
  for (let from = 0; ; ) {
    const query = byRevision ? `?fromRevision=${from}&limit=${pageSize}${deleted}` : '';
    const { statusCode, body } = await client.request({
      path: `${root}/${path}/${expoId}${query}`,
      method: 'GET',
      headers: { authorization },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    yield text;
    const last = byRevision ? lastRevision(text) : from;
    if (last <= from) return;
    from = last;
  }
}

/** Lists are ordered by revision, so the last one is the highest. */
const lastRevision = (text: string): number => {
  const name = '"revision":';
  const at = text.lastIndexOf(name);
  return at === -1 ? 0 : Number.parseInt(text.slice(at + name.length), 10);
};

const clientOf = ({ baseUrl }: Access): Client =>
  new Client(new URL(baseUrl).origin, { pipelining: 1, allowH2: false });

/** Downloads the pages of a first sync until it has all visitors. */
export const bareDownload = async (access: Access): Promise<Download> => {
  const startCpu = cpuSeconds();
  const start = performance.now();
  const client = clientOf(access);
  const upToVisitors = RESOURCES.slice(0, RESOURCES.findIndex(({ name }) => name === 'visitors') + 1);
  let pages = 0;
  for (const resource of upToVisitors) {
    for await (const _text of pagesOf(client, access, resource)) pages += 1;
  }
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds() - startCpu;
  await client.close();
  return { seconds, cpuSeconds: cpu, pages };
};

/** Pages of visitors, parsed. */
export async function* visitorPages(access: Access): AsyncGenerator<readonly Record<string, unknown>[]> {
  const client = clientOf(access);
  const visitors = RESOURCES.find(({ name }) => name === 'visitors');
  if (visitors === undefined) return;
  for await (const text of pagesOf(client, access, visitors)) {
    yield JSON.parse(text) as readonly Record<string, unknown>[];
  }
  await client.close();
}
