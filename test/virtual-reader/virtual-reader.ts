/**
 * The virtual badge reader for tests: the real pcscd with vpcd in a private namespace, and cards to lay on it.
 *
 * ```ts
 * const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);
 *
 * cardTest('A badge is read', async () => {
 *   await using reader = await openVirtualReader();          // namespace only; nothing runs yet
 *   await reader.startService();                             // pcscd up, both slots listening
 *   const driver = createNfcDriver({ clock, log, spawnProcess: reader.spawnReaderProcess });
 *   await reader.insert({ kind: 'type2', uid: '04A1B2C3D4E5F6' });
 *   await reader.remove();
 * });
 * ```
 *
 * - `startService`, `killService` (SIGKILL), `stopService` (SIGTERM), `restartService`, `signalService`: the daemon.
 *   `isServiceUp`: whether it runs.
 * - `unplug`: the daemon continues without any reader (vpcd cannot be taken from a running one); `restartService`
 *   plugs it in.
 * - `insert`, `remove`, `swap`, `tap(card, holdMs)`: cards, on slot 0 unless another slot is given; slot 1 is the
 *   second reader. `commands`: the commands that the card on a slot received, in hex.
 * - `answeredAt`: wall time in milliseconds of the last answer of the card on a slot; null before the first answer.
 *   `identifiedAt`: the same of the first answer, which contains the UID.
 * - `counted`: insertions and removals that the daemon has counted per reader, the reference for "no insertion was
 *   missed". `untilCounted(steps)` waits for them. Call it between the removal of a card and the next insertion: the
 *   virtual reader polls every 400 ms, and the daemon does not notice a card that is exchanged between two polls.
 * - `spawn`, `run`: any program inside (the app, `node …`, `curl`); use `killInside` to end a spawned one.
 * - `wrapper(path)`: an executable script that starts the program inside. With it as Playwright's `executablePath`,
 *   Chromium shares the app's loopback, and the debugging pipe still works.
 * - `spawnReaderProcess`: for the driver under test; `spawnPatientReaderProcess`: with ten times the time for a card
 *   (`patient-clock.ts`); `signalReaderProcess` stops, continues or kills the newest.
 *
 * Everything ends at the end of the scope of `await using`, and also when the test process dies.
 */
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readerProcessOf } from '../../src-main/devices/supervisor/reader-child.ts';
import type { ReaderProcess } from '../../src-main/devices/supervisor/reader-run.ts';
import type { VirtualCard } from '../../src-main/devices/virtual/virtual-card.ts';
import type { CardOrder } from './card-process.ts';
import { killInside, type Namespace, namespaceMeans, openNamespace, signalInside } from './namespace.ts';

function means(): true | string {
  if (!existsSync('/usr/sbin/pcscd')) return 'pcscd is not installed (Debian: pcscd)';
  if (!existsSync('/etc/reader.conf.d/vpcd')) return 'vpcd is not installed (Debian: vsmartcard-vpcd)';
  return namespaceMeans();
}

const found = means();

/** For `notRunUnless(virtualReader.present, virtualReader.reason)`. */
export const virtualReader = { present: found === true, reason: found === true ? '' : found } as const;

export type VirtualReader = AsyncDisposable &
  Pick<Namespace, 'spawn' | 'run'> & {
    readonly startService: () => Promise<void>;
    readonly killService: () => Promise<void>;
    readonly stopService: () => Promise<void>;
    readonly restartService: () => Promise<void>;
    readonly unplug: () => Promise<void>;
    readonly signalService: (signal: 'SIGSTOP' | 'SIGCONT') => void;
    readonly isServiceUp: () => Promise<boolean>;
    readonly insert: (card: VirtualCard, slot?: number) => Promise<void>;
    readonly remove: (slot?: number) => Promise<void>;
    readonly swap: (card: VirtualCard, slot?: number) => Promise<void>;
    readonly tap: (card: VirtualCard, holdMs: number, slot?: number) => Promise<void>;
    readonly commands: (slot?: number) => Promise<readonly string[]>;
    readonly answeredAt: (slot?: number) => Promise<number | null>;
    readonly identifiedAt: (slot?: number) => Promise<number | null>;
    readonly counted: () => Promise<Readonly<Record<string, number>>>;
    readonly untilCounted: (steps: number, slot?: number) => Promise<void>;
    readonly wrapper: (program: string) => string;
    readonly spawnReaderProcess: () => ReaderProcess;
    readonly spawnPatientReaderProcess: () => ReaderProcess;
    readonly signalReaderProcess: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => void;
  };

/** How pcscd names the slots of vpcd. */
export function slotName(slot: number): string {
  return `Virtual PCD 00 0${slot}`;
}

