/**
 * Handing leads over and forgetting them, made and connected. Decides nothing.
 *
 * Invariant: what was handed over last is remembered with the journal, so that the end of the fair can tell whether
 * everything is somewhere else.
 */

import type { Mirror } from './event/mirror/mirror.ts';
import { knownEvent } from './event/sync/event.ts';
import type { Clock, Log, Random } from './foundations/ports.ts';
import type { StorageGuard } from './foundations/store/storage-guard.ts';
import type { Journal } from './journal/facts/journal.ts';
import { keepSealed } from './journal/facts/settings.ts';
import { uuidV7 } from './journal/facts/stamp.ts';
import type { DurableJournal } from './journal/recovery/durable-journal.ts';
import type { Screens } from './screens.ts';
import { type DeviceAssignment, partnerNow } from './stand/device/assignment.ts';
import { nameAtStart } from './stand/taps/late-naming.ts';
import type { StandSettings } from './stand/visit/settings.ts';
import { createLeadFacts } from './team/erasure/lead-facts.ts';
import { keepRetention } from './team/erasure/retention.ts';
import { createErasureService, type ErasureService, type LastExport } from './team/erasure/service.ts';
import { createImportService, type ImportService } from './team/exports/import-service.ts';
import { createExportService, type ExportService, type FilePlace } from './team/exports/service.ts';
import type { LeadService } from './team/leads/service.ts';
import type { Staff } from './team/staff/staff.ts';

export type Handover = {
  readonly exports: ExportService;
  readonly imports: ImportService;
  readonly erasure: ErasureService;
  /** Leads of a partner stay sealed here, and nobody is asked again. */
  readonly keepSealed: (partner: string) => boolean;
  /** Erases what is older than the stand keeps, until `signal` aborts. */
  readonly keepRetention: (signal: AbortSignal) => Promise<void>;
};

/** What whoever starts the app may bring along. */
export type HandoverMeans = {
  /** Program of the thread that writes exports; its source unless it was bundled elsewhere. */
  readonly exportWriter?: URL | undefined;
  /** Where files can be handed over; nowhere but in a browser when absent. */
  readonly places?: (() => readonly FilePlace[]) | undefined;
};

export type HandoverPorts = HandoverMeans & {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly folder: string;
  readonly event: string;
  readonly journal: Journal;
  readonly durable: DurableJournal;
  readonly mirror: Mirror;
  readonly settings: StandSettings;
  readonly storageGuard: StorageGuard;
  readonly assignment: () => DeviceAssignment | null;
  readonly leads: LeadService;
  readonly staff: Staff;
  readonly screens: Screens;
  /** Platform time minus ours; null while never measured. */
  readonly clockOffset: () => number | null;
  /** Whether this device speaks to a hub. */
  readonly isAtHub: () => boolean;
};

/** A clock that is further off is not believed when it says that something is old. */
const SURE_WITHIN_MS = 3_600_000;

/** Exports and erasure of one device. */
export function createHandover(ports: HandoverPorts): Handover {
  const { clock, random, journal, settings, assignment, screens } = ports;
  const partner = () => partnerNow(assignment());
  const newId = () => uuidV7(clock.now(), random.bytes(10));
  const exports = createExportService({
    ...{ ...ports, partner, newId },
    program: ports.exportWriter ?? new URL('./team/exports/export-worker.ts', import.meta.url),
    places: ports.places ?? (() => []),
    nameOf: (of) => nameOfPartner(ports.mirror, of),
    timezone: () => knownEvent(ports.mirror)?.timezone ?? null,
    rule: (of) => ports.leads.hotRule(of).rule,
    lastSeq: (of) => createLeadFacts(ports.durable.current().database).sum(of).lastSeq,
    onChange: (job) => screens.publishers.exports.publish(job.id, job),
    onAllExported: (of, last) => journal.settings.set('lastExport', JSON.stringify({ partner: of, ...last })),
  });
  const imports = createImportService({
    ...{ ...ports, partner, newId },
    onImported: () => {
      nameAtStart(journal.leads, ports.mirror);
      ports.leads.readAnew();
      screens.everythingChanged();
    },
  });
  const erasure = createErasureService({
    ...{ ...ports, partner, newId },
    staff: () => ports.staff.onDuty(),
    retentionDays: settings.retentionDays,
    isClockSure: () => Math.abs(ports.clockOffset() ?? Number.POSITIVE_INFINITY) < SURE_WITHIN_MS,
    lastExport: (of) => lastExportOf(journal, of),
    dropExports: exports.drop,
    onErased: () => {
      ports.leads.readAnew();
      screens.everythingChanged();
    },
  });
  return {
    ...{ exports, imports, erasure },
    keepSealed: (of) => {
      const kept = ports.storageGuard.attempt(() => keepSealed(journal.settings, of, partner()));
      screens.stateChanged();
      return kept.kind === 'kept';
    },
    keepRetention: (signal) => keepRetention(clock, erasure, signal),
  };
}

function lastExportOf(journal: Journal, partner: string): LastExport | null {
  const kept = journal.settings.get('lastExport');
  if (kept === null) return null;
  const last = JSON.parse(kept) as LastExport & { readonly partner: string };
  return last.partner === partner ? last : null;
}

function nameOfPartner(mirror: Mirror, partner: string): string | null {
  const name = mirror.record('partners', partner)?.body.name;
  return typeof name === 'string' ? name : null;
}
