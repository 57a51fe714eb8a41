/**
 * A key allows two requests at once. A device uses one to send its backlog, and the other to read back what was sent.
 */
import { expect, it } from 'vitest';
import { until } from '../../fixture.ts';
import { runSender } from './running-sender.ts';
import { startSmallPlatform } from './unkind-platform.ts';

const TAPS = 1_600;

for (const busyFirst of [false, true]) {
  const when = busyFirst ? 'only after sending, if another device uses the key' : 'while it is being sent';
  it(`reads a backlog back ${when}, and sends no fact twice`, async () => {
    const platform = await startSmallPlatform();
    if (busyFirst) platform.manners.push('busy');
    const { journal, facts } = runSender(platform.baseUrl, TAPS);
    await until('every fact is confirmed', () => journal.outbox.counts().confirmed === TAPS);
    const isWrite = (event: (typeof platform.heard)[number]) => event !== 'look';
    const firstLook = platform.heard.indexOf('look');
    expect(firstLook < platform.heard.findLastIndex(isWrite)).toBe(!busyFirst);
    for (const { id } of facts) expect(platform.effects(id)).toBe(1);
  });
}
