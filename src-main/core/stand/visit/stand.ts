/**
 * The stand: the steps around a tap, and the content and prompts of its screens.
 *
 *     settings ─► pending prompts ─┐
 *     mirror ─► offer ─────────────┼─► visits ◄─ taps          service ─► router ─► screens
 *     journal ─► admission ────────┘   tap sessions ◄─────────────┘
 *
 * Invariants:
 * - `onChange` is called once for each change of something that a screen shows.
 * - The data that the stand provides for screens contains no data of a visitor.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Purpose, TouchpointChoice } from '../../../contract/device.ts';
import type { Answer, Picture, Stand } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { hasField } from '../../event/mirror/people.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import { createPictures, type DrawPicture, type WantedPicture } from '../../event/pictures/pictures.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import { createPictureSource } from '../../foundations/api/picture-source.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import {
  chooseAssignment,
  createAssignmentCheck,
  type DeviceAssignment,
  findAssignmentFault,
  reassign,
} from '../device/assignment.ts';
import { PURPOSES, readPurpose } from '../device/purposes.ts';
import { createAdmissionControl } from './admission.ts';
import { runBackgroundJobs } from './background-jobs.ts';
import { createEmails, type EmailState } from './emails.ts';
import { createNoticeCheck, type NoticeFault } from './notice-owner.ts';
import { createOffer, type OfferPage } from './offer.ts';
import { createPendingPrompts } from './pending-prompts.ts';
import type { StandSettings } from './settings.ts';
import { createTapSessions } from './tap-sessions.ts';
import { createVisits, type Visits } from './visits.ts';

type StandPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** The data folder. */
  readonly folder: string;
  readonly settings: StandSettings;
  readonly storageGuard: StorageGuard;
  readonly assignment: () => DeviceAssignment | null;
  readonly discoverUrl: () => string | null;
  /** Base URL of the pages with the contents taken with a tap, or null. */
  readonly bagUrl: () => string | null;
  readonly isOffline: () => boolean;
  readonly draw: DrawPicture;
  /** Pictures and films of the attract loop. */
  readonly attract: () => Stand['attract'];
  /** Whether nothing is captured until staff choose the touchpoint of this device. */
  readonly asksForTouchpoint: boolean;
  /** Whether this is the demo event, where a device may change its purpose. */
  readonly demo: boolean;
  /** Called after a change of something that screens show. */
  readonly onChange: () => void;
  /** Requests another round of background jobs soon. */
  readonly again: () => void;
};

/** The stand's calls for screens: its offer, and a visitor's additions to a tap. */
export type StandService = {
  /** The current state of the stand. */
  readonly stand: () => Stand;
  readonly offer: (search: string, offset: number, limit: number) => OfferPage;
  readonly picture: (id: string, size: 'small' | 'large') => Promise<Picture | null>;
  /** `consent`, `answer`, `skip`, `collect` and `end` return true only after the commit. */
  readonly consent: (factId: string, language: string, agreed: Readonly<Record<string, boolean>>) => boolean;
  readonly answer: (factId: string, language: string, question: string, answer: Answer) => boolean;
  readonly skip: (factId: string, question: string) => boolean;
  readonly collect: (factId: string, content: string, take: boolean) => boolean;
  readonly email: (factId: string) => Promise<EmailState>;
  readonly end: (factId: string) => boolean;
  /** Touchpoints from which staff can choose. */
  readonly touchpoints: () => readonly TouchpointChoice[];
  /** Returns false unless staff must choose the touchpoint of this device. */
  readonly choose: (touchpoint: string) => boolean;
  /** Returns false outside the demo event. */
  readonly reassign: (purpose: Purpose) => boolean;
};

