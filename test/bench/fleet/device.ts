/** The bench's data of a device, and its calls to the processes of devices. */

/** An enrolled device of the hub. */
export type FleetDevice = {
  readonly id: string;
  readonly key: string;
  readonly touchpoint: string;
  readonly partner: string | null;
  /** The process of the hub that it uses first, and the other processes. */
  readonly baseUrl: string;
  readonly others: readonly string[];
};

/** How all devices of a process reach the hub. */
export type Hall = {
  readonly expoId: string;
  /** Pin of the hub's key. */
  readonly pin: string;
  /** Fingerprint of the hub's signing key. */
  readonly fingerprint: string;
  /** Folder of the devices' data. */
  readonly folder: string;
};

/** Totals of the devices of one process. */
export type Tally = {
  readonly captured: number;
  /** Number of facts that the hub accepted or refused. */
  readonly handedOver: number;
  readonly confirmed: number;
  readonly parked: number;
  /** Number of devices with a complete mirror. */
  readonly whole: number;
  /** Number of modelled devices whose stream does not keep every list up to date yet. */
  readonly behind: number;
  /** Requests by path. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many of these requests the hub refused with 429, and how many failed in another way, by path and reason. */
  readonly busy: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Open streams. */
  readonly open: number;
};

/** Calls to a process of devices. Times are Unix milliseconds of the machine. */
export type DeviceCalls = {
  /** Starts the devices of the process. Returns when each was started; mirrors may still be incomplete. */
  readonly start: (task: { readonly hall: Hall; readonly devices: readonly FleetDevice[] }) => Promise<void>;
  readonly tally: () => Promise<Tally>;
  /**
   * Makes each device capture this many taps within `withinMs`, of badges drawn from `badges`. Resolves when all are
   * captured. `from`, `to`: the range of devices; by default all.
   */
  readonly capture: (task: {
    readonly each: number;
    readonly withinMs: number;
    readonly badges: readonly string[];
    readonly from?: number;
    readonly to?: number;
  }) => Promise<void>;
  /** When each device received the visitor with this last name, for the devices that did. */
  readonly arrivals: (task: { readonly visitor: string }) => Promise<readonly number[]>;
  /**
   * For all rounds since the last call: the milliseconds from the end of a device's round to the end of its next
   * round.
   */
  readonly rounds: () => Promise<readonly number[]>;
  readonly stop: () => Promise<void>;
};
