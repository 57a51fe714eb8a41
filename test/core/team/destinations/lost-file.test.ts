/** `destinations.db` is deleted, damaged or cannot be opened: what the service reports, and which tokens stay. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startHubspot } from './hubspot-double.ts';
import { openStand } from './stand.ts';

const TOKEN = 'private-token-0123456789';

const connected = async () => {
  const double = await startHubspot(() => 0.99, TOKEN);
  onTestFinished(() => double.close());
  const stand = openStand();
  const about = { kind: 'hubspot', name: 'H', address: double.address, token: TOKEN } as const;
  const connect = () => stand.service().connect(about);
  expect(stand.service().lost()).toBe(false);
  expect((await connect()).kind).toBe('connected');
  return { stand, connect };
};
const remove = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
};

it.each([
  ['deleted', remove],
  ['damaged', (path: string) => writeFileSync(path, 'x'.repeat(9_000))],
])(
  'reports the destinations as lost after their file was %s, until one is connected, and deletes their tokens',
  async (_how, spoil) => {
    const { stand, connect } = await connected();
    onTestFinished(() => stand.stop());
    await stand.restart();
    expect([stand.service().lost(), stand.service().list().length, stand.secrets.size]).toEqual([
      false,
      1,
      1,
    ]);
    await stand.restart(() => spoil(stand.path));
    expect([stand.service().lost(), stand.service().list().length, stand.secrets.size]).toEqual([true, 0, 0]);
    expect(JSON.stringify(stand.log.said)).toContain('must be connected again');
    await stand.restart();
    expect(stand.service().lost()).toBe(true);
    expect((await connect()).kind).toBe('connected');
    expect(stand.service().lost()).toBe(false);
  },
);

it('keeps the tokens when the file cannot be opened', async () => {
  const { stand } = await connected();
  const spoil = (): void => {
    remove(stand.path);
    mkdirSync(stand.path);
  };
  await expect(stand.restart(spoil)).rejects.toThrow();
  expect(stand.secrets.size).toBe(1);
});
