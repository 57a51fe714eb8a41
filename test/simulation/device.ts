/**
 * One device of a simulated world: the real core with real SQLite files, a reader and a screen.
 *
 * Invariants:
 * - What the screen received is kept over every restart.
 * - After a power cut only committed data is left, and later actions of the old run have no effect.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { RESOURCES } from '../../src-main/core/event/mirror/resources.ts';
import type { ApiClient, PlatformAccess } from '../../src-main/core/foundations/api/client.ts';
import type { Clock, ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk, type Kiosk, type KioskPorts } from '../../src-main/core/kiosk.ts';
import { type StandSettings, standSettingsSchema } from '../../src-main/core/stand/visit/settings.ts';
import { cardReading } from '../card-reading.ts';
import { screenOf, TECHNICIAN, technicianScreen } from '../core/screen.ts';
import type { Chance } from './chance.ts';
import type { VirtualTime } from './virtual-time.ts';
import { openWitness, type Witness } from './witness.ts';

/** A tap that the screen received as captured, with the world's time. */
export type Shown = { readonly factId: string; readonly owner: number; readonly at: number };

export type DevicePorts = {
  readonly owner: number;
  /** The beginning of the paths of its data folders. It uses a new folder after each power cut. */
  readonly folder: string;
  /** How far its wall clock is ahead in milliseconds. */
  readonly skew: number;
  readonly expo: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly badges: readonly string[];
  /** Contents that visitors collect. */
  readonly contents: readonly string[];
  readonly stand: StandSettings;
  readonly connect: (access: PlatformAccess, clock: Clock) => ApiClient;
  /** The key that it uses from its next start on. */
  readonly key: () => string;
  readonly atHub?: KioskPorts['atHub'];
  /** Whether the platform ever accepted the fact with this id. */
  readonly wasTaken: (id: string) => boolean;
  readonly breach: (what: string) => void;
  /** The disk of another device that this one starts with. Default: an empty one. */
  readonly disk?: string;
};

export type Device = ReturnType<typeof createDevice>;

/** A stand with consents and questions: visits make facts of every kind. */
export const asksEverything: StandSettings = standSettingsSchema.parse({
  notice: { version: 'v1', texts: { en: { who: 'We', why: 'So', howLong: 'Long' } } },
  consents: [{ id: 'news', text: { en: 'News' } }],
  questions: [{ id: 'stars', kind: 'rating', text: { en: 'How?' } }],
});

/** Copies the files of a database as a power cut leaves them: without the shared memory. */
export const copyDisk = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('-shm') });

/** A device that is not started. */
export const createDevice = (ports: DevicePorts) => {
  const { owner, time, chance, badges, breach } = ports;
  const shown: Shown[] = [];
  const errors: string[] = [];
  let runs = 0;
  let { skew } = ports;
  let folder = `${ports.folder}-0`;
  let kiosk: Kiosk | null = null;
  let witness: Witness | null = null;
  let tell: (event: ReaderEvent) => void = () => undefined;
  let insertion = 0;
  if (ports.disk === undefined) mkdirSync(folder, { recursive: true });
  else copyDisk(ports.disk, folder);

  const watch = async (running: Kiosk): Promise<void> => {
    for await (const event of await screenOf(running).taps.watch()) {
      if (event.kind === 'captured') shown.push({ factId: event.factId, owner, at: time.now() });
      if (event.kind === 'failed') breach(`a tap failed: ${event.reason}`);
    }
  };

  const start = (): void => {
    kiosk = createKiosk({
      clock: time.clockOf(owner, () => skew),
      random: chance,
      log: {
        error: (what, details) => errors.push(`${what} ${JSON.stringify(details)}`),
        warn: () => undefined,
        info: () => undefined,
      },
      folder,
      maintenance: 'off',
      platform: { baseUrl: 'http://model.invalid', key: ports.key(), password: '', expoId: ports.expo },
      connect: ports.connect,
      drivers: [{ start: (to) => (tell = to), feedback: () => undefined, stop: async () => undefined }],
      demoBadges: [],
      demoStaff: TECHNICIAN,
      version: 'simulated',
      stand: ports.stand,
      atHub: ports.atHub ?? null,
      cardService: 'on',
    });
    witness = openWitness(folder, ports.wasTaken);
    kiosk.start();
    void watch(kiosk);
  };

  const stop = async (): Promise<void> => {
    const running = kiosk;
    kiosk = null;
    witness?.close();
    witness = null;
    await running?.stop();
  };

  return {
    owner,
    shown,
    errors,
    /** Whether its cable is disconnected. */
    cut: false,
    folder: () => folder,
    kiosk: () => kiosk,
    start,
    stop,
    /** Sets its wall clock this many milliseconds ahead of the world's. */
    setClock: (ms: number): void => {
      skew = ms;
    },
    /** Cuts the power. Later actions of the run are lost. */
    losePower: async (): Promise<void> => {
      const before = folder;
      runs += 1;
      folder = `${ports.folder}-${runs}`;
      copyDisk(before, folder);
      await stop();
      rmSync(before, { recursive: true, force: true });
    },
    /** Laws that the committed data breaks at this moment. */
    breaches: (): readonly string[] => witness?.breaches() ?? [],
    tap: (): void => {
      if (kiosk === null) return;
      insertion += 1;
      tell({ kind: 'inserted', reader: 'r', insertion });
      const card = cardReading(chance.pick(badges));
      tell({ kind: 'card', reader: 'r', insertion, card });
    },
    /** A visitor's possible additions to the last tap. Most come in time, some too late. */
    add: async (): Promise<void> => {
      const factId = shown.at(-1)?.factId;
      if (kiosk === null || factId === undefined) return;
      const { session } = screenOf(kiosk);
      const language = 'en';
      const what = chance.between(1, 4);
      if (what === 1) await session.consent({ factId, language, agreed: { news: chance.hits(0.5) } });
      if (what === 2)
        await session.answer({ factId, language, question: 'stars', answer: chance.between(1, 5) });
      if (what > 2)
        await session.collect({ factId, content: chance.pick(ports.contents), take: chance.hits(0.7) });
    },
    undo: async (): Promise<void> => {
      const last = shown.at(-1);
      if (kiosk === null || last === undefined) return;
      await screenOf(kiosk).taps.undo({ factId: last.factId });
    },
    /** Staff compare the mirror with the platform. */
    reconcile: async (): Promise<void> => {
      if (kiosk !== null) await (await technicianScreen(kiosk)).mirror.reconcile();
    },
    /** Staff approve a removal if the comparison asks for it. */
    approve: async (): Promise<void> => {
      for (const { name } of kiosk?.state().mirror.asks ?? []) {
        if (kiosk !== null && RESOURCES.some((resource) => resource.name === name))
          await (await technicianScreen(kiosk)).mirror.approveRemoval({ resource: name });
      }
    },
    /**
     * Staff send refused undos again. The hub refuses the undo of a copied disk until the device that captured the
     * tap has submitted the same one.
     */
    retryUndos: async (): Promise<void> => {
      if (kiosk === null || kiosk.state().delivery.parked === 0) return;
      const { delivery } = await technicianScreen(kiosk);
      for (const { factId, cause } of await delivery.deadLetters())
        if (cause === 'undone') await delivery.retry({ factId, mended: false });
    },
    /** Whether some of its facts are still undelivered. */
    isBusy: (): boolean => {
      const { due, inFlight, uncertain } = kiosk?.state().delivery ?? { due: 0, inFlight: 0, uncertain: 0 };
      return due + inFlight + uncertain > 0;
    },
    pause: () => kiosk?.state().delivery.pause ?? null,
  };
};
