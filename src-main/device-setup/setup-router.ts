/**
 * Answers the set-up's calls of the contract, and the whole contract of a device that is not set up yet.
 *
 * Invariants:
 * - while the device needs its set-up and has no PIN, every user of the page may set it up; otherwise only the
 *   technician may. This rule applies to all calls except `watch`;
 * - streams that need a kiosk wait until there is one.
 */
import { setImmediate } from 'node:timers/promises';
import { EventPublisher, implement, ORPCError } from '@orpc/server';
import { contract } from '../contract/contract.ts';
import { type SetupState, setupCalls } from '../contract/setup.ts';
import type { SharingRefusal, SharingState } from '../contract/sharing.ts';
import type { Clock } from '../core/foundations/ports.ts';
import type { Uploads } from '../core/foundations/store/uploads.ts';
import { type Asker, aborted, createEntryRouter } from '../core/router.ts';
import type { Publishers } from '../core/screens.ts';
import type { Staff } from '../core/team/staff/staff.ts';
import type { CameraUse } from './camera-use.ts';
import type { GivenFile } from './given-file.ts';
import { checkEvent, checkKey, checkPartner } from './key-check.ts';
import type { ReaderTrial } from './reader-test.ts';
import type { SetupService } from './setup.ts';

const keyMissing = { kind: 'refused', reason: 'keyMissing' } as const;

/** Bytes of a file per message, below the limit of a message. */
const PIECE = 190_000;

/** The sharing of this laptop with others (`src-main/sharing`). */
type SharingCalls = {
  readonly state: () => SharingState;
  readonly invite: (address: string) => void;
  readonly join: (code: string) => Promise<SharingRefusal | null>;
} & Readonly<Record<'share' | 'leave', () => Promise<SharingRefusal | null>>>;

/** Answers the set-up's calls of the contract. `onSaved`: called when a set-up was saved. */
export function createSetupRouter({
  state,
  given,
  setup,
  sharing,
  trial,
  uploads,
  camera,
  clock,
  staff,
  onSaved,
}: {
  readonly state: Omit<SetupState, 'given'>;
  readonly given: Pick<GivenFile, 'follow' | 'clear'>;
  readonly setup: SetupService;
  readonly sharing: SharingCalls;
  readonly trial: Pick<ReaderTrial, 'watch'>;
  readonly uploads: Pick<Uploads, 'put'>;
  readonly camera: Pick<CameraUse, 'begin'>;
  readonly clock: Clock;
  readonly staff: Pick<Staff, 'state' | 'session'>;
  readonly onSaved: () => void;
}) {
  const open = implement(setupCalls).$context<Asker>();
  const os = open.use(({ context: { page }, next }) => {
    const isNew = state.mode === 'needed' && staff.state(page).pin === 'unset';
    if (!isNew && staff.session(page)?.technician !== true) throw new ORPCError('UNAUTHORIZED');
    return next();
  });
  return {
    watch: open.watch.handler(async function* ({ signal }) {
      for await (const upload of given.follow(signal)) yield { ...state, given: upload };
    }),
    read: os.read.handler(() => setup.read()),
    checkKey: os.checkKey.handler(async ({ input }) => {
      const access = await setup.accessOf(input);
      return access === 'keyMissing' ? keyMissing : checkKey(access, clock);
    }),
    checkEvent: os.checkEvent.handler(async ({ input }) => {
      const access = await setup.accessOf(input);
      return access === 'keyMissing' ? keyMissing : checkEvent(access, input.expo, clock);
    }),
    checkPartner: os.checkPartner.handler(async ({ input }) => {
      const access = await setup.accessOf(input);
      if (access === 'keyMissing') return { connections: 'unknown' as const };
      return checkPartner(access, input.expo, input.partner, clock);
    }),
    reader: os.reader.handler(({ signal }) => trial.watch(signal)),
    put: os.put.handler(({ input }) => ({
      upload: uploads.put(input.upload, Buffer.from(input.bytes, 'base64')),
    })),
    picture: os.picture.handler(({ input }) => setup.picture(input.upload)),
    save: os.save.handler(async ({ input: { draft, version, force } }) => {
      const saved = await setup.save(draft, version, force);
      if (saved.kind === 'saved') onSaved();
      return saved;
    }),
    write: os.write.handler(async function* ({ input }) {
      const file = await setup.write(input);
      if (file === null) return;
      const bytes = Buffer.from(file.text);
      for (let at = 0; at < bytes.length; at += PIECE) {
        yield { bytes: bytes.subarray(at, at + PIECE).toString('base64'), name: file.name };
        // The send buffer of a page is limited: it must drain between two pieces.
        await setImmediate();
      }
    }),
    camera: os.camera.handler(async function* ({ signal }) {
      const end = camera.begin('camera');
      try {
        yield { allowed: true as const };
        await aborted(signal);
      } finally {
        end();
      }
    }),
    takeCode: os.takeCode.handler(({ input }) => setup.takeCode(input.code)),
    take: os.take.handler(({ input }) => {
      given.clear();
      return setup.take(input.upload);
    }),
    enrol: os.enrol.handler(async ({ input }) => {
      const enrolled = await setup.enrol(input.upload, input.device);
      if (enrolled.kind === 'enrolled') onSaved();
      return enrolled;
    }),
    sharing: {
      state: os.sharing.state.handler(() => sharing.state()),
      share: os.sharing.share.handler(async () => ({ refused: await sharing.share() })),
      invite: os.sharing.invite.handler(({ input }) => {
        sharing.invite(input.address);
        return {};
      }),
      join: os.sharing.join.handler(async ({ input }) => ({ refused: await sharing.join(input.code) })),
      leave: os.sharing.leave.handler(async () => ({ refused: await sharing.leave() })),
    },
  };
}

/** Answers the contract on a device that is not set up yet: only its entry and its set-up. */
export function createFirstRouter(
  setup: ReturnType<typeof createSetupRouter>,
  staff: Staff,
  publishers: Pick<Publishers, 'staff'>,
) {
  const os = implement(contract).$context<Asker>();
  return {
    // These streams send nothing. The pages reconnect as soon as there is a kiosk.
    device: { watch: os.device.watch.handler(({ signal }) => nothing(signal)) },
    taps: { watch: os.taps.watch.handler(({ signal }) => nothing(signal)) },
    stand: { watch: os.stand.watch.handler(({ signal }) => nothing(signal)) },
    staff: createEntryRouter(staff, publishers),
    setup,
  };
}

function nothing(signal: AbortSignal | undefined): AsyncGenerator<never> {
  return new EventPublisher<Record<string, never>>().subscribe(
    'nothing',
    signal === undefined ? {} : { signal },
  );
}
