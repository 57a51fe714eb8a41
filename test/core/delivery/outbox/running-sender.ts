/** A journal whose sender delivers to a platform over HTTP until the test ends. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';

/** Starts it with `taps` facts. `clock` is the sender's. */
export const runSender = (baseUrl: string, taps: number, clock = realClock) => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  const facts = Array.from({ length: taps }, (_none, tap) => journal.record(tapOf(`04${tap}`), null).fact);
  const client = createClient({ baseUrl, key: 'k', password: '', expoId: 'E1' }, clock);
  const log = rememberingLog();
  const sender = createSender({
    ...{ client, expoId: 'E1', journal, clock, random: realRandom, log },
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
  return { journal, facts, sender, log };
};