export type KioskStand = {
  /** Why the device cannot work as assigned, or null. */
  readonly fault: () => NoticeFault | null;
  /** Whether the partner of this stand is known for certain. Otherwise nothing is captured. */
  readonly isChosen: () => boolean;
  readonly service: StandService;
  readonly visits: Visits;
  /** One round of the stand's requests to the platform besides the mirror. */
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** Call it after records of the mirror changed. */
  readonly follow: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Call it after the platform removed records. */
  readonly forget: (resource: ResourceName, ids: readonly string[]) => void;
  /** Call it after whole lists were replaced. */
  readonly readAnew: () => void;
  readonly stop: () => Promise<void>;
};

/** The stand of one kiosk. */
export function createStand(ports: StandPorts): KioskStand {
  const { client, expoId, journal, mirror, clock, log, settings, storageGuard, assignment } = ports;
  const checksInAt = (here: DeviceAssignment | null) => here !== null && PURPOSES[here.purpose].checksIn;

  const source = createPictureSource();
  const pictures = createPictures({
    folder: join(ports.folder, 'pictures'),
    source,
    draw: ports.draw,
    clock,
    log,
  });
  const pendingPrompts = createPendingPrompts({
    journal,
    mirror,
    settings,
    checksIn: () => checksInAt(assignment()),
  });
  const offer = createOffer({
    mirror,
    partner: () => assignment()?.partner ?? null,
    discoverUrl: ports.discoverUrl,
    pictureName: pictures.nameOf,
  });
  const admission = createAdmissionControl(journal, mirror);
  const tapSessions = createTapSessions({
    mirror,
    clock,
    clockOffset: client.clockOffset,
    pendingPrompts,
    offers: (content) => offer.item(content) !== null,
    hasBagPages: () => ports.bagUrl() !== null,
    record: (drafts, visitor) => {
      const done = storageGuard.attempt(() => journal.recordAll(drafts, visitor));
      return done.kind === 'kept' ? done.result.map(({ fact }) => fact) : null;
    },
  });
  const visits = createVisits({
    journal,
    mirror,
    clock,
    log,
    assignment,
    admission,
    offer,
    pendingPrompts,
    tapSessions,
    showsCompany: settings.showCompany,
    undoMs: settings.undoSeconds * 1_000,
    onCount: ports.onChange,
  });
  const emails = createEmails({
    client,
    expoId,
    journal,
    clock,
    log,
    storageGuard,
    isOffline: ports.isOffline,
  });
  const checkNotice = createNoticeCheck(mirror, settings.notice);
  const fault = (): NoticeFault | null =>
    findAssignmentFault(journal.settings, mirror, settings.touchpoint, ports.asksForTouchpoint) ??
    checkNotice(assignment());
  const reportAssignment = createAssignmentCheck(
    journal.settings,
    mirror,
    log,
    settings.touchpoint,
    ports.asksForTouchpoint,
    assignment,
  );

  const changed = (): void => {
    offer.forget();
    ports.onChange();
  };
  /** Runs after the device changed its touchpoint. */
  const moved = (isDone: boolean): boolean => {
    if (isDone) {
      changed();
      ports.again();
    }
    return isDone;
  };
  const logo = () => logoOf(settings, mirror, assignment()?.partner ?? null);
  const email = async (tap: string): Promise<EmailState> => {
    const visitor = tapSessions.visitorOf(tap);
    const record = visitor === null ? null : mirror.record('visitors', visitor);
    if (record === null || !settings.email) return 'impossible';
    return emails.ask(record.id, hasField(record, 'email'));
  };
  const stand = (): Stand => {
    const here = assignment();
    const checksIn = checksInAt(here);
    // Consents and answers belong to a partner; see `pending-prompts.ts`.
    const isOfPartner = here === null || here.touchpoint === null || here.partner !== null;
    const asks = isOfPartner && (settings.door.asks || !checksIn);
    return {
      headline: settings.headline,
      notice: noticeOf(settings, checksIn),
      consents: asks ? settings.consents : [],
      questions: asks ? settings.questions : [],
      offer: {
        count: offer.count(),
        here: here?.content == null ? null : offer.item(here.content),
        first: checksIn ? null : offer.first(),
        bag: ports.bagUrl(),
      },
      email: settings.email,
      activity: here !== null && checksIn ? admission.activity(here) : null,
      brand: { colour: settings.brand.colour, logo: pictures.nameOf(logo()?.address ?? null) },
      attract: ports.attract(),
      screen: settings.screen,
    };
  };

  return {
    fault,
    isChosen: () => !['unchosen', 'otherPartner'].includes(fault()?.kind ?? ''),
    visits,
    service: {
      stand,
      offer: offer.list,
      picture: pictures.read,
      consent: tapSessions.consent,
      answer: tapSessions.answer,
      skip: tapSessions.skip,
      collect: tapSessions.collect,
      email,
      end: tapSessions.end,
      touchpoints: () => touchpointsOf(mirror),
      choose: (touchpoint) =>
        moved(fault()?.kind === 'unchosen' && chooseAssignment(journal.settings, mirror, touchpoint)),
      reassign: (purpose) => moved(ports.demo && reassign(journal.settings, mirror, purpose)),
    },
    backgroundJobs: (signal) => {
      reportAssignment();
      return runBackgroundJobs(
        {
          client,
          expoId,
          journal,
          mirror,
          clock,
          assignment,
          emails,
          pictures,
          wantedPictures: () => {
            const contents = offer.pictures().map((picture) => ({ ...picture, isFile: false }));
            const first = logo();
            // The logo is on every screen.
            return first === null ? contents : [first, ...contents];
          },
          onChange: changed,
          again: ports.again,
        },
        signal,
      );
    },
    follow: (resource, records) => {
      if (resource === 'participants' && !admission.follow(records)) return;
      if (resource === 'visitors') {
        for (const { id, deleted } of records) if (deleted) admission.forget(id);
        return;
      }
      changed();
    },
    forget: (resource, ids) => {
      if (resource === 'visitors') for (const id of ids) admission.forget(id);
      if (resource === 'participants') {
        admission.follow(ids.map((id) => ({ id, revision: 0n, deleted: true, body: {} })));
      }
      changed();
    },
    readAnew: () => {
      admission.readAnew();
      changed();
    },
    stop: source.close,
  };
}

