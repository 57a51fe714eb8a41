/**
 * Lets several laptops of one stand share their leads without a technician: one laptop starts a hub, and the others
 * join it with a code.
 *
 *     share ─► hub process (in `sharing/` of the data folder) ─► own file ─► this laptop is its first device
 *     join  ─► file by the code ─► this laptop is a device of the colleague's hub
 *     leave ─► the kept direct access ─► this laptop delivers to the platform itself
 *
 * Invariants:
 * - the hub serves until staff leave or the app ends; a hub that ends is started again;
 * - the platform key stays on the laptop that was set up with it: the file `direct.json` keeps this direct access while
 *   the laptop uses a hub;
 * - when staff end a hub, its folder is removed: it holds the leads of all laptops, and each laptop still has its own
 *   leads;
 * - joining and leaving change only the access of this laptop. Facts stay in its journal and reach the platform once,
 *   by their ids.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { SharingRefusal, SharingState } from '../contract/sharing.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import { plainSettings } from '../core/stand/visit/settings.ts';
import type { KeyPlace } from '../device-key/key-place.ts';
import { enrol, keepEnrolled, type OpenedFile, openFile } from '../device-setup/enrolment.ts';
import { readHubFile, writeHubFile } from '../device-setup/hub-file.ts';
import { type KeptPlatform, readPlatformFile, writePlatformFile } from '../device-setup/platform-file.ts';
import type { PresentAccess } from '../device-setup/setup.ts';
import { findStand } from '../device-setup/stand-file.ts';
import { writeWhole } from '../device-setup/whole-file.ts';
import { ownNetworks } from '../machine/networks.ts';
import { joinQrOf } from '../provision/join-code.ts';
import { askToJoin } from './join.ts';
import { type FromHub, fromHubSchema, type ToHub } from './messages.ts';
import type { SharingProcess } from './sharing-child.ts';

export type SharingSources = {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyPlace: KeyPlace;
  /** Hides a key from the log from now on. */
  readonly hide: (secret: string) => void;
  /** Starts a hub. Absent if this installation has no hub. */
  readonly spawn: (() => SharingProcess) | undefined;
  /** Null if no event is chosen yet. */
  readonly access: () => PresentAccess | null;
  /** The set-up of this laptop as a file, without key and PINs; null if there is none. */
  readonly writeSetup: () => Promise<string | null>;
  /** Called after the access of this laptop changed. */
  readonly onChanged: () => void;
};

export type Sharing = {
  readonly state: () => SharingState;
  /** Starts the hub. Null if it starts, otherwise the reason why not. */
  readonly share: () => Promise<SharingRefusal | null>;
  /** Asks the hub for another code, with this address of the laptop. */
  readonly invite: (address: string) => void;
  readonly join: (code: string) => Promise<SharingRefusal | null>;
  /** Goes back to direct delivery, and ends a hub of this laptop. */
  readonly leave: () => Promise<SharingRefusal | null>;
  /** Starts the hub again if this laptop shared when the app ended. */
  readonly resume: () => void;
  readonly close: () => Promise<void>;
};

const fileSchema = z.object({ isOn: z.boolean(), port: z.number().int() });
type Kept = z.infer<typeof fileSchema>;

const NAME = 'sharing.json';
/** The default port of a hub. */
const USUAL: Kept = { isOn: false, port: 8820 };
const AGAIN_MS = { ended: 1_000, failed: 10_000 } as const;
const END_WITHIN_MS = 1_000;

