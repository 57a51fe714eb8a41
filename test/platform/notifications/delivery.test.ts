/**
 * Which webhooks are called, and what each kind of answer causes (docs/interface/webhooks.md#types and
 * docs/interface/webhooks.md#delivery).
 */

import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src-platform/keys/keys.ts';
import { startNotified } from './notified-platform.ts';
import { type Behaviour, moment, startTarget, until } from './target.ts';

/** The webhook types of the document, each with the list its consumer reads. */
const lists = [
  ['action', 'actions', 'action'],
  ['connection', 'connections', 'connection'],
  ['content', 'contents', 'content'],
  ['content', 'activities', 'activity'],
  ['order', 'orders', 'order'],
  ['participant', 'participants', 'participant'],
  ['partner', 'partners', 'partner'],
  ['payment', 'payments', 'payment'],
  ['visitor', 'visitors', 'visitor'],
] as const;

const begin = async () => {
  const platform = await startNotified();
  const target = await startTarget(platform.clock.now);
  const key = 'a-consumer';
  await platform.makeKey(key, { connections: true });
  /** Reads a page, as a consumer does on a notification. Returns its records. */
  const page = async (folder: string, id: string, more = ''): Promise<readonly { revision: number }[]> => {
    const ask = () => platform.request('GET', `/${folder}/AD2026?webhookId=${id}${more}`, { key });
    let answer = await ask();
    // The test and its target use one key to read. A consumer that gets "too many requests" retries.
    while (answer.status === 429) answer = await ask();
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  /** Reads page after page to the end, as a thorough consumer does. */
  const readAll = async (folder: string, id: string): Promise<void> => {
    let last = await page(folder, id);
    while (last.length === 100) {
      last = await page(folder, id, `&fromRevision=${(last.at(-1)?.revision ?? 0) + 1}`);
    }
  };
  return { platform, target, page, readAll };
};

describe('a webhook', () => {
  it.each(lists)(
    'of type %s is called with expoId and webhookId for changes in %s',
    async (type, folder, kind) => {
      const { platform, target, page, readAll } = await begin();
      target.answer(async (call, response) => {
        const own = lists.filter(([other]) => other === type);
        for (const [, list] of own) await readAll(list, call.query.webhookId ?? '');
        response.end();
      });
      const id = await platform.addWebhook(type, `${target.url}?secret=s%20t`);
      await platform.touch(kind);
      await until('every page was read', async () => (await page(folder, id)).length === 0);
      await platform.quiet();
      const before = target.calls.length;
      await platform.touch(kind);
      const calls = await target.called(before + 1);
      expect(calls).toHaveLength(before + 1);
      expect(calls.at(-1)).toMatchObject({
        method: 'GET',
        path: '/hook',
        query: { secret: 's t', expoId: 'AD2026', webhookId: id },
      });
      for (const [, , other] of lists.filter(([name]) => name !== type)) await platform.touch(other);
      await platform.quiet();
      expect(target.calls).toHaveLength(before + 1);
      expect(platform.defects).toEqual([]);
    },
  );

  it('is not called again after its key was revoked', async () => {
    const { platform, target } = await begin();
    target.answer((_call, response) => void response.end());
    const keyId = await platform.makeKey('leaving');
    const made = await platform.request('POST', '/webhooks/AD2026', {
      key: 'leaving',
      body: { type: 'visitor', url: target.url },
    });
    await target.called(1);
    await revokeKey(platform.store, keyId, new Date());
    const before = target.calls.length;
    const kept = await platform.addWebhook('visitor', `${target.url}?of=another`);
    await platform.touch('visitor');
    await until('the other webhook was called', async () =>
      target.calls.some(({ query }) => query.webhookId === kept),
    );
    expect(target.calls.slice(before).filter(({ query }) => query.webhookId === made.json.id)).toEqual([]);
  });

  it('is called until its consumer has read all pages, and then no longer', async () => {
    const { platform, target, page } = await begin();
    const count = (await platform.request('GET', '/partners/AD2026')).json.length;
    expect(count).toBeGreaterThan(4);
    const pages: number[] = [];
    target.answer(async (call, response) => {
      pages.push((await page('partners', call.query.webhookId ?? '', '&limit=4')).length);
      response.end();
    });
    await platform.addWebhook('partner', target.url);
    const needed = Math.ceil(count / 4);
    await target.called(needed);
    // The call is counted before its consumer has read the page.
    await until('the consumer has read all records', () => pages.length >= needed);
    expect(pages.slice(0, needed).reduce((sum, size) => sum + size, 0)).toBe(count);
    // A full last page does not show that it is the last, so one more call may be needed.
    expect(pages.length - needed).toBeLessThanOrEqual(count % 4 === 0 ? 1 : 0);
  });

  it('is not called again for data that its consumer left unread, only for newer data', async () => {
    const { platform, target } = await begin();
    const id = await platform.addWebhook('visitor', target.url);
    expect(await target.called(1)).toHaveLength(1);
    await platform.touch('visitor');
    expect(await target.called(2)).toHaveLength(2);
    expect(await platform.webhook(id)).toMatchObject({ state: 'wait', attempts: 0 });
  });

  it('is called once for many changes that arrive during a call', async () => {
    const { platform, target, readAll } = await begin();
    const id = await platform.addWebhook('visitor', target.url);
    await target.called(1);
    const open: (() => void)[] = [];
    target.answer((_call, response) => void open.push(() => response.end()));
    await platform.touch('visitor');
    await target.called(2);
    for (let count = 0; count < 20; count += 1) await platform.touch('visitor');
    target.answer(async (_call, response) => {
      await readAll('visitors', id);
      response.end();
    });
    open[0]?.();
    expect(await target.called(3)).toHaveLength(3);
  });

  it('is not called repeatedly about a deleted record that its list hides', async () => {
    const { platform, target, page, readAll } = await begin();
    target.answer(async (call, response) => {
      await readAll('contents', call.query.webhookId ?? '');
      await readAll('activities', call.query.webhookId ?? '');
      response.end();
    });
    const id = await platform.addWebhook('content', target.url);
    await until('every record was read', async () => (await page('contents', id)).length === 0);
    await platform.quiet();
    const before = target.calls.length;
    const body = { name: 'Gripper', category: 'product', source: 'internal', partnerID: 'R11' };
    const made = await platform.request('POST', '/contents/AD2026', { body });
    await target.called(before + 1);
    await platform.request('DELETE', `/contents/AD2026/${made.json.id}`);
    expect(await target.called(before + 2)).toHaveLength(before + 2);
  });
});

describe('the read position of a webhook', () => {
  it('moves to the last revision that was read before a 2xx, and does not move on a failure', async () => {
    const { platform, target, page } = await begin();
    target.answer(async (call, response) => {
      await page('partners', call.query.webhookId ?? '', '&limit=3');
      response.statusCode = 500;
      response.end();
    });
    const id = await platform.addWebhook('partner', target.url);
    await platform.failed(id, 1);
    const first = await platform.request('GET', `/partners/AD2026?webhookId=${id}&limit=3`);
    const all = await platform.request('GET', '/partners/AD2026');
    expect(first.json).toEqual(all.json.slice(0, 3));
    target.answer(async (_call, response) => {
      target.answer(() => undefined);
      response.end();
    });
    platform.clock.pass(10_000);
    await target.called(3);
    const next = await platform.request('GET', `/partners/AD2026?webhookId=${id}&limit=3`);
    expect(next.json).toEqual(all.json.slice(3, 6));
    const again = await platform.request('GET', `/partners/AD2026?webhookId=${id}&limit=3&fromRevision=0`);
    expect(again.json).toEqual(first.json);
  });

  it('belongs to one list: another list refuses the webhook', async () => {
    const { platform, target } = await begin();
    const id = await platform.addWebhook('partner', target.url);
    const other = await platform.request('GET', `/visitors/AD2026?webhookId=${id}`);
    expect(other.json).toMatchObject({ status: 400, type: 'badRequest' });
    const unknown = await platform.request('GET', '/visitors/AD2026?webhookId=nobody');
    expect(unknown.json).toMatchObject({ status: 400, type: 'badRequest' });
  });
});

describe('an answer', () => {
  const failures: [string, Behaviour, string][] = [
    ['404', (_call, response) => void response.writeHead(404).end(), 'The target answered 404'],
    ['304', (_call, response) => void response.writeHead(304).end(), 'The target answered 304'],
    [
      'a connection that is cut',
      (_call, _response, request) => void request.socket.destroy(),
      'The target cannot be reached (ECONNRESET)',
    ],
    [
      'something that is not HTTP',
      (_call, _response, request) => void request.socket.end('hello\r\n\r\n'),
      'The target cannot be reached (HPE_INVALID_CONSTANT)',
    ],
    [
      'a change of protocol',
      (_call, _response, request) =>
        void request.socket.end('HTTP/1.1 101 Other\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
      'The target closed the connection without an answer',
    ],
  ];
  it.each(failures)('counts as a failure if it is %s', async (_name, behaviour, reason) => {
    const { platform, target } = await begin();
    target.answer(behaviour);
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    expect(await platform.webhook(id)).toMatchObject({ state: 'wait', lastError: reason });
    expect(platform.defects).toEqual([]);
  });

  it('counts as a failure if it is a redirect, which is not followed', async () => {
    const { platform, target } = await begin();
    const elsewhere = await startTarget(platform.clock.now);
    target.answer((_call, response) => void response.writeHead(302, { location: elsewhere.url }).end());
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    await moment();
    expect(elsewhere.calls).toHaveLength(0);
  });

  it('counts as a failure if it is missing, because no server listens at the address', async () => {
    const { platform } = await begin();
    const id = await platform.addWebhook('visitor', 'http://127.0.0.1:1/hook');
    await platform.failed(id, 1);
    expect((await platform.webhook(id)).lastError).toBe('The target cannot be reached (ECONNREFUSED)');
  });

  it('counts as a success if its body is endless, and is cut off', async () => {
    const { platform, target } = await begin();
    let closed = false;
    target.answer((_call, response) => {
      response.on('close', () => {
        closed = true;
      });
      const pour = (): void => {
        while (!closed && response.write(Buffer.alloc(4096)));
        if (!closed) response.once('drain', pour);
      };
      pour();
    });
    const id = await platform.addWebhook('visitor', target.url);
    await until('the target was cut off', () => closed);
    await until('the call was completed', async () => (await platform.webhook(id)).lastAttempt !== undefined);
    expect(await platform.webhook(id)).toMatchObject({ attempts: 0, state: 'wait' });
  });
});

describe('many slow targets', () => {
  it('do not delay a fast one', async () => {
    const { platform, target: slow } = await begin();
    const fast = await startTarget(platform.clock.now);
    slow.answer(() => undefined);
    for (let count = 0; count < 40; count += 1) await platform.addWebhook('visitor', slow.url);
    await slow.called(40);
    await platform.addWebhook('visitor', fast.url);
    await fast.called(1);
    await platform.touch('visitor');
    await fast.called(2);
    expect(slow.calls).toHaveLength(40);
  });
});
