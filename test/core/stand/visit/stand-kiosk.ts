/**
 * A complete device at a stand in this process, with calls as a screen makes them. It has a prepared mirror and no
 * network, or it uses a platform of the test.
 *
 * Invariant: a device has its own folder unless the test names one, and is stopped when its test ends.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TapEvent } from '../../../../src-main/contract/tap.ts';
import { type Mirror, openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import type { ResourceName } from '../../../../src-main/core/event/mirror/resources.ts';
import { createClient, type PlatformAccess } from '../../../../src-main/core/foundations/api/client.ts';
import type { Limits } from '../../../../src-main/core/foundations/api/exchange.ts';
import type { NdefReading } from '../../../../src-main/core/foundations/badge/nfc-card.ts';
import type { Clock, ReaderEvent, ReaderFeedback } from '../../../../src-main/core/foundations/ports.ts';
import type { AnyPayload } from '../../../../src-main/core/journal/facts/fact.ts';
import { readFactLines } from '../../../../src-main/core/journal/facts/fact-lines.ts';
import { createKiosk } from '../../../../src-main/core/kiosk.ts';
import { type StandSettings, standSettingsSchema } from '../../../../src-main/core/stand/visit/settings.ts';
import type { FilePlace } from '../../../../src-main/core/team/exports/service.ts';
import { cardReading } from '../../../card-reading.ts';
import { drawHere } from '../../../drawing/draw-here.ts';
import { handClock, ownFolder, rememberingLog, until } from '../../fixture.ts';
import { pageOf, realRandom } from '../../real-parts.ts';

/** Further properties of a card that is laid on the reader. */
type LaidCard = { readonly uid?: string; readonly ndef?: NdefReading };

import { screenOf, staffScreen, TECHNICIAN } from '../../screen.ts';

export const EXPO = 'E1';
/** The outcome publisher writes its shown mark within this time. */
const MARKED_AFTER_MS = 200;
const NOBODY: PlatformAccess = { baseUrl: 'http://127.0.0.1:9/v2', key: 'k', password: '', expoId: EXPO };

/** Two consents, and one question of each kind with different answers. */
export const askingStand = {
  notice: { version: 'v1', texts: { en: { who: 'We', why: 'To call', howLong: 'A year' } } },
  consents: [
    { id: 'news', text: { en: 'News' } },
    { id: 'call', text: { en: 'Call' } },
  ],
  questions: [
    {
      id: 'when',
      kind: 'choice',
      text: { en: 'When?' },
      options: [
        { id: 'soon', text: { en: 'Soon' } },
        { id: 'later', text: { en: 'Later' } },
      ],
    },
    { id: 'stars', kind: 'rating', text: { en: 'How?' } },
    { id: 'words', kind: 'text', text: { en: 'Anything else?' } },
  ],
  form: [
    { id: 'rival', kind: 'text', text: { en: 'Works with' }, required: true },
    { id: 'seats', kind: 'number', text: { en: 'How many?' } },
  ],
};

/** Settings from the content of a `stand.json`. */
export const settingsOf = (said: object): StandSettings => standSettingsSchema.parse(said);

/** Writes records into a mirror as a first sync does. */
export const fill = (
  mirror: Mirror,
  records: Partial<Record<ResourceName, readonly Record<string, unknown>[]>>,
): void => {
  for (const [resource, bodies] of Object.entries(records) as [
    ResourceName,
    readonly Record<string, unknown>[],
  ][]) {
    const idField = resource === 'participants' ? 'visitorID' : 'id';
    const page = bodies.map((body, index) => {
      const revision = BigInt(Number(body.revision ?? index + 1));
      return {
        id: String(body[idField]),
        revision,
        deleted: false,
        body: { revision: Number(revision), ...body },
      };
    });
    const pass = {
      number: mirror.progress(resource).passes + 1,
      from: BigInt(bodies.length + 1),
      sound: true,
    };
    mirror.applyPassPage(resource, pageOf(resource, page), pass);
    mirror.endPass(resource, pass, 0);
  }
};

/** A registered visitor with one badge. */
export const guest = (id: string, code: string, more: Record<string, unknown> = {}) => ({
  id,
  firstName: `First ${id}`,
  lastName: `Last ${id}`,
  company: `Company ${id}`,
  email: `${id}@example.org`,
  registrationState: 'registered',
  badges: [{ type: 'nfc', code }],
  labels: [],
  ...more,
});

/** A small fair: one partner with contents, five touchpoints, an open and a restricted activity. */
export const smallFair = (): Parameters<typeof fill>[1] => ({
  touchpoints: [
    { id: 'lead1', name: 'Left', purpose: 'lead', partnerID: 'p1' },
    { id: 'content1', name: 'Take away', purpose: 'content', partnerID: 'p1', contentID: 'c2' },
    { id: 'door1', name: 'Door', purpose: 'checkin', partnerID: 'p1', activityID: 'a1' },
    { id: 'door2', name: 'Back door', purpose: 'checkin', partnerID: 'p1', activityID: 'a2' },
    { id: 'hall', name: 'Hall 4', purpose: 'checkin', locationID: 'HALL4' },
  ],
  partners: [{ id: 'p1', name: 'Northwind' }],
  contents: [
    { id: 'c1', partnerID: 'p1', category: 'product', name: 'Éclair arm 10', summary: 'ロボットアーム' },
    { id: 'c2', partnerID: 'p1', category: 'product', name: 'Éclair arm 2', summary: 'Data sheet' },
    { id: 'c0', partnerID: 'p1', category: 'partner', name: 'Northwind' },
    { id: 'x1', partnerID: 'p2', category: 'product', name: 'Somebody else’s' },
  ],
  activities: [
    {
      id: 'a1',
      name: 'Talk',
      access: 'open',
      start: '2026-11-21T09:00:00.000Z',
      end: '2026-11-21T10:00:00.000Z',
    },
    { id: 'a2', name: 'Workshop', access: 'restricted' },
  ],
  visitors: [
    guest('v1', '04AA00000000A1'),
    guest('v2', '04AA00000000A2', { labels: ['L1'] }),
    guest('v3', '04AA00000000A3'),
    guest('v4', '04AA00000000A4', { registrationState: 'incomplete' }),
  ],
  participants: [],
  connections: [],
  labels: [],
  registrationTypes: [],
});