/** The sharing of one laptop. */
export function createSharing(sources: SharingSources): Sharing {
  const { folder, clock, log } = sources;
  const path = join(folder, NAME);
  const laptop = hostname().slice(0, 60) || 'laptop';
  let hub: Running | null = null;

  const kept = (): Kept => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      // The file does not exist yet, or it was lost. Then staff press the button again.
      return USUAL;
    }
  };
  const keep = (next: Kept): void => writeWhole(path, `${JSON.stringify(next)}\n`);

  /** Makes this laptop a device of the hub that signed `opened`. */
  const become = async (opened: OpenedFile): Promise<SharingRefusal | null> => {
    const [device] = opened.content.devices;
    const found = findStand(folder);
    if (device === undefined || found.kind === 'faults') return 'unsound';
    const stand = found.kind === 'settings' ? found.settings : plainSettings();
    const { random, keyPlace } = sources;
    const taken = await enrol({ folder, clock, random, opened, device: device.id, stand });
    if (taken.kind === 'refused') return taken.reason;
    sources.hide(taken.platform.key);
    const key = await keyPlace.keep(taken.platform.key);
    const direct = directPlatform(folder);
    if (direct !== null) writePlatformFile(folder, direct, 'direct.json');
    const platform = { ...taken.platform, key };
    keepEnrolled(folder, clock.now(), opened, device.id, { ...taken, platform });
    return null;
  };

  const onReady = async ({ port, file }: Extract<FromHub, { kind: 'ready' }>): Promise<void> => {
    keep({ isOn: true, port });
    if (file === null) return;
    const event = sources.access()?.expo ?? null;
    const opened = openFile(folder, clock.now(), file, event, null);
    const refused = opened.kind === 'refused' ? opened.reason : await become(opened);
    if (refused === null) sources.onChanged();
    else log.error('this laptop could not join its own hub', { reason: refused });
  };

  /** The message that starts the hub, or why there is none. */
  const startMessage = async (): Promise<StartMessage | SharingRefusal> => {
    const access = sources.access();
    const direct = directOrKept(folder);
    const read = direct === null ? null : await sources.keyPlace.read(direct.key);
    const found = findStand(folder);
    const touchpoint = found.kind === 'settings' ? found.settings.touchpoint : null;
    const setup = await sources.writeSetup();
    if (access === null || direct === null || read?.kind !== 'key' || setup === null) return 'noKey';
    if (direct.expo !== access.expo) return 'otherEvent';
    if (touchpoint === null) return 'noTouchpoint';
    sources.hide(read.key);
    const { port } = kept();
    const isOwn = isOwnHub(access.address, port);
    return {
      kind: 'start',
      expo: direct.expo,
      touchpoint,
      laptop,
      folder: join(folder, 'sharing'),
      setup,
      port,
      isPortKnown: isOwn,
      needsFile: !isOwn,
      upstream: { url: direct.address, key: read.key, privateHttp: direct.privateHttp },
    };
  };

  const start = (spawn: () => SharingProcess, first: StartMessage | null): void => {
    hub ??= runHub(spawn, first, startMessage, onReady, sources);
  };

  const stop = async (): Promise<void> => {
    const ended = hub;
    hub = null;
    await ended?.stop();
  };

  /** Ends the hub for good. */
  const endHub = async (): Promise<void> => {
    keep({ ...kept(), isOn: false });
    await stop();
    rmSync(join(folder, 'sharing'), { recursive: true, force: true });
  };

  /** Why nothing about sharing can change here, or null. */
  const fixed = (): SharingRefusal | null => {
    const access = sources.access();
    return access !== null && access.origin !== 'screen' ? 'startSays' : null;
  };

  const guarded = async (work: () => Promise<SharingRefusal | null>): Promise<SharingRefusal | null> => {
    try {
      return fixed() ?? (await work());
    } catch (error) {
      log.error('sharing could not be changed', { error: String(error) });
      return 'disk';
    }
  };

  return {
    state: () => {
      const access = sources.access();
      const isShared = access !== null && access.pin !== undefined && isTaken(folder);
      return {
        mode: hub !== null ? 'sharing' : isShared ? 'member' : 'alone',
        ...(hub?.seen ?? { isReady: false, failed: null, invitation: null, laptops: [] }),
        hasKey: directOrKept(folder) !== null,
        addresses: ownNetworks().map(({ address }) => address),
      };
    },
    share: () =>
      guarded(async () => {
        const { spawn } = sources;
        if (spawn === undefined) return 'noProgram';
        const message = await startMessage();
        if (typeof message === 'string') return message;
        mkdirSync(message.folder, { recursive: true, mode: 0o700 });
        keep({ ...kept(), isOn: true });
        start(spawn, message);
        return null;
      }),
    invite: (address) => hub?.invite(address),
    join: (code) =>
      guarded(async () => {
        const access = sources.access();
        const found = findStand(folder);
        const touchpoint = access === null || found.kind !== 'settings' ? null : found.settings.touchpoint;
        const expo = access?.expo ?? null;
        const opened = await askToJoin(folder, clock, code, { expo, touchpoint, laptop });
        if (typeof opened === 'string') return opened;
        const refused = await become(opened);
        if (refused !== null) return refused;
        await endHub();
        sources.onChanged();
        return null;
      }),
    leave: () =>
      guarded(async () => {
        const direct = directOrKept(folder);
        if (direct === null) return 'noKey';
        await endHub();
        if (!isTaken(folder)) return null;
        writePlatformFile(folder, direct);
        writeHubFile(folder, { ...readHubFile(folder), taken: null });
        sources.onChanged();
        return null;
      }),
    resume: () => {
      if (sources.spawn !== undefined && kept().isOn && fixed() === null) start(sources.spawn, null);
    },
    close: stop,
  };
}

