/**
 * The baseline for a snapshot: downloads the same bytes in one answer, without processing them.
 *
 * Invariant: the bytes are counted and discarded.
 */
import { Client } from 'undici';
import type { Access } from './processes.ts';

/** Downloads the snapshot with this hash. */
export const bareSnapshot = async ({
  baseUrl,
  key,
  expoId,
  sha256,
}: Access & { readonly sha256: string }): Promise<{ readonly seconds: number; readonly bytes: number }> => {
  const start = performance.now();
  const client = new Client(new URL(baseUrl).origin, { pipelining: 1, allowH2: false });
  const { statusCode, body } = await client.request({
    path: `${new URL(baseUrl).pathname}/hub/snapshot/${expoId}/${sha256}`,
    method: 'GET',
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  });
  if (statusCode !== 200) throw new Error(`The hub answered ${statusCode}`);
  let bytes = 0;
  for await (const part of body) bytes += (part as Buffer).length;
  await client.close();
  return { seconds: (performance.now() - start) / 1000, bytes };
};
