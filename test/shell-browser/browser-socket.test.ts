/** The WebSocket of the browser shell: access and messages. */
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startShell } from './shell-under-test.ts';

let shell: Awaited<ReturnType<typeof startShell>>;
beforeEach(async () => {
  shell = await startShell();
});
afterEach(() => shell.end());

/** The status that refused the socket, or 101. */
function statusOf(headers: Record<string, string>, path = '/rpc') {
  return new Promise<number>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${shell.port()}${path}`, { headers });
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', () => resolve(0));
  });
}

test('opens only for our page with its cookie and for a tool with the token', async () => {
  const cookie = await shell.signIn();
  const origin = `http://127.0.0.1:${shell.port()}`;
  expect(await statusOf({ Origin: origin, Cookie: cookie })).toBe(101);
  expect(await statusOf({ Authorization: 'Bearer tool-token' })).toBe(101);
  expect(await statusOf({ Origin: origin })).toBe(401);
  expect(await statusOf({ Cookie: cookie })).toBe(401);
  expect(await statusOf({ Authorization: 'Bearer ' })).toBe(401);
  expect(await statusOf({ Origin: 'http://evil.example', Cookie: cookie })).toBe(403);
  expect(await statusOf({ Origin: 'http://evil.example', Authorization: 'Bearer tool-token' })).toBe(403);
  expect(await statusOf({ Origin: `http://localhost:${shell.port()}`, Cookie: cookie })).toBe(403);
  expect(await statusOf({ Origin: origin, Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await statusOf({ Origin: origin, Cookie: cookie, Host: `evil.example:${shell.port()}` })).toBe(421);
  expect(await statusOf({ Origin: origin, Cookie: cookie }, '/other')).toBe(404);
});

function tool() {
  return new WebSocket(shell.rpc(), { headers: { Authorization: 'Bearer tool-token' } });
}

function closed(socket: WebSocket) {
  return new Promise<number>((resolve) => socket.once('close', resolve));
}

test('carries calls, streams and refusals of the contract', async () => {
  const socket = tool();
  const link = new RPCLink({ websocket: socket as never });
  const client: {
    echo: (input: { text: unknown }) => Promise<string>;
    count: () => Promise<AsyncIterable<number>>;
  } = createORPCClient(link);
  expect(await client.echo({ text: 'Grüße' })).toBe('Grüße');
  await expect(client.echo({ text: 7 })).rejects.toThrow(/validation/i);
  const counted: number[] = [];
  for await (const at of await client.count()) counted.push(at);
  expect(counted).toEqual([0, 1, 2]);
  socket.terminate();
});

test.each(['not json', '[]', '{}', '{"i":"1","p":{"u":"http://x"}}', '{"i":"1","t":3}'])(
  'is closed on %s',
  async (text) => {
    const socket = tool();
    socket.once('open', () => socket.send(text));
    expect(await closed(socket)).toBe(1007);
  },
);

test('carries the longest note in any encoding', async () => {
  const socket = tool();
  const client: { echo: (input: { text: unknown }) => Promise<string> } = createORPCClient(
    new RPCLink({ websocket: socket as never }),
  );
  for (const text of ['小林'.repeat(100_000), '\u0001'.repeat(200_000)])
    expect(await client.echo({ text })).toBe(text);
  socket.terminate();
});

test('is closed on a message above 2 MiB', async () => {
  const socket = tool();
  socket.once('open', () =>
    socket.send(JSON.stringify({ i: '1', p: { u: '/echo', b: 'x'.repeat(2 * 1024 * 1024) } })),
  );
  expect(await closed(socket)).toBe(1009);
});

test('is closed if it does not answer pings', async () => {
  await shell.restart(null, 50);
  const socket = new WebSocket(shell.rpc(), {
    headers: { Authorization: 'Bearer tool-token' },
    autoPong: false,
  });
  expect(await closed(socket)).toBe(1006);
});

test('is closed when the app ends', async () => {
  const socket = tool();
  await new Promise((resolve) => socket.once('open', resolve));
  const ended = closed(socket);
  await shell.stop();
  await ended;
});
