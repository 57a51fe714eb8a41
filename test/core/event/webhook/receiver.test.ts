/** Notifications over real HTTP. The test controls the clock. */
import { request as httpRequest, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAdmission } from '../../../../src-main/core/event/webhook/authentication.ts';
import {
  createWebhookReceiver,
  type WebhookSettings,
} from '../../../../src-main/core/event/webhook/receiver.ts';
import type { PollNow, PollOutcome } from '../../../../src-main/core/foundations/ports.ts';
import { handClock, rememberingLog, until } from '../../fixture.ts';

const SECRET = 'k9Jw2vYb5QmXr8TzL3nHcA7d';

/** A receiver whose polls are settled by the test. */
async function listening(settings: Partial<WebhookSettings> = {}, poll?: PollNow) {
  const clock = handClock();
  const log = rememberingLog();
  const polls: {
    resource: string | undefined;
    signal: AbortSignal | undefined;
    settle: (outcome: PollOutcome) => void;
  }[] = [];
  const byHand: PollNow = (signal, resource) =>
    new Promise((settle) => {
      polls.push({ resource, signal, settle });
      signal?.addEventListener('abort', () => settle('failed'), { once: true });
    });
  const receiver = createWebhookReceiver({
    settings: {
      host: '127.0.0.1',
      port: 0,
      secret: SECRET,
      hooks: [
        { webhookId: 'hook1', resource: 'visitors' },
        { webhookId: 'hook2', resource: 'partners' },
      ],
      addresses: ['127.0.0.1'],
      proxy: null,
      ...settings,
    },
    expoId: 'AD2026',
    clock,
    log,
    poll: poll ?? byHand,
  });
  const port = await receiver.start();
  onTestFinished(receiver.stop);
  const send = (path: string, options: RequestOptions = {}, body = '') =>
    new Promise<{ status: number; allow: string | undefined }>((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, path, agent: false, ...options }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, allow: answer.headers.allow }));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  const poke = (webhookId = 'hook1') => send(`/${SECRET}?expoId=AD2026&webhookId=${webhookId}`);
  return { clock, log, polls, receiver, port, send, poke };
}

/** Waits until sent requests have arrived. */
function settle() {
  return delay(60);
}