export type StandKiosk = ReturnType<typeof openStandKiosk>;

/** Opens a device in `folder`. `prepare` may fill its mirror first. */
export const openStandKiosk = (options: {
  readonly folder?: string;
  readonly stand?: object;
  readonly platform?: PlatformAccess;
  readonly clock?: Clock;
  /** Time limits of the network, if they differ from the usual ones. */
  readonly limits?: Partial<Limits>;
  readonly demo?: boolean;
  /** Whether staff must choose the device's touchpoint. */
  readonly asks?: boolean;
  readonly prepare?: (mirror: Mirror) => void;
  /** Every sign-in is that of the technician. */
  readonly technician?: boolean;
  /** Targets for exported files. */
  readonly places?: readonly FilePlace[];
  /** `later`: no page is connected until the test calls `openPage`. */
  readonly page?: 'later';
}) => {
  const folder = options.folder ?? ownFolder();
  mkdirSync(folder, { recursive: true });
  const platform = options.platform ?? NOBODY;
  if (options.prepare !== undefined) {
    const mirror = openMirror(join(folder, 'mirror.db'), platform.expoId);
    options.prepare(mirror);
    mirror.close();
  }
  const log = rememberingLog();
  const hand = handClock();
  const lights: ReaderFeedback[] = [];
  let tell: (event: ReaderEvent) => void = () => undefined;
  const kiosk = createKiosk({
    clock: options.clock ?? hand,
    random: realRandom,
    log,
    folder,
    platform,
    connect: (access, time) => createClient(access, time, { limits: options.limits ?? {} }),
    drivers: [
      {
        start: (listener) => (tell = listener),
        feedback: (_reader, what) => void lights.push(what),
        stop: async () => undefined,
      },
    ],
    demoBadges: options.demo === true ? [{ code: '1', alias: 'one', name: '', kind: 'unknown' }] : [],
    asksForTouchpoint: options.asks === true,
    version: 'test',
    cardService: 'on',
    maintenance: 'off',
    drawPicture: drawHere,
    places: () => options.places ?? [],
    ...(options.technician === true ? { demoStaff: TECHNICIAN } : {}),
    ...(options.stand === undefined ? {} : { stand: settingsOf(options.stand) }),
  });
  const screen = screenOf(kiosk);
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (!stopped) await kiosk.stop();
    stopped = true;
  };
  onTestFinished(stop);
  const told: TapEvent[] = [];
  const openPage = (): void => {
    const listening = (async () => {
      for await (const event of await screen.taps.watch()) told.push(event);
    })();
    void listening.catch(() => undefined);
  };
  if (options.page !== 'later') openPage();
  kiosk.start();
  let insertion = 0;
  let identity = '';
  const insert = (uid: string): void => {
    insertion += 1;
    identity = uid;
    tell({ kind: 'inserted', reader: 'r', insertion });
  };
  const complete = ({ uid = identity, ndef }: LaidCard = {}): void => {
    tell({ kind: 'card', reader: 'r', insertion, card: cardReading(uid, ndef) });
    tell({ kind: 'removed', reader: 'r' });
  };
  const lay = (uid: string, card: LaidCard = {}): void => {
    insert(uid);
    complete(card);
  };

  return {
    folder,
    kiosk,
    screen,
    /** A page with a staff session. */
    staff: () => staffScreen(kiosk),
    log,
    lights,
    told,
    stop,
    /** Advances the controlled clock. */
    pass: hand.pass,
    /** Waits until the shown mark is written, with the controlled clock. */
    untilMarked: async (): Promise<void> => {
      hand.pass(MARKED_AFTER_MS);
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Puts a badge on the reader, with or without a page. */
    lay,
    /** Puts a badge on the reader in two steps: first only its UID is sent, then the rest. */
    begin: (uid: string): void => {
      insert(uid);
      tell({ kind: 'uid', reader: 'r', insertion, card: cardReading(identity) });
    },
    complete,
    openPage,
    /** Taps a badge and waits for the outcome on the screen. */
    tap: async (uid: string): Promise<TapEvent> => {
      // The screen's stream starts with its first read.
      await new Promise((resolve) => setImmediate(resolve));
      const before = told.filter(isOutcome).length;
      lay(uid);
      await until('the screen has the outcome', () => told.filter(isOutcome).length > before);
      const outcome = told.filter(isOutcome).at(-1);
      if (outcome === undefined) throw new Error('Expected an outcome');
      return outcome;
    },
    lines: () =>
      [...(readFactLines(join(folder, 'journal.db')) ?? [])].map((line) => ({
        ...line,
        payload: line.payload as AnyPayload | null,
      })),
    stand: async () => {
      for await (const stand of await screen.stand.watch()) return stand;
      throw new Error('Expected a stand');
    },
  };
};

const isOutcome = ({ kind }: TapEvent): boolean => kind !== 'reading' && kind !== 'removed';

/** Returns `event` as a captured tap. If it is another event, throws an error that contains it. */
export const capturedOf = (event: TapEvent): Extract<TapEvent, { kind: 'captured' }> => {
  if (event.kind !== 'captured') throw new Error(`Expected a captured tap, got ${JSON.stringify(event)}`);
  return event;
};
