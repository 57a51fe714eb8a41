/** What is said of a card service that is there, hangs, or is not there: a real socket of a real process that is stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askCardService } from '../../../src-main/devices/reader/service-probe.ts';
import { ownFolder } from '../../core/fixture.ts';

/** Answers whatever it is asked; lets one connection wait, as pcscd does. */
const service = `
  require('node:net')
    .createServer((socket) => socket.on('data', () => socket.end('yes')).on('error', () => undefined))
    .listen({ path: process.argv[1], backlog: 1 }, () => console.log('up'));
`;

const startService = async () => {
  const path = join(ownFolder(), 'socket');
  const child = spawn(process.execPath, ['-e', service, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return { child, path, ask: () => askCardService('linux', { PCSCLITE_CSOCK_NAME: path }) };
};

/** Connects until the system lets nobody wait any more. */
const fillQueue = async (path: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const socket: Socket = connect({ path });
    onTestFinished(() => void socket.destroy());
    const isFull = await Promise.race([
      once(socket, 'connect').then(() => false),
      once(socket, 'error').then(() => true),
    ]).catch(() => true);
    if (isFull) return;
  }
  throw new Error('Everybody was let to wait');
};

test('a service that answers is up, one that is not there is absent', async () => {
  const { child, ask } = await startService();
  expect(await ask()).toBe('up');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  // Its socket stays behind.
  expect(await ask()).toBe('absent');
});

test('a service that hangs is silent, also where so many wait that the system turns the next away', async () => {
  const { child, path, ask } = await startService();
  child.kill('SIGSTOP');
  expect(await ask()).toBe('silent');
  await fillQueue(path);
  expect(await ask()).toBe('silent');
  child.kill('SIGCONT');
  await expect.poll(ask, { timeout: 45_000 }).toBe('up');
}, 60_000);