type StartMessage = Extract<ToHub, { kind: 'start' }>;

/** The state of the running hub, as the app knows it. */
type Seen = Pick<SharingState, 'isReady' | 'failed' | 'invitation' | 'laptops'>;
type Running = {
  readonly seen: Seen;
  readonly invite: (address: string) => void;
  readonly stop: () => Promise<void>;
};

/**
 * Runs the hub until `stop`, and starts it again when it ends. `first`: the message of the first start, if it is
 * known.
 */
function runHub(
  spawn: () => SharingProcess,
  first: StartMessage | null,
  startMessage: () => Promise<StartMessage | SharingRefusal>,
  onReady: (message: Extract<FromHub, { kind: 'ready' }>) => Promise<void>,
  { clock, log }: Pick<SharingSources, 'clock' | 'log'>,
): Running {
  const stopping = new AbortController();
  let seen: Seen = { isReady: false, failed: null, invitation: null, laptops: [] };
  let child: SharingProcess | null = null;

  const take = (message: FromHub): void => {
    switch (message.kind) {
      case 'ready':
        seen = { ...seen, isReady: true, failed: null };
        void onReady(message).catch((error: unknown) =>
          log.error('this laptop could not use its own hub', { error: String(error) }),
        );
        return;
      case 'failed':
        seen = { ...seen, failed: { reason: message.reason, fault: message.fault } };
        child?.end(true);
        return;
      case 'invitation':
        seen = {
          ...seen,
          invitation: { code: message.code, qr: joinQrOf(message.code), until: message.until },
        };
        return;
      case 'laptops': {
        const invitation = message.isInvitationUsed ? null : seen.invitation;
        seen = { ...seen, laptops: message.names, invitation };
      }
    }
  };

  const runOnce = async (message: StartMessage | SharingRefusal): Promise<void> => {
    if (typeof message === 'string') {
      seen = { ...seen, failed: { reason: 'hub', fault: message } };
      return;
    }
    if (stopping.signal.aborted) return;
    const own = spawn();
    child = own;
    const ended = new Promise<string>((resolve) => own.onExit(resolve));
    own.onMessage((received) => {
      const read = fromHubSchema.safeParse(received);
      if (read.success) take(read.data);
    });
    own.send(message);
    const how = await ended;
    child = null;
    seen = { ...seen, isReady: false, invitation: null };
    if (!stopping.signal.aborted) log.warn('the sharing hub ended and is started again', { how });
  };

  const run = async (): Promise<void> => {
    for (let known = first; !stopping.signal.aborted; known = null) {
      await runOnce(known ?? (await startMessage()));
      await clock.sleep(seen.failed === null ? AGAIN_MS.ended : AGAIN_MS.failed, stopping.signal);
    }
  };
  const running = run().catch((error: unknown) => {
    log.error('the sharing hub cannot run', { error: String(error) });
  });

  return {
    get seen() {
      return seen;
    },
    invite: (address) => {
      // The hub takes only the newest code, so the one before is not shown any more.
      seen = { ...seen, invitation: null };
      child?.send({ kind: 'invite', address });
    },
    stop: async () => {
      stopping.abort();
      child?.end(false);
      const timeout = new AbortController();
      void clock.sleep(END_WITHIN_MS, timeout.signal).then(() => child?.end(true));
      await running;
      timeout.abort();
    },
  };
}

/** Whether this laptop still uses the hub that set it up. */
function isTaken(folder: string): boolean {
  return readHubFile(folder).taken !== null;
}

/** The current access if it leads to the platform itself; null if it leads to a hub or does not exist. */
function directPlatform(folder: string): KeptPlatform | null {
  return isTaken(folder) ? null : readPlatformFile(folder);
}

/** The access to the platform itself: the current one, or the one that is kept while this laptop uses a hub. */
function directOrKept(folder: string): KeptPlatform | null {
  return directPlatform(folder) ?? readPlatformFile(folder, 'direct.json');
}

function isOwnHub(address: string, port: number): boolean {
  return address === `https://127.0.0.1:${port}/create/v2`;
}
