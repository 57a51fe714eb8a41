/**
 * When a webhook is called (docs/interface/webhooks.md#retries): a whole day on a clock that the test controls, with
 * a real target over HTTP.
 */
import { describe, expect, it } from 'vitest';
import { startNotified } from './notified-platform.ts';
import { moment, startTarget } from './target.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** The table of docs/interface/webhooks.md#retries, in milliseconds after the initial call. */
const documented = [0, 10 * second, minute, 5 * minute, 15 * minute, hour, 24 * hour];

describe('the retry schedule', () => {
  it('calls a failing target at the documented times, then not until the webhook is reset to wait', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(500);
    const start = platform.clock.now();
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    expect(await platform.webhook(id)).toMatchObject({ state: 'wait', lastError: 'The target answered 500' });
    for (const [index, time] of documented.entries()) {
      if (index === 0) continue;
      platform.clock.pass(start + time - platform.clock.now() - 1);
      await moment();
      platform.clock.pass(1);
      await platform.failed(id, index + 1);
    }
    expect(target.calls.map((call) => call.at - start)).toEqual(documented);
    expect(await platform.webhook(id)).toMatchObject({ state: 'error', attempts: 7 });

    await platform.touch('visitor');
    platform.clock.pass(3 * 24 * hour);
    expect(await target.called(7)).toHaveLength(7);

    target.answer(200);
    await platform.change(id, { state: 'wait' });
    expect(await target.called(8)).toHaveLength(8);
    const reset = await platform.webhook(id);
    expect(reset).toMatchObject({ state: 'wait', attempts: 0 });
    expect(reset.lastError).toBeUndefined();
    expect(platform.defects).toEqual([]);
  });

  it('starts again with an initial call after a success', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(503);
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    target.answer(204);
    platform.clock.pass(10 * second);
    await target.called(2);
    await platform.failed(id, 0);
    target.answer(503);
    platform.clock.pass(hour);
    await platform.touch('visitor');
    await platform.failed(id, 1);
    const start = target.calls[2]?.at ?? 0;
    platform.clock.pass(10 * second);
    await platform.failed(id, 2);
    platform.clock.pass(50 * second);
    await platform.failed(id, 3);
    expect(target.calls.slice(2).map((call) => call.at - start)).toEqual([0, 10 * second, minute]);
  });

  it('is measured from the initial call, even if each call takes its full 30 seconds', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(() => undefined);
    const start = platform.clock.now();
    const id = await platform.addWebhook('visitor', target.url);
    await target.called(1);
    platform.clock.pass(30 * second - 1);
    await moment();
    expect(await platform.webhook(id)).toMatchObject({ attempts: 0 });
    platform.clock.pass(1);
    await platform.failed(id, 1);
    expect(await platform.webhook(id)).toMatchObject({
      lastError: 'The target did not answer within 30 seconds',
    });
    // The first retry was due while the initial call was still open. The second one keeps its time.
    await target.called(2);
    platform.clock.pass(30 * second);
    await platform.failed(id, 2);
    await target.called(3);
    expect(target.calls.map((call) => call.at - start)).toEqual([0, 30 * second, minute]);
  });

  it('makes no extra call for newer data before the next retry', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(500);
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    for (let count = 0; count < 5; count += 1) await platform.touch('visitor');
    await moment();
    target.answer(200);
    platform.clock.pass(10 * second);
    expect(await target.called(2)).toHaveLength(2);
  });
});

describe('a change of the webhook', () => {
  it('calls a new address at once and resets the failures', async () => {
    const platform = await startNotified();
    const [old, fresh] = [await startTarget(platform.clock.now), await startTarget(platform.clock.now)];
    old.answer(500);
    const id = await platform.addWebhook('visitor', old.url);
    await platform.failed(id, 1);
    await platform.change(id, { url: fresh.url });
    await fresh.called(1);
    expect(await platform.webhook(id)).toMatchObject({ attempts: 0, state: 'wait' });
    platform.clock.pass(hour);
    expect(await fresh.called(1)).toHaveLength(1);
    expect(old.calls).toHaveLength(1);
  });

  it('takes effect while a call to the old address is still open', async () => {
    const platform = await startNotified();
    const [old, fresh] = [await startTarget(platform.clock.now), await startTarget(platform.clock.now)];
    old.answer(() => undefined);
    const id = await platform.addWebhook('visitor', old.url);
    await old.called(1);
    await platform.change(id, { url: fresh.url });
    await fresh.called(1);
    platform.clock.pass(30 * second);
    await moment();
    expect(await platform.webhook(id)).toMatchObject({ attempts: 0 });
    expect((await platform.webhook(id)).lastError).toBeUndefined();
  });

  it('stops the calls while the webhook is disabled', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(500);
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    await platform.change(id, { enabled: false });
    await platform.touch('visitor');
    platform.clock.pass(2 * 24 * hour);
    expect(await target.called(1)).toHaveLength(1);
    await platform.change(id, { enabled: true });
    expect(await target.called(2)).toHaveLength(2);
  });

  it('stops the calls when the webhook is deleted', async () => {
    const platform = await startNotified();
    const target = await startTarget(platform.clock.now);
    target.answer(500);
    const id = await platform.addWebhook('visitor', target.url);
    await platform.failed(id, 1);
    expect((await platform.request('DELETE', `/webhooks/AD2026/${id}`)).status).toBe(200);
    await platform.touch('visitor');
    platform.clock.pass(2 * 24 * hour);
    expect(await target.called(1)).toHaveLength(1);
    expect(platform.defects).toEqual([]);
  });
});
