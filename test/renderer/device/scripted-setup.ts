/**
 * The set-up of a scripted device: an event with two companies, a key with the right to write, a reader on which a
 * badge was tapped.
 */
import { implement } from '@orpc/server';
import {
  type EventCheck,
  type HubEnrolled,
  type KeyCheck,
  type ReaderTest,
  type Setup,
  type SetupSaved,
  type SetupState,
  type SetupTaken,
  setupCalls,
} from '../../../src-main/contract/setup.ts';
import type { SharingRefusal, SharingState } from '../../../src-main/contract/sharing.ts';

export type SetupScript = {
  readonly state: SetupState;
  readonly setup: Setup;
  readonly key: KeyCheck;
  readonly event: EventCheck;
  readonly reader: ReaderTest;
  readonly saved: SetupSaved;
  readonly taken: SetupTaken;
  readonly enrolled: HubEnrolled;
  readonly sharing: SharingState;
  /** The answer to each change of sharing. */
  readonly sharingRefused: SharingRefusal | null;
};

/** A stand that is set up. */
export const someSetup: SetupScript = {
  state: { mode: 'running', failed: null, given: null },
  setup: {
    access: {
      address: 'https://platform.example/create/v2',
      expo: '4711',
      privateHttp: false,
      origin: 'screen',
    },
    keyPlace: 'none',
    encryption: 'open',
    stand: {
      touchpoint: 'T1',
      headline: { en: 'Tap your badge.\nTake the robots home.', de: 'Badge auflegen.\nRoboter mitnehmen.' },
      notice: {
        version: '2026-11',
        link: 'https://www.example.org/privacy',
        texts: {
          en: {
            who: 'Northwind Robotics, stand B17, receives your name and contact details.',
            why: 'To give you what you asked for.',
            howLong: '24 months.',
          },
          de: {
            who: 'Northwind Robotics, Stand B17, erhält Namen und Kontaktdaten.',
            why: 'Um Ihnen zu geben, worum Sie bitten.',
            howLong: '24 Monate.',
          },
        },
      },
      consents: [
        { id: 'news', text: { en: 'Send me news.', de: 'Senden Sie mir Neues.' }, channel: 'email' },
      ],
      letter: { subject: null, text: null, signatures: [] },
      form: [
        {
          id: 'budget',
          kind: 'choice',
          text: { en: 'Budget', de: 'Budget' },
          options: [
            { id: 'small', text: { en: 'under 20,000', de: 'unter 20.000' } },
            { id: 'large', text: { en: 'more', de: 'mehr' } },
          ],
          required: true,
          purposes: ['lead'],
        },
      ],
      questions: [
        {
          id: 'when',
          kind: 'choice',
          text: { en: 'When do you plan something new?', de: 'Wann planen Sie Neues?' },
          options: [
            { id: 'soon', text: { en: 'Within three months', de: 'In drei Monaten' } },
            { id: 'later', text: { en: 'Later', de: 'Später' } },
          ],
        },
      ],
      brand: { colour: '#0e7a6b', logo: null },
      attract: null,
      screen: { reach: 'usual', contrast: 'usual', text: 'usual', camera: false },
      hot: {
        rating: 4,
        answers: [{ question: 'when', options: ['soon'] }],
        contents: 3,
        visits: 3,
      },
      retentionDays: null,
      undoSeconds: 8,
      door: { asks: false },
      showCompany: false,
      email: false,
    },
    version: 'one',
    faults: [],
    logo: null,
    attract: [],
    pins: { team: true, technician: true },
  },
  key: {
    kind: 'events',
    events: [
      {
        id: '4711',
        name: 'Automation Days 2026',
        start: '2026-11-24T08:00:00Z',
        end: '2026-11-26T17:00:00Z',
      },
      {
        id: '4712',
        name: 'Automation Days 2027',
        start: '2027-11-23T08:00:00Z',
        end: '2027-11-25T17:00:00Z',
      },
    ],
  },
  event: {
    kind: 'event',
    rights: { people: true, lacks: [], send: 'yes' },
    partners: [
      { id: 'P1', name: 'Contoso Drives', stand: 'Hall 4, B12', colour: null },
      { id: 'P2', name: 'Northwind Robotics', stand: 'Hall 4, B17', colour: '#0e7a6b' },
    ],
    touchpoints: [
      { id: 'T1', name: 'B17 left', purpose: 'lead', partner: 'P2' },
      { id: 'T2', name: 'B17 robots', purpose: 'content', partner: 'P2' },
      { id: 'T3', name: 'B17 workshop', purpose: 'checkin', partner: 'P2' },
      { id: 'T4', name: 'Entrance', purpose: 'checkin', partner: null },
    ],
  },
  reader: {
    cardService: 'up',
    readers: [{ name: 'ACS ACR1252 Dual Reader', interval: { foundMs: 1000, everyMs: 250 } }],
    tapped: { reader: 'ACS ACR1252 Dual Reader', tail: '5F44', at: 0 },
  },
  saved: { kind: 'saved', aside: null },
  taken: { kind: 'refused', reason: 'altered', faults: [] },
  enrolled: { kind: 'enrolled' },
  sharing: {
    ...{ mode: 'alone', isReady: false, failed: null, invitation: null, laptops: [] },
    ...{ hasKey: true, addresses: ['192.168.1.20'] },
  },
  sharingRefused: null,
};

