/**
 * Another client of the platform, without the proxies and with its own key. It changes records during the run and
 * reads everything at the end.
 *
 * Invariant: its requests take none of the devices' slots.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Resource } from '../../src-main/core/event/mirror/resources.ts';
import type { PlatformProcess } from '../core/platform-process.ts';

export type Row = Readonly<Record<string, unknown>>;

export type Auditor = {
  /** Every record of a list. */
  readonly list: (path: string, filter?: string) => Promise<readonly Row[]>;
  /** Living records of a resource that a device of `partner` should have, as revisions by id. */
  readonly living: (resource: Resource, partner: string) => Promise<ReadonlyMap<string, bigint>>;
  /**
   * Adds, changes and deletes visitors. It awaits `mayChange` before each addition and before each change; `false`
   * before an addition ends it.
   */
  readonly keepChanging: (mayChange: () => Promise<boolean>) => Promise<void>;
};

const ENTRY = join(import.meta.dirname, '../../src-platform/main.ts');

/** An auditor for the platform in `folder`. */
export const createAuditor = async (folder: string, platform: PlatformProcess): Promise<Auditor> => {
  const args = ['keys', 'add', '--name', 'auditor', '--write', '--connections', '--data', folder];
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args]);
  const key = stdout.trim().split('\n').at(-1) ?? '';
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

  const call = async (method: string, path: string, body?: Row): Promise<unknown> => {
    const response = await fetch(platform.baseUrl + path, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} answered the auditor ${response.status}`);
    return text === '' ? null : JSON.parse(text);
  };

  const list = async (path: string, filter = ''): Promise<readonly Row[]> => {
    const all = new Map<string, Row>();
    const isPaged = path !== 'registrationTypes';
    let from = 0;
    for (;;) {
      const query = isPaged ? `?fromRevision=${from}&limit=100${filter}` : '';
      const page = (await call('GET', `/${path}/${platform.expoId}${query}`)) as Row[];
      for (const row of page) all.set(String(row.id ?? row.visitorID), row);
      const top = Number(page.at(-1)?.revision ?? from);
      if (top === from || !isPaged) return [...all.values()];
      from = top;
    }
  };

  return {
    list,
    living: async (resource, partner) => {
      const rows = await list(resource.path, resource.ofOwnPartner ? `&partnerId=${partner}` : '');
      return new Map(
        rows
          .filter((row) => row.deleted !== true)
          .map((row) => [String(row[resource.idField]), BigInt(Number(row.revision))]),
      );
    },
    keepChanging: async (mayChange) => {
      const path = `/visitors/${platform.expoId}`;
      for (let round = 0; await mayChange(); round += 1) {
        const draft = { registrationState: 'registered', lastName: `Late ${round}`, badges: [], labels: [] };
        const { id } = (await call('POST', path, draft)) as { readonly id: string };
        await mayChange();
        await call('PUT', `${path}/${id}`, { ...draft, id, company: 'Changed' });
        if (round % 3 === 0) await call('DELETE', `${path}/${id}`);
      }
    },
  };
};