describe('the webhook receiver', () => {
  it('answers 204 only after the poll has finished', async () => {
    const { polls, poke, receiver } = await listening();
    let answered = false;
    const answer = poke().finally(() => {
      answered = true;
    });
    await until('the poll runs', () => polls.length === 1);
    await settle();
    expect(answered).toBe(false);
    expect(polls[0]?.resource).toBe('visitors');
    polls[0]?.settle('done');
    expect((await answer).status).toBe(204);
    expect(receiver.counts()).toEqual({ pokes: 1, served: 1, limited: 0, refused: 0 });
  });

  it('answers 503 when the poll fails, and when it takes 25 seconds', async () => {
    const { clock, polls, poke } = await listening();
    const failed = poke();
    await until('the poll runs', () => polls.length === 1);
    polls[0]?.settle('failed');
    expect((await failed).status).toBe(503);

    clock.pass(5_000);
    const slow = poke();
    await until('the second poll runs', () => polls.length === 2);
    clock.pass(24_999);
    await settle();
    expect(polls[1]?.signal?.aborted).toBe(false);
    clock.pass(1);
    expect((await slow).status).toBe(503);
    expect(polls[1]?.signal?.aborted).toBe(true);
  });

  it('coalesces notifications into one poll per 1.5 seconds and resource', async () => {
    const { clock, polls, poke, receiver } = await listening();
    const first = poke();
    await until('the poll runs', () => polls.length === 1);
    // These notifications arrive after the first poll has started, which may have read before their changes.
    const more = [poke(), poke(), poke()];
    const other = poke('hook2');
    await until('the other resource is polled', () => polls.length === 2);
    expect(polls[1]?.resource).toBe('partners');
    await until('all notifications were received', () => receiver.counts().pokes === 5);
    polls[0]?.settle('done');
    polls[1]?.settle('done');
    expect((await first).status).toBe(204);
    expect((await other).status).toBe(204);
    await settle();
    clock.pass(1_499);
    await settle();
    expect(polls).toHaveLength(2);
    clock.pass(1);
    await until('the second poll of visitors runs', () => polls.length === 3);
    polls[2]?.settle('done');
    expect((await Promise.all(more)).map((answer) => answer.status)).toEqual([204, 204, 204]);
    expect(polls).toHaveLength(3);
  });

  it('accepts 60 notifications per minute for a resource and answers 429 above that', async () => {
    const { clock, poke, receiver } = await listening({}, () => Promise.resolve('done'));
    const answers: Promise<{ status: number }>[] = [];
    for (let round = 0; round < 60; round += 1) {
      answers.push(poke());
      await until('the notification was received', () => receiver.counts().pokes === round + 1);
      clock.pass(900);
    }
    await settle();
    clock.pass(5_000);
    expect((await Promise.all(answers)).every((answer) => answer.status === 204)).toBe(true);
    expect((await poke()).status).toBe(429);
    expect((await poke('hook2')).status).toBe(204);
    clock.pass(60_000);
    expect((await poke()).status).toBe(204);
    expect(receiver.counts()).toEqual({ pokes: 63, served: 62, limited: 1, refused: 0 });
  });

  it('accepts GET only, without a body', async () => {
    const { send, polls } = await listening();
    const path = `/${SECRET}?expoId=AD2026&webhookId=hook1`;
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await send(path, { method })).toEqual({ status: 405, allow: 'GET' });
    }
    expect((await send(path, { headers: { 'content-length': '2' } }, 'hi')).status).toBe(400);
    expect((await send(path, { headers: { expect: '100-continue' } })).status).toBe(400);
    expect(polls).toEqual([]);
  });

  it('answers a wrong path, event or webhook with 404 only, and never polls for them', async () => {
    const { send, polls, receiver, log } = await listening();
    const right = `expoId=AD2026&webhookId=hook1`;
    const wrong = [
      `/?${right}`,
      `/${SECRET}x?${right}`,
      `/${SECRET.slice(0, -1)}?${right}`,
      `/${SECRET}/?${right}`,
      `//${SECRET}?${right}`,
      `/${SECRET}`,
      `/${SECRET}?expoId=AD2027&webhookId=hook1`,
      `/${SECRET}?expoId=AD2026&webhookId=hook3`,
      `/${SECRET}?expoId=AD2026&webhookId=hook1&webhookId=hook2`,
      `/${SECRET}?expoId=AD2026&expoId=AD2026&webhookId=hook1`,
      `/${SECRET}?webhookId=__proto__&expoId=AD2026`,
      `/${SECRET}?webhookId=..%2f..%2fexpos&expoId=AD2026`,
    ];
    for (const path of wrong) expect((await send(path)).status).toBe(404);
    expect(receiver.counts().refused).toBe(wrong.length);
    expect(polls).toEqual([]);
    expect(JSON.stringify(log.said)).not.toContain(SECRET);
  });

  it('accepts listed addresses only, and trusts X-Forwarded-For of the configured proxy only', async () => {
    const path = `/${SECRET}?expoId=AD2026&webhookId=hook1`;
    const forged = { headers: { 'x-forwarded-for': '198.51.100.7' } };
    const elsewhere = await listening({ addresses: ['198.51.100.0/24'] });
    expect((await elsewhere.send(path)).status).toBe(403);
    expect((await elsewhere.send(path, forged)).status).toBe(403);
    const proxied = await listening({ addresses: ['198.51.100.0/24'], proxy: '127.0.0.1' });
    expect((await proxied.send(path)).status).toBe(403);
    const behind = { headers: { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' } };
    expect((await proxied.send(path, behind)).status).toBe(403);
    const answer = proxied.send(path, forged);
    await until('the poll runs', () => proxied.polls.length === 1);
    proxied.polls[0]?.settle('done');
    expect((await answer).status).toBe(204);
  });

  it('survives garbage, long headers and lost connections', async () => {
    const { port, poke, polls, send } = await listening();
    for (const bytes of [
      '\x16\x03\x01\x02\x00',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n`,
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await expect(send('/', { headers: { 'x-long': 'x'.repeat(5_000) } })).rejects.toThrow();
    const gone = connect(port, '127.0.0.1');
    gone.write(`GET /${SECRET}?expoId=AD2026&webhookId=hook1 HTTP/1.1\r\nhost: x\r\n\r\n`);
    await until('its poll runs', () => polls.length === 1);
    gone.destroy();
    polls[0]?.settle('done');
    const answer = poke('hook2');
    await until('the other poll runs', () => polls.length === 2);
    polls[1]?.settle('done');
    expect((await answer).status).toBe(204);
  });

  it('ends its running polls when it is stopped', async () => {
    const { polls, poke, receiver } = await listening();
    const answer = poke().catch(() => 'cut');
    await until('the poll runs', () => polls.length === 1);
    await receiver.stop();
    expect(polls[0]?.signal?.aborted).toBe(true);
    expect(await answer).toBe('cut');
  });

  it('refuses a guessable secret and an invalid address', () => {
    const rules = { secret: SECRET, hooks: [], addresses: null, proxy: null };
    for (const secret of ['', 'short', '0123456789abcdef0123456789', `${SECRET}/..`]) {
      expect(() => createAdmission('AD2026', { ...rules, secret })).toThrow(/128 bits/);
    }
    for (const address of ['example.org', '10.0.0.0/33', '1.2.3', '1.2.3.4/x']) {
      expect(() => createAdmission('AD2026', { ...rules, addresses: [address] })).toThrow(
        /is not an address/,
      );
    }
    expect(() => createAdmission('AD2026', rules)).not.toThrow();
  });
});
