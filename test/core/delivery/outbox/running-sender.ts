/** Senders that deliver to a platform over HTTP until the test ends. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSender } from '../../../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ownFolder, rememberingLog, tapOf } from '../../fixture.ts';
import { openJournal, realClock, realRandom, stamperOf } from '../../real-parts.ts';

/** The parts of a sender that are the same in every test. */
export const commonParts = (clock = realClock) => ({
  ...{ clock, random: realRandom, log: rememberingLog() },
  connection: createConnection(() => undefined),
  onChange: () => undefined,
});

/** Runs a sender until the test ends, then `close`. */
export const runToTheEnd = (
  { run }: Pick<ReturnType<typeof createSender>, 'run'>,
  close: () => Promise<void>,
): void => {
  const ended = new AbortController();
  const running = run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
    await close();
  });
};

/** A journal with `taps` facts, and a sender for it. `clock` is the sender's clock. */
export const runSender = (baseUrl: string, taps: number, clock = realClock) => {
  const journal = openJournal(join(ownFolder(), 'journal.db'), stamperOf());
  const facts = Array.from({ length: taps }, (_none, tap) => journal.record(tapOf(`04${tap}`), null).fact);
  const client = createClient({ baseUrl, key: 'k', password: '', expoId: 'E1' }, clock);
  const parts = commonParts(clock);
  const sender = createSender({
    ...parts,
    ...{ client, expoId: 'E1', journal },
    owner: () => ({ touchpoint: 'tp1', partner: 'p1' }),
  });
  runToTheEnd(sender, async () => {
    await client.close();
    journal.close();
  });
  return { journal, facts, sender, log: parts.log };
};
