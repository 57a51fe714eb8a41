/**
 * What a device tells its hub of itself: `POST /hub/here` (docs/hub.md). Pure.
 *
 * Invariants: no person and no key in it; the same counts that the screens show, so that the hub's sums add up.
 */
import type { DeviceState, Pause, Purpose } from '../../../contract/device.ts';
import type { MachineReading } from '../../foundations/ports.ts';

/** Times are epoch milliseconds by the device's clock; null for what is not known. */
export type HubReport = {
  /** Short name staff can read out. */
  readonly device: string;
  readonly version: string;
  /** When this was said: the hub takes the difference of the clocks from it. */
  readonly at: number;
  /** When this run of the app began. */
  readonly since: number;
  readonly purpose: Purpose;
  readonly lastTapAt: number | null;
  readonly readers: number;
  readonly cardService: DeviceState['cardService'];
  readonly storage: DeviceState['storage'];
  /** Why the device cannot be the touchpoint it is set to be. */
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
  /** When its copy of the event was last equal to the hub's. */
  readonly mirrorAt: number | null;
  /** Charge from 0 to 1. */
  readonly battery: number | null;
  readonly plugged: boolean | null;
  readonly outOfOrder: boolean;
  /** A message of the hub that nobody has put away yet. */
  readonly message: boolean;
  /** Number of the last command that was followed; 0 before the first. */
  readonly command: number;
};

export type ReportReading = Pick<HubReport, 'at' | 'since' | 'lastTapAt' | 'command'> & {
  readonly state: DeviceState;
  readonly machine: MachineReading;
};

/** The report of a device as it was read. */
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
    outOfOrder: state.outOfOrder === true,
    message: state.staffMessage != null,
  };
}

/** What of a report a person must know at once: another text is worth a report before its time. */
export function concernOf(report: HubReport): string {
  const { readers, cardService, storage, fault, pause, delivery, outOfOrder, message, command } = report;
  const asksForALook = [readers > 0, cardService, storage, fault, pause, delivery.parked];
  return JSON.stringify([...asksForALook, outOfOrder, message, command]);
}