/** The notice from the settings. A check-in that asks nothing may have its own text. */
function noticeOf({ notice, door }: StandSettings, checksIn: boolean): Stand['notice'] {
  const texts = checksIn && !door.asks ? door.notice : undefined;
  return notice === null || texts === undefined
    ? notice
    : { version: notice.version, link: notice.link, texts };
}

/** The logo from the settings, otherwise the partner's logo. */
function logoOf({ brand }: StandSettings, mirror: Mirror, partner: string | null): WantedPicture | null {
  const own = brand.logo;
  if (own !== null) {
    const isFile = !/^(https?|data):/i.test(own);
    return { address: own, revision: isFile ? revisionOfFile(own) : 'settings', isFile };
  }
  const detail = partner === null ? null : mirror.stand.detail('partners', partner);
  const address = detail?.body?.logo;
  if (detail === null || typeof address !== 'string' || address === '') return null;
  return { address, revision: String(detail.revision), isFile: false };
}

/** A revision that changes when the file is replaced. */
function revisionOfFile(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return state === undefined ? 'missing' : `${state.mtimeMs} ${state.size}`;
}

function touchpointsOf(mirror: Mirror): readonly TouchpointChoice[] {
  const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  const choices = mirror.records('touchpoints').flatMap(({ id, body }): TouchpointChoice[] => {
    const purpose = readPurpose(body.purpose);
    const partner = mirror.record('partners', nameOf(body.partnerID));
    const name = nameOf(body.name) || id;
    return purpose === null ? [] : [{ id, name, purpose, partner: nameOf(partner?.body.name) || null }];
  });
  const placeOf = ({ partner, name }: TouchpointChoice): string => `${partner ?? '\uffff'} ${name}`;
  return choices.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b), undefined, { numeric: true }));
}
