/**
 * What the bench knows of a device, and what it asks of the processes that devices run in.
 */

/** A device of the hub, enrolled. */
export type FleetDevice = {
  readonly id: string;
  readonly key: string;
  readonly touchpoint: string;
  readonly partner: string | null;
};

/** Where all devices of a process find their hub. */
export type Hall = {
  readonly baseUrl: string;
  readonly expoId: string;
  /** Of the key the hub signs with. */
  readonly fingerprint: string;
  /** For what a device keeps on disk. */
  readonly folder: string;
};

/** What the devices of one process did so far. */
export type Tally = {
  readonly captured: number;
  /** Handed to the hub, whatever became of it there. */
  readonly handedOver: number;
  readonly confirmed: number;
  readonly parked: number;
  /** Devices that hold a whole copy of the event. */
  readonly whole: number;
  readonly requests: number;
  /** Of these, how many the hub refused as too many at once, and how many failed otherwise. */
  readonly busy: number;
  readonly failed: number;
  /** Reports the hub answered. */
  readonly reports: number;
};

/** What a process of devices can be asked. Times are Unix milliseconds of the machine. */
export type DeviceCalls = {
  /** Starts its devices; answers when each was started, not when each has its copy. */
  readonly start: (task: { readonly hall: Hall; readonly devices: readonly FleetDevice[] }) => Promise<void>;
  readonly tally: () => Promise<Tally>;
  /** Has each device capture these many taps within `withinMs`, of badges drawn from `badges`; answers when all are captured. */
  readonly capture: (task: {
    readonly each: number;
    readonly withinMs: number;
    readonly badges: readonly string[];
  }) => Promise<void>;
  /** When each device had the label of this name in its copy; as many as have it. */
  readonly arrivals: (task: { readonly label: string }) => Promise<readonly number[]>;
  /** Milliseconds from the end of one round of a device to the end of its next, of all since this was asked last. */
  readonly rounds: () => Promise<readonly number[]>;
  readonly stop: () => Promise<void>;
};