/**
 * Answers according to the current `script`, and again after `changes`. `heard` receives the calls that tests check.
 */
export function scriptedSetup(
  script: () => SetupScript,
  heard: (call: string, input: unknown) => void,
  changes: (signal: AbortSignal | undefined) => AsyncIterable<unknown>,
) {
  const os = implement(setupCalls);
  const changed = (call: string, input: unknown) => {
    heard(`setup.sharing.${call}`, input);
    return { refused: script().sharingRefused };
  };
  const until = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  return {
    watch: os.watch.handler(async function* ({ signal }) {
      const again = changes(signal);
      yield script().state;
      for await (const _change of again) yield script().state;
    }),
    read: os.read.handler(() => script().setup),
    checkKey: os.checkKey.handler(({ input }) => {
      heard('setup.checkKey', input);
      return script().key;
    }),
    checkEvent: os.checkEvent.handler(() => script().event),
    checkPartner: os.checkPartner.handler(({ input }) => ({
      connections: input.partner === 'P2' ? ('yes' as const) : ('no' as const),
    })),
    reader: os.reader.handler(async function* ({ signal }) {
      yield script().reader;
      await until(signal);
    }),
    put: os.put.handler(() => ({ upload: 'upload' })),
    picture: os.picture.handler(() => null),
    save: os.save.handler(({ input }) => {
      heard('setup.save', input);
      return input.force ? { kind: 'saved' as const, aside: 'stand-2026.json' } : script().saved;
    }),
    write: os.write.handler(async function* ({ input }) {
      heard('setup.write', input);
      yield { bytes: Buffer.from('{}').toString('base64'), name: 'touchpoint.json' };
    }),
    take: os.take.handler(() => script().taken),
    takeCode: os.takeCode.handler(({ input }) => {
      heard('setup.takeCode', input);
      return script().taken;
    }),
    camera: os.camera.handler(async function* ({ signal }) {
      heard('setup.camera', null);
      yield { allowed: true as const };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      heard('setup.camera over', null);
    }),
    enrol: os.enrol.handler(({ input }) => {
      heard('setup.enrol', input);
      return script().enrolled;
    }),
    sharing: {
      state: os.sharing.state.handler(() => script().sharing),
      share: os.sharing.share.handler(() => changed('share', null)),
      leave: os.sharing.leave.handler(() => changed('leave', null)),
      join: os.sharing.join.handler(({ input }) => changed('join', input)),
      invite: os.sharing.invite.handler(({ input }) => {
        heard('setup.sharing.invite', input);
        return {};
      }),
    },
  };
}
