/**
 * One device of a simulated world: the real core over real SQLite files, a reader that is tapped, a screen that is watched.
 *
 * Invariants: what the screen was told is kept over every end; after a loss of power there is what was committed, and what
 * the run before does from then on comes to nothing.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { RESOURCES } from '../../src-main/core/event/mirror/resources.ts';
import type { ApiClient, PlatformAccess } from '../../src-main/core/foundations/api/client.ts';
import type { ReaderEvent } from '../../src-main/core/foundations/ports.ts';
import { createKiosk, type Kiosk, type KioskPorts } from '../../src-main/core/kiosk.ts';
import { type StandSettings, standSettingsSchema } from '../../src-main/core/stand/visit/settings.ts';
import { cardReading } from '../card-reading.ts';
import { screenOf, TECHNICIAN, technicianScreen } from '../core/screen.ts';
import type { Chance } from './chance.ts';
import type { VirtualTime } from './virtual-time.ts';
import { openWitness, type Witness } from './witness.ts';

/** A tap the screen was told is captured. */
export type Shown = { readonly factId: string; readonly owner: number };

export type DevicePorts = {
  readonly owner: number;
  /** Where its data folders lie; it takes another one after each loss of power. */
  readonly folder: string;
  /** How far its wall clock is ahead, in milliseconds. */
  readonly skew: number;
  readonly expo: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly badges: readonly string[];
  /** Contents that visitors take along. */
  readonly contents: readonly string[];
  readonly stand: StandSettings;
  readonly connect: (access: PlatformAccess) => ApiClient;
  /** The key it uses from its next start on. */
  readonly key: () => string;
  readonly atHub?: KioskPorts['atHub'];
  /** Whether the platform ever took the fact with this id. */
  readonly wasTaken: (id: string) => boolean;
  readonly breach: (what: string) => void;
  /** The disk of another device that this one begins with; an empty one when absent. */
  readonly disk?: string;
};

export type Device = ReturnType<typeof createDevice>;

/** A stand that asks: with it, visits leave facts of every kind. */
export const asksEverything: StandSettings = standSettingsSchema.parse({
  notice: { version: 'v1', texts: { en: { who: 'We', why: 'So', howLong: 'Long' } } },
  consents: [{ id: 'news', text: { en: 'News' } }],
  questions: [{ id: 'stars', kind: 'rating', text: { en: 'How?' } }],
});

/** The files of a database as a cut of power leaves them: what is shared in memory is gone. */
export const copyDisk = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('-shm') });

/** A device that is not started yet. */
export const createDevice = (ports: DevicePorts) => {
  const { owner, time, chance, badges, breach } = ports;
  const shown: Shown[] = [];
  const errors: string[] = [];
  let runs = 0;
  let folder = `${ports.folder}-0`;
  let kiosk: Kiosk | null = null;
  let witness: Witness | null = null;
  let tell: (event: ReaderEvent) => void = () => undefined;
  let insertion = 0;
  if (ports.disk === undefined) mkdirSync(folder, { recursive: true });
  else copyDisk(ports.disk, folder);

  const watch = async (running: Kiosk): Promise<void> => {
    for await (const event of await screenOf(running).taps.watch()) {
      if (event.kind === 'captured') shown.push({ factId: event.factId, owner });
      if (event.kind === 'failed') breach(`a tap failed: ${event.reason}`);
    }
  };

  const start = (): void => {
    kiosk = createKiosk({
      clock: time.clockOf(owner, ports.skew),
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
    /** Its cable is out. */
    cut: false,
    folder: () => folder,
    kiosk: () => kiosk,
    start,
    stop,
    /** The power goes; nothing of the run after this moment is left. */
    losePower: async (): Promise<void> => {
      const before = folder;
      runs += 1;
      folder = `${ports.folder}-${runs}`;
      copyDisk(before, folder);
      await stop();
      rmSync(before, { recursive: true, force: true });
    },
    /** Laws that do not hold in what is committed at this moment. */
    breaches: (): readonly string[] => witness?.breaches() ?? [],
    tap: (): void => {
      if (kiosk === null) return;
      insertion += 1;
      tell({ kind: 'inserted', reader: 'r', insertion });
      const card = cardReading(chance.pick(badges));
      tell({ kind: 'card', reader: 'r', insertion, card });
    },
    /** What a visitor may add to the last tap; most of it in time, some of it too late. */
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
    /** Somebody has the copy compared with the platform. */
    reconcile: async (): Promise<void> => {
      if (kiosk !== null) await (await technicianScreen(kiosk)).mirror.reconcile();
    },
    /** Where the comparison would remove many, a person is asked, and says yes. */
    approve: async (): Promise<void> => {
      for (const { name } of kiosk?.state().mirror.asks ?? []) {
        if (kiosk !== null && RESOURCES.some((resource) => resource.name === name))
          await (await technicianScreen(kiosk)).mirror.approveRemoval({ resource: name });
      }
    },
    /** Whether something of it is still on its way. */
    isBusy: (): boolean => {
      const { due, inFlight, uncertain } = kiosk?.state().delivery ?? { due: 0, inFlight: 0, uncertain: 0 };
      return due + inFlight + uncertain > 0;
    },
    pause: () => kiosk?.state().delivery.pause ?? null,
  };
};
