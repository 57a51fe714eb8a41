/** A backlog is read back while it is being sent, in the second slot of the key. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ownFolder, rememberingLog, tapOf, until } from '../../fixture.ts';
import { openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';
import { startSmallPlatform } from './unkind-platform.ts';

const TAPS = 1_600;

for (const busyFirst of [false, true]) {
  const which = busyFirst ? 'not while another device uses the key' : 'each fact confirmed, none sent twice';
  it(`is read back while it is being sent: ${which}`, async () => {
    const platform = await startSmallPlatform();
    if (busyFirst) platform.manners.push('busy');
    const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
    const facts = Array.from({ length: TAPS }, (_, tap) => journal.record(tapOf(`04${tap}`), null).fact);
    const client = createClient(
      { baseUrl: platform.baseUrl, key: 'k', password: '', expoId: 'E1' },
      realClock,
    );
    const sender = createSender({
      client,
      expoId: 'E1',
      journal,
      clock: realClock,
      random: realRandom,
      log: rememberingLog(),
      connection: createConnection(() => undefined),
      owner: () => ({ touchpoint: 'tp1', partner: 'p1' }),
      onChange: () => undefined,
    });
    const ended = new AbortController();
    const running = sender.run(ended.signal);
    onTestFinished(async () => {
      ended.abort();
      await running;
      await client.close();
      journal.close();
    });
    await until('all are confirmed', () => journal.outbox.counts().confirmed === TAPS);
    const isWrite = (event: (typeof platform.heard)[number]) => event !== 'look';
    const firstLook = platform.heard.indexOf('look');
    expect(firstLook < platform.heard.findLastIndex(isWrite)).toBe(!busyFirst);
    for (const { id } of facts) expect(platform.effects(id)).toBe(1);
  });
}
