/**
 * The stand: everything around a tap, put together.
 *
 *     settings ─► asked ─┐
 *     mirror ─► offer ───┼─► guide ─► taps        desk ─► router ─► screens
 *     journal ─► door ───┘   visits ◄─────────────┘
 *     errands: e-mails that wait ► detailed forms ► pictures
 *
 * Invariants: nothing told to screens is about a visitor; what changed anything that is shown says so once, to
 * `onChange`; errands never hold up the mirror: what fails is left for the next round of the loop (law 12).
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Stand } from '../../contract/stand.ts';
import type { ApiClient } from '../api/client.ts';
import type { WireRecord } from '../api/page.ts';
import { createPictureSource } from '../api/picture-source.ts';
import { createAssignmentCheck, type DeviceAssignment, reassign } from '../device/assignment.ts';
import type { Journal } from '../journal/journal.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { ResourceName } from '../mirror/resources.ts';
import { createPictures, type WantedPicture } from '../pictures/pictures.ts';
import type { Clock, Log } from '../ports.ts';
import type { StorageGuard } from '../store/storage-guard.ts';
import { DETAILS_ROUND_MS, PICTURES_ROUND_MS } from '../time/windows.ts';
import { createAdmissionControl } from './admission.ts';
import { refreshDetails } from './details.ts';
import { createEmails } from './emails.ts';
import { createOffer } from './offer.ts';
import { createPendingPrompts } from './pending-prompts.ts';
import type { StandService } from './service.ts';
import type { StandSettings } from './settings.ts';
import { createTapPolicy, type TapPolicy } from './tap-policy.ts';
import { createTapSessions, type TapSessions } from './tap-sessions.ts';

export type StandPorts = {
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
  readonly isOffline: () => boolean;
  /** What the attract loop shows. */
  readonly attract: () => Stand['attract'];
  /** Whether this is the demo event, where a device may change what it is. */
  readonly demo: boolean;
  /** Something on the screens changed. */
  readonly onChange: () => void;
  /** Errands are left: another round soon. */
  readonly again: () => void;
};

export type StandParts = {
  readonly service: StandService;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** Records of the mirror that changed. */
  readonly follow: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Records that the platform no longer has. */
  readonly forget: (resource: ResourceName, ids: readonly string[]) => void;
  readonly stop: () => Promise<void>;
};

/** The stand of one kiosk. */
export function createStand(ports: StandPorts): StandParts {
  const { client, expoId, journal, mirror, clock, log, settings, storageGuard, assignment, onChange } = ports;
  const source = createPictureSource();
  const pictures = createPictures({ folder: join(ports.folder, 'pictures'), source, clock, log });
  const pendingPrompts = createPendingPrompts({ journal, mirror, settings });
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
  const checkName = createAssignmentCheck(mirror, log, settings.touchpoint);
  const emails = createEmails({
    client,
    expoId,
    journal,
    clock,
    log,
    storageGuard,
    isOffline: ports.isOffline,
  });

  const changed = (): void => {
    offer.forget();
    onChange();
  };

  const logo = (): WantedPicture | null => {
    const own = settings.brand.logo;
    if (own !== null) {
      const isFile = !/^(https?|data):/i.test(own);
      return { address: own, revision: isFile ? stateOf(own) : 'settings', isFile };
    }
    const partner = assignment()?.partner ?? null;
    const told = partner === null ? null : mirror.stand.detail('partners', partner);
    const address = told?.body?.logo;
    if (told === null || typeof address !== 'string' || address === '') return null;
    return { address, revision: String(told.revision), isFile: false };
  };

  const wantedPictures = (): readonly WantedPicture[] => {
    const first = logo();
    return [
      ...(first === null ? [] : [first]),
      ...offer.pictures().map((wanted) => ({ ...wanted, isFile: false })),
    ];
  };

  const draw = (): Stand => {
    const here = assignment();
    // Consents and answers belong to a partner; see `asked.ts`.
    const asks = here === null || here.touchpoint === null || here.partner !== null;
    return {
      notice: settings.notice,
      consents: asks ? settings.consents : [],
      questions: asks ? settings.questions : [],
      offer: { count: offer.count(), here: here?.content == null ? null : offer.item(here.content) },
      email: settings.email,
      activity: here?.purpose === 'checkin' ? admission.activity(here) : null,
      brand: { colour: settings.brand.colour, logo: pictures.nameOf(logo()?.address ?? null) },
      attract: ports.attract(),
      screen: settings.screen,
    };
  };

  return {
    tapPolicy,
    tapSessions,
    service: {
      stand: draw,
      offer: offer.list,
      picture: pictures.read,
      consent: tapSessions.consent,
      answer: tapSessions.answer,
      collect: tapSessions.collect,
      end: tapSessions.end,
      email: async (tap) => {
        const visitor = tapSessions.visitorOf(tap);
        const record = visitor === null ? null : mirror.record('visitors', visitor);
        if (record === null || !settings.email) return 'impossible';
        return emails.ask(record.id, typeof record.body.email === 'string' && record.body.email !== '');
      },
      reassign: (purpose) => {
        const done = ports.demo && reassign(journal.settings, mirror, purpose);
        if (!done) return false;
        changed();
        ports.again();
        return true;
      },
    },
    backgroundJobs: async (signal) => {
      checkName();
      await emails.sendWaiting(signal);
      const here = assignment();
      if (here === null) return;
      const wanted = { client, expoId, mirror, clock, onKept: changed };
      const left = await refreshDetails(wanted, here, DETAILS_ROUND_MS, signal);
      const drawn = await pictures.fetch(wantedPictures(), PICTURES_ROUND_MS, signal);
      if (drawn.fetched > 0) changed();
      if (left || drawn.left) ports.again();
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
      if (resource === 'participants') admission.follow(ids.map(goneOf));
      changed();
    },
    stop: source.close,
  };
}

function goneOf(id: string): WireRecord {
  return { id, revision: 0n, deleted: true, body: {} };
}

/** A file that was replaced is another picture. */
function stateOf(path: string): string {
  const state = statSync(path, { throwIfNoEntry: false });
  return state === undefined ? 'missing' : `${state.mtimeMs} ${state.size}`;
}
