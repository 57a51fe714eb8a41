/** The nfc driver while things around it fail: the card service, its own process, the native module. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { readerProcessOf } from '../../src-main/devices/supervisor/reader-child.ts';
import { createNfcDriver } from '../../src-main/devices/supervisor/supervisor.ts';
import { notRunUnless } from '../not-run.ts';
import { killInside } from '../virtual-reader/namespace.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { type DriverRecord, faultsInStory, outcomes, recordDriver } from './driver-record.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

function badge(last: string) {
  return { kind: 'type2', uid: `04A1B2C3D4E5${last}` } as const;
}

/** The product promises five seconds. On a busy machine the test allows more. */
const recovery = 45_000;

async function withDriver(
  body: (reader: VirtualReader, record: DriverRecord) => Promise<void>,
): Promise<void> {
  await using reader = await openVirtualReader();
  const record = recordDriver((ports) =>
    createNfcDriver({ ...ports, spawnProcess: reader.spawnReaderProcess }),
  );
  try {
    await body(reader, record);
  } finally {
    await record.driver.stop();
  }
  expect(faultsInStory(record.events)).toEqual([]);
}

function attached(events: readonly ReaderEvent[]): number {
  return events.filter(({ kind }) => kind === 'attached').length;
}

function cards(events: readonly ReaderEvent[]): number {
  return events.filter(({ kind }) => kind === 'card').length;
}

cardTest('Started without a card service, the driver reports that and detects the service later', () =>
  withDriver(async (reader, record) => {
    await record.until((events) =>
      events.some((event) => event.kind === 'service' && event.state === 'absent'),
    );
    await reader.startService();
    await record.until((events) => attached(events) === 2, recovery);
    await reader.insert(badge('01'));
    await record.until((events) => cards(events) === 1);
  }),
);

cardTest('A card service that is killed and restarted three times is used again each time', () =>
  withDriver(async (reader, record) => {
    await reader.startService();
    await record.until((events) => attached(events) === 2);
    for (let round = 1; round <= 3; round += 1) {
      await reader.killService();
      await record.until((events) => events.filter(({ kind }) => kind === 'detached').length === 2 * round);
      await reader.startService();
      await record.until((events) => attached(events) === 2 + 2 * round, recovery);
      await reader.insert(badge(`0${round}`));
      await record.until((events) => outcomes(events).length === round);
      await reader.remove();
    }
    expect(outcomes(record.events).map(({ kind }) => kind)).toEqual(['card', 'card', 'card']);
  }),
);

const lastState = (events: readonly ReaderEvent[]) =>
  events.findLast((event) => event.kind === 'service')?.state;

cardTest('A card service that hangs is reported as silent, and as up when it answers again', () =>
  withDriver(async (reader, record) => {
    await reader.startService();
    await record.until((events) => attached(events) === 2);
    reader.signalService('SIGSTOP');
    await record.until((events) => lastState(events) === 'silent', recovery);
    expect(record.log.findLast(({ level }) => level === 'error')?.what).toContain('does not answer');
    reader.signalService('SIGCONT');
    await record.until((events) => lastState(events) === 'up', recovery);
    await reader.insert(badge('01'));
    await record.until((events) => cards(events) === 1);
  }),
);

cardTest(
  'Started beside a card service that hangs, the driver reports that and detects when it answers',
  () =>
    withDriver(async (reader, record) => {
      await reader.startService();
      reader.signalService('SIGSTOP');
      await record.driver.stop();
      const late = recordDriver((ports) =>
        createNfcDriver({ ...ports, spawnProcess: reader.spawnReaderProcess }),
      );
      try {
        await late.until((events) => lastState(events) === 'silent', recovery);
        reader.signalService('SIGCONT');
        await late.until((events) => attached(events) === 2, recovery);
        await reader.insert(badge('01'));
        await late.until((events) => cards(events) === 1);
      } finally {
        await late.driver.stop();
      }
    }),
);

cardTest(
  'A card on the reader while the service dies ends in one outcome, and the reader is reported as gone',
  () =>
    withDriver(async (reader, record) => {
      await reader.startService();
      await record.until((events) => attached(events) === 2);
      await reader.insert({ kind: 'mute' });
      await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
      await reader.killService();
      await record.until((events) => events.filter(({ kind }) => kind === 'detached').length === 2);
      expect(outcomes(record.events)).toMatchObject([{ kind: 'unread' }]);
      await record.until((events) =>
        events.some((event) => event.kind === 'service' && event.state === 'absent'),
      );
    }),
);

