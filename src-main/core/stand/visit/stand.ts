/**
 * The stand: everything around a tap, put together.
 *
 *     settings ─► pending prompts ─┐
 *     mirror ─► offer ─────────────┼─► tap policy ─► taps          service ─► router ─► screens
 *     journal ─► admission ────────┘   tap sessions ◄──────────────┘
 *
 * Invariant: what changed anything that is shown says so once, to `onChange`.
 */
import { join } from 'node:path';
import type { TouchpointChoice } from '../../../contract/device.ts';
import type { Stand } from '../../../contract/stand.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import { createPictures, type DrawPicture } from '../../event/pictures/pictures.ts';
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
import { createEmails } from './emails.ts';
import { createNoticeCheck, type NoticeFault } from './notice-owner.ts';
import { createOffer } from './offer.ts';
import { createPendingPrompts } from './pending-prompts.ts';
import type { StandService } from './service.ts';
import type { StandSettings } from './settings.ts';
import { createStandPictures } from './stand-pictures.ts';
import { createStandReport } from './stand-report.ts';
import { drawStand } from './stand-view.ts';
import { createTapPolicy, type TapPolicy } from './tap-policy.ts';
import { createTapSessions, type TapSessions } from './tap-sessions.ts';

export type StandPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly draw: DrawPicture;
  /** The data folder. */
  readonly folder: string;
  readonly settings: StandSettings;
  readonly storageGuard: StorageGuard;
  readonly assignment: () => DeviceAssignment | null;
  readonly discoverUrl: () => string | null;
  readonly isOffline: () => boolean;
  /** What the attract loop shows. */
  readonly attract: () => Stand['attract'];
  /** Whether nothing is captured until somebody says which touchpoint this device is. */
  readonly asksForTouchpoint: boolean;
  /** Whether this is the demo event, where a device may change what it is. */
  readonly demo: boolean;
  /** Something on the screens changed. */
  readonly onChange: () => void;
  /** Background jobs are left: another round of them soon. */
  readonly again: () => void;
};

export type KioskStand = {
  /** Why the device cannot be what it is set to be, or null. */
  readonly fault: () => NoticeFault | null;
  /** Whether it is known whose stand this is; nothing is captured for somebody who may not be meant. */
  readonly isChosen: () => boolean;
  readonly service: StandService;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** Records of the mirror that changed. */
  readonly follow: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Records that the platform no longer has. */
  readonly forget: (resource: ResourceName, ids: readonly string[]) => void;
  /** Whole lists are other ones now. */
  readonly readAnew: () => void;
  readonly stop: () => Promise<void>;
};

/** The stand of one kiosk. */
export function createStand(ports: StandPorts): KioskStand {
  const { mirror, log, settings, onChange } = ports;
  const made = createMadeParts(ports);
  const { offer, admission } = made;
  const reportStand = createStandReport(log, ports.assignment);
  const checkFaults = createAssignmentCheck(
    ports.journal.settings,
    mirror,
    log,
    settings.touchpoint,
    ports.asksForTouchpoint,
  );
  const checkAssignment = (): void => {
    checkFaults();
    reportStand();
  };
  const changed = (): void => {
    offer.forget();
    onChange();
  };

  return {
    tapPolicy: made.tapPolicy,
    tapSessions: made.tapSessions,
    fault: made.fault,
    isChosen: () => !['unchosen', 'otherPartner'].includes(made.fault()?.kind ?? ''),
    service: serviceOf(ports, made, changed),
    backgroundJobs: (signal) =>
      runBackgroundJobs({ ...ports, ...made, checkAssignment, onChange: changed }, signal),
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
      if (resource === 'participants') admission.follow(ids.map(goneOf));
      changed();
    },
    readAnew: () => {
      admission.readAnew();
      changed();
    },
    stop: made.source.close,
  };
}

type MadeParts = ReturnType<typeof createMadeParts>;

function createMadeParts(ports: StandPorts) {
  const { client, journal, mirror, clock, log, settings, storageGuard, assignment, onChange } = ports;
  const source = createPictureSource();
  const pictures = createPictures({
    folder: join(ports.folder, 'pictures'),
    source,
    draw: ports.draw,
    clock,
    log,
  });
  const pendingPrompts = createPendingPrompts({
    ...{ journal, mirror, settings },
    checksIn: () => PURPOSES[assignment()?.purpose ?? 'lead'].checksIn,
  });
  const offer = createOffer({
    mirror,
    partner: () => assignment()?.partner ?? null,
    discoverUrl: ports.discoverUrl,
    pictureName: pictures.nameOf,
  });
  const admission = createAdmissionControl(journal, mirror);
  const tapPolicy = createTapPolicy({
    mirror,
    assignment,
    admission,
    offer,
    pendingPrompts,
    showsCompany: settings.showCompany,
    undoMs: settings.undoSeconds * 1_000,
    onCount: onChange,
  });
  const tapSessions = createTapSessions({
    mirror,
    clock,
    clockOffset: client.clockOffset,
    pendingPrompts,
    offers: (content) => offer.item(content) !== null,
    record: (drafts, visitor) => {
      const done = storageGuard.attempt(() => journal.recordAll(drafts, visitor));
      return done.kind === 'kept' ? done.result.map(({ fact }) => fact) : null;
    },
  });
  const emails = createEmails(ports);
  const standPictures = createStandPictures({ settings, mirror, assignment, offer });
  const checkNotice = createNoticeCheck(mirror, settings.notice);
  const fault = (): NoticeFault | null =>
    findAssignmentFault(journal.settings, mirror, settings.touchpoint, ports.asksForTouchpoint) ??
    checkNotice(assignment());
  return { fault, source, pictures, offer, admission, tapPolicy, tapSessions, emails, standPictures };
}

function serviceOf(ports: StandPorts, made: MadeParts, changed: () => void): StandService {
  const { journal, mirror, settings } = ports;
  const { tapSessions } = made;
  return {
    stand: () => drawStand({ ...ports, ...made }),
    offer: made.offer.list,
    picture: made.pictures.read,
    consent: tapSessions.consent,
    answer: tapSessions.answer,
    skip: tapSessions.skip,
    collect: tapSessions.collect,
    end: tapSessions.end,
    email: async (tap) => {
      const visitor = tapSessions.visitorOf(tap);
      const record = visitor === null ? null : mirror.record('visitors', visitor);
      if (record === null || !settings.email) return 'impossible';
      return made.emails.ask(record.id, typeof record.body.email === 'string' && record.body.email !== '');
    },
    touchpoints: () => touchpointsOf(mirror),
    choose: (touchpoint) => {
      const done =
        made.fault()?.kind === 'unchosen' && chooseAssignment(journal.settings, mirror, touchpoint);
      if (!done) return false;
      changed();
      ports.again();
      return true;
    },
    reassign: (purpose) => {
      const done = ports.demo && reassign(journal.settings, mirror, purpose);
      if (!done) return false;
      changed();
      ports.again();
      return true;
    },
  };
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

function goneOf(id: string): WireRecord {
  return { id, revision: 0n, deleted: true, body: {} };
}
