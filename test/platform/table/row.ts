/**
 * One row of the table: a line of the published interface (docs/interface/overview.md), and the exchange (request and
 * answer) that shows it.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Exchange, RequestOptions, RunningPlatform } from '../running-platform.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers have the shape of the document, which the rows check.
export type Json = any;

/** What rows use to send requests. Every call checks the status that it expects. */
export type Http = {
  readonly platform: RunningPlatform;
  readonly ask: (status: number, line: string, options?: RequestOptions) => Promise<Exchange>;
  readonly get: (path: string, options?: RequestOptions) => Promise<Json>;
  readonly post: (path: string, body: unknown, options?: RequestOptions) => Promise<Json>;
  readonly put: (path: string, body: unknown, options?: RequestOptions) => Promise<Json>;
};

export type Row = {
  readonly covers: readonly string[];
  readonly title: string;
  readonly show: (http: Http) => Promise<void>;
};

/** A row; `covers` names lines of the document as `document.ts` lists them. */
export const row = (
  covers: string | readonly string[],
  title: string,
  show: (http: Http) => Promise<void>,
): Row => ({ covers: typeof covers === 'string' ? [covers] : covers, title, show });

/** Connects to a running platform. */
export const createHttp = (platform: RunningPlatform): Http => {
  const ask = async (status: number, line: string, options?: RequestOptions): Promise<Exchange> => {
    const [method = '', path = ''] = line.split(' ');
    const exchange = await platform.request(method, path, options);
    expect(exchange.status, `${line}: ${exchange.text}`).toBe(status);
    if (status >= 400) expect(exchange.json, line).toMatchObject({ status, title: expect.any(String) });
    return exchange;
  };
  return {
    platform,
    ask,
    get: async (path, options) => (await ask(200, `GET ${path}`, options)).json,
    post: async (path, body, options) => (await ask(200, `POST ${path}`, { ...options, body })).json,
    put: async (path, body, options) => (await ask(200, `PUT ${path}`, { ...options, body })).json,
  };
};

/** The fields that a 422 names. */
export const rejectedFields = (exchange: Exchange): readonly string[] =>
  exchange.json.errors.map((entry: { readonly field: string }) => entry.field);

/** An interaction as a touchpoint sends it. */
export const interaction = (more: object): object => ({
  id: randomUUID(),
  kind: 'tap',
  at: '2026-11-21T10:15:30.123Z',
  touchpointID: 'AD2026T01',
  source: 'nfc',
  ...more,
});

/** Reads a whole list page by page in the way the document says: from the highest revision seen, plus one. */
export const wholeList = async (http: Http, path: string, limit: number): Promise<readonly Json[]> => {
  const all: Json[] = [];
  for (let from = 0; ; ) {
    const page = await http.get(
      `${path}${path.includes('?') ? '&' : '?'}fromRevision=${from}&limit=${limit}`,
    );
    all.push(...page);
    if (page.length < limit) return all;
    from = page.at(-1).revision + 1;
  }
};
