/**
 * Addresses that notifications must not reach: the machine itself, its neighbours and a cloud's metadata
 * service.
 */
import { expect, it } from 'vitest';
import { callTarget } from '../../../src-platform/notifications/call.ts';
import { isPublicAddress, mayBeCalled, type Resolve } from '../../../src-platform/notifications/target.ts';
import { createManualClock } from './manual-clock.ts';
import { startNotified } from './notified-platform.ts';
import { startTarget } from './target.ts';

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%s is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://017700000001/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost:80/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://169.254.169.254/latest/meta-data/',
])('%s may not be called', async (url) => {
  expect(mayBeCalled(url)).toBe(false);
});

it('a webhook to a private address is refused with a 422 that names the field', async () => {
  const platform = await startNotified({ allowPrivateTargets: false });
  const body = { type: 'visitor', url: 'http://[::ffff:10.0.0.1]/hook' };
  const answer = await platform.request('POST', '/webhooks/AD2026', { body });
  expect(answer.json).toMatchObject({ status: 422, errors: [{ field: 'url', error: 'notAllowed' }] });
  const ok = await platform.request('POST', '/webhooks/AD2026', {
    body: { ...body, url: 'https://crm.example.com/hook', enabled: false },
  });
  expect(ok.status).toBe(200);
});

const resolveTo =
  (...addresses: string[]): Resolve =>
  (_hostname, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

it.each([
  ['a private address', resolveTo('127.0.0.1')],
  ['a mapped private address', resolveTo('::ffff:127.0.0.1')],
  ['a public and a private address', resolveTo('8.8.8.8', '127.0.0.1')],
  ['nothing', resolveTo()],
])('makes no connection to a name that resolves to %s', async (_name, resolve) => {
  const clock = createManualClock();
  const target = await startTarget(clock.now);
  const url = target.url.replace('127.0.0.1', 'crm.example.com');
  const call = { url, expoId: 'AD2026', webhookId: 'W1' };
  const { signal } = new AbortController();
  const outcome = await callTarget({ clock, resolve, allowPrivateTargets: false }, call, signal);
  expect(outcome).toEqual({ ok: false, reason: 'The target is not a public address' });
  expect(target.calls).toHaveLength(0);
});

it('makes no connection to a stored target whose host is a private address', async () => {
  const clock = createManualClock();
  const target = await startTarget(clock.now);
  const call = { url: target.url, expoId: 'AD2026', webhookId: 'W1' };
  const ports = { clock, resolve: resolveTo('8.8.8.8'), allowPrivateTargets: false };
  const outcome = await callTarget(ports, call, new AbortController().signal);
  expect(outcome).toEqual({ ok: false, reason: 'The target is not a public address' });
  expect(target.calls).toHaveLength(0);
});