cardTest('A reader process that is killed is replaced, and the card that was read is not read twice', () =>
  withDriver(async (reader, record) => {
    await reader.startService();
    await record.until((events) => attached(events) === 2);
    await reader.insert(badge('01'));
    await record.until((events) => cards(events) === 1);
    reader.signalReaderProcess('SIGKILL');
    await record.until((events) => attached(events) === 4, recovery);
    await reader.remove();
    await reader.untilCounted(2);
    await reader.insert(badge('02'));
    await record.until((events) => cards(events) === 2);
    expect(outcomes(record.events)).toMatchObject([
      { card: { uid: badge('01').uid } },
      { card: { uid: badge('02').uid } },
    ]);
  }),
);

cardTest('A card that came and left while the reader process was replaced is reported as not read', () =>
  withDriver(async (reader, record) => {
    await reader.startService();
    await record.until((events) => attached(events) === 2);
    await reader.tap(badge('01'), 1500);
    await record.until((events) => events.some(({ kind }) => kind === 'removed'));
    reader.signalReaderProcess('SIGSTOP');
    await reader.tap(badge('02'), 1200);
    await reader.untilCounted(4);
    reader.signalReaderProcess('SIGKILL');
    await record.until((events) => outcomes(events).length === 2);
    expect(outcomes(record.events).at(-1)).toMatchObject({ kind: 'unread', reason: 'missed' });
  }),
);

cardTest('A reader process that hangs is killed and replaced', () =>
  withDriver(async (reader, record) => {
    await reader.startService();
    await record.until((events) => attached(events) === 2);
    reader.signalReaderProcess('SIGSTOP');
    await record.until((events) => attached(events) === 4, recovery);
    await reader.insert(badge('01'));
    await record.until((events) => cards(events) === 1);
  }),
);

test('A reader module that cannot be loaded is reported as failing with the reason, and causes no restart storm', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-module-'));
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve: (name, context, next) => {
       if (name === 'nfc-pcsc') throw new Error('no binary for this runtime\\npcsclite.node is not there');
       return next(name, context);
     } });`,
  );
  let spawned = 0;
  const record = recordDriver((ports) =>
    createNfcDriver({
      ...ports,
      spawnProcess: () => {
        spawned += 1;
        const entry = new URL('../../src-main/devices/reader/reader-process.ts', import.meta.url);
        return readerProcessOf(
          fork(entry, [], {
            execArgv: ['--import', pathToFileURL(hooks).href],
            stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
          }),
        );
      },
    }),
  );
  try {
    await record.until((events) =>
      events.some((event) => event.kind === 'service' && event.state === 'failing'),
    );
    expect(record.log.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(record.log.find(({ level }) => level === 'error')?.what).toContain('pcsclite.node is not there');
    expect(spawned).toBe(1);
  } finally {
    await record.driver.stop();
    rmSync(folder, { recursive: true });
  }
});

cardTest('Stopping ends the reader process even while it hangs', async () => {
  await using reader = await openVirtualReader();
  await reader.startService();
  const record = recordDriver((ports) =>
    createNfcDriver({ ...ports, spawnProcess: reader.spawnReaderProcess }),
  );
  await record.until((events) => attached(events) === 2);
  await reader.insert({ kind: 'mute' });
  await record.until((events) => events.some(({ kind }) => kind === 'inserted'));
  reader.signalReaderProcess('SIGSTOP');
  await record.driver.stop();
  await untilReaderProcesses(reader, 0);
  expect(faultsInStory(record.events)).toEqual([]);
});

cardTest('A reader process whose app is killed ends by itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orphan-'));
  await using reader = await openVirtualReader();
  await reader.startService();
  const app = reader.spawn(process.execPath, [
    fileURLToPath(new URL('./stub-app.ts', import.meta.url)),
    folder,
  ]);
  await untilReaderProcesses(reader, 1);
  killInside(app);
  await untilReaderProcesses(reader, 0);
  rmSync(folder, { recursive: true });
});

/** Waits until this many reader processes run in the reader's namespace. */
async function untilReaderProcesses(reader: VirtualReader, count: number): Promise<void> {
  const running = () => reader.run('pgrep', ['-fc', 'reader/reader-process.ts']).catch(() => '0');
  await expect.poll(async () => Number(await running()), { timeout: 40_000 }).toBe(count);
}