function fileBeside(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Opens a separate namespace. The test starts the service. */
export async function openVirtualReader(): Promise<VirtualReader> {
  const namespace = await openNamespace();
  let folder: string | null = null;
  const cards = createCards(namespace);
  let newest: ChildProcess | null = null;
  let service: ChildProcess | null = null;

  const isServiceUp = () =>
    namespace.run('sh', ['-c', 'test -S /run/pcscd/pcscd.comm && ip -o link >/dev/null']).then(
      () => true,
      () => false,
    );

  const startService = async (): Promise<void> => {
    service = namespace.spawn('pcscd', ['-f'], { stdio: 'ignore' });
    await until(async () => (await isServiceUp()) && (await cards.canConnect()), 'pcscd with vpcd');
  };

  const endService = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (service === null) return;
    const ended = new Promise<void>((resolve) => service?.once('exit', () => resolve()));
    if (signal === 'SIGKILL') killInside(service);
    else signalInside(service, signal);
    await ended;
    service = null;
    // A killed pcscd leaves its socket, and a new one refuses to start beside it.
    await namespace.run('sh', ['-c', 'rm -f /run/pcscd/*']);
  };

  const killService = (): Promise<void> => endService('SIGKILL');

  const counted = async (): Promise<Readonly<Record<string, number>>> => {
    const output = await namespace.run(process.execPath, [fileBeside('./insertion-count.ts')]);
    return JSON.parse(output) as Record<string, number>;
  };

  const spawnProcess = (options: readonly string[]): ReaderProcess => {
    const entry = fileURLToPath(new URL('../../src-main/devices/reader/reader-process.ts', import.meta.url));
    const child = namespace.spawn(process.execPath, [...options, entry], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    newest = child;
    return readerProcessOf(child, () => killInside(child));
  };

  return {
    spawn: namespace.spawn,
    run: namespace.run,
    isServiceUp,
    startService,
    killService,
    stopService: () => endService('SIGTERM'),
    restartService: async () => {
      await killService();
      await startService();
    },
    unplug: async () => {
      await killService();
      service = namespace.spawn('pcscd', ['-f', '--config', '/dev/null'], { stdio: 'ignore' });
      await until(isServiceUp, 'pcscd without vpcd');
    },
    signalService: (signal) => signalWithWrapper(service, signal),
    insert: (card, slot = 0) => cards.order({ kind: 'insert', slot, card }).then(() => undefined),
    remove: (slot = 0) => cards.order({ kind: 'remove', slot }).then(() => undefined),
    swap: (card, slot = 0) => cards.order({ kind: 'insert', slot, card }).then(() => undefined),
    tap: (card, holdMs, slot = 0) => cards.order({ kind: 'tap', slot, card, holdMs }).then(() => undefined),
    commands: async (slot = 0) => (await cards.order({ kind: 'commands', slot })) as readonly string[],
    answeredAt: async (slot = 0) => (await cards.order({ kind: 'answeredAt', slot })) as number | null,
    identifiedAt: async (slot = 0) => (await cards.order({ kind: 'identifiedAt', slot })) as number | null,
    counted,
    untilCounted: (steps, slot = 0) =>
      until(
        async () => ((await counted())[slotName(slot)] ?? 0) >= steps,
        `${steps} changes counted by pcscd`,
      ),
    wrapper: (program) => {
      folder ??= mkdtempSync(join(tmpdir(), 'virtual-reader-'));
      const path = join(folder, `inside-${program.replaceAll('/', '-')}`);
      writeFileSync(path, `#!/bin/sh\nexec nsenter ${namespace.entry.join(' ')} '${program}' "$@"\n`);
      chmodSync(path, 0o755);
      return path;
    },
    spawnReaderProcess: () => spawnProcess([]),
    spawnPatientReaderProcess: () => spawnProcess(['--import', fileBeside('./patient-clock.ts')]),
    signalReaderProcess: (signal) => signalWithWrapper(newest, signal),
    [Symbol.asyncDispose]: async () => {
      await namespace.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Also signals the `nsenter` around the program: it stops with its program, but does not continue or end with it. */
function signalWithWrapper(child: ChildProcess | null, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
  if (child === null) return;
  signalInside(child, signal);
  if (signal !== 'SIGSTOP') child.kill(signal);
}

/** Waits until `test` holds. */
async function until(test: () => Promise<boolean>, what: string, timeoutMs = 45_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await test())) {
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The process that holds the cards, started with the first order. */
function createCards(namespace: Namespace) {
  const waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (e: Error) => void }
  >();
  let child: ChildProcess | null = null;
  let orders = 0;

  const holder = (): ChildProcess => {
    if (child !== null) return child;
    const begun = namespace.spawn(process.execPath, [fileBeside('./card-process.ts')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    begun.on(
      'message',
      (message: { readonly id: number; readonly ok?: unknown; readonly error?: string }) => {
        const order = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.error === undefined) order?.resolve(message.ok);
        else order?.reject(new Error(message.error));
      },
    );
    child = begun;
    return begun;
  };

  return {
    order: (order: CardOrder): Promise<unknown> =>
      new Promise((resolve, reject) => {
        orders += 1;
        waiting.set(orders, { resolve, reject });
        holder().send({ id: orders, order });
      }),
    /** True when both slots listen (`/proc/net/tcp`, state 0A); connecting would insert a card. */
    canConnect: () =>
      namespace
        .run('sh', ['-c', "grep -qi ':8C7B .* 0A ' /proc/net/tcp && grep -qi ':8C7C .* 0A ' /proc/net/tcp"])
        .then(
          () => true,
          () => false,
        ),
  };
}
