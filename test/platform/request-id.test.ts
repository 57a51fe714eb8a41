/** An answer repeats the id of its request if the id is harmless. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoKey } from '../../src-platform/seed/demo.ts';
import { basic } from './raw-http.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const nameOf = async (path: string, headers: Record<string, string>): Promise<string | null> =>
  (await fetch(`${platform.origin}/create/v2${path}`, { headers })).headers.get('x-request-id');

it('an answer repeats the id of its request with success and with refusal', async () => {
  expect(await nameOf('/expos', { authorization: basic(demoKey), 'x-request-id': 'a1-7' })).toBe('a1-7');
  expect(await nameOf('/expos', { 'x-request-id': 'a1-8' })).toBe('a1-8');
});

it('an answer repeats only harmless ids', async () => {
  expect(await nameOf('/expos', { 'x-request-id': '<script>' })).toBeNull();
  expect(await nameOf('/expos', {})).toBeNull();
});
