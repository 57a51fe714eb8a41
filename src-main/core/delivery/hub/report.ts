/**
 * The report of a device to its hub: `POST /hub/here` (docs/hub.md). Pure.
 *
 * Invariants:
 * - Contains no person and no key.
 * - Contains the same counts as the screens, so that the hub's sums add up.
 */
import type { DeviceState, Pause, Purpose } from '../../../contract/device.ts';
import type { MachineReading } from '../../foundations/ports.ts';

/** Times are Unix milliseconds by the device's clock. Null if unknown. */
export type HubReport = {
  /** Short name that staff can read aloud. */
  readonly device: string;
  readonly version: string;
  /** Time of the report. The hub computes the clock difference from it. */
  readonly at: number;
  /** Start of this run of the app. */
  readonly since: number;
  readonly purpose: Purpose;
  readonly lastTapAt: number | null;
  readonly readers: number;
  readonly cardService: DeviceState['cardService'];
  readonly storage: DeviceState['storage'];
  /** Why the device cannot work as its assigned touchpoint. */
  readonly fault: string | null;
  readonly pause: Pause | null;
  /** docs/laws.md#law-2; `atHub` is the part of `sent` that the platform does not have yet. */
  readonly delivery: {
    readonly captured: number;
    readonly due: number;
    readonly inFlight: number;
    readonly uncertain: number;
    readonly atHub: number;
    readonly sent: number;
    readonly confirmed: number;
    readonly parked: number;
  };
  /** End of the last complete pass of the device's mirror. */
  readonly mirrorAt: number | null;
  /** Charge from 0 to 1. */
  readonly battery: number | null;
  readonly plugged: boolean | null;
  /** Whether its disk is encrypted. */
  readonly encryption: MachineReading['encryption'];
  readonly outOfOrder: boolean;
  /** The hub's message that staff have not dismissed yet. */
  readonly message: boolean;
  /** Number of the last command that ran. 0 before the first. */
  readonly command: number;
};

type ReportReading = Pick<HubReport, 'at' | 'since' | 'lastTapAt' | 'command'> & {
  readonly state: DeviceState;
  readonly machine: MachineReading;
};

/** The report of a device. */
export function reportOf({ state, machine, ...told }: ReportReading): HubReport {
  const { captured, due, inFlight, uncertain, atHub = 0, sent, confirmed, parked, pause } = state.delivery;
  return {
    ...told,
    device: state.deviceName,
    version: state.version,
    purpose: state.purpose,
    readers: state.readers.length,
    cardService: state.cardService,
    storage: state.storage,
    fault: state.assignmentFault?.kind ?? null,
    pause,
    delivery: { captured, due, inFlight, uncertain, atHub, sent, confirmed, parked },
    mirrorAt: state.mirror.lastPassAt,
    battery: machine.power?.charge ?? null,
    plugged: machine.power?.plugged ?? null,
    encryption: machine.encryption,
    outOfOrder: state.outOfOrder === true,
    message: state.staffMessage != null,
  };
}

/** The part of a report that staff must see at once. A change of this part causes an early report. */
export function concernOf(report: HubReport): string {
  const { readers, cardService, storage, fault, pause, delivery, outOfOrder, message, command } = report;
  const asksForALook = [readers > 0, cardService, storage, fault, pause, delivery.parked];
  return JSON.stringify([...asksForALook, outOfOrder, message, command]);
}
