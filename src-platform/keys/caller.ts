/** The caller of a request: its key and the rights of the key. */
import type { Expo } from '../store/expo.ts';

/** The device of a hub to which a key belongs. */
export type CallingDevice = {
  readonly id: string;
  readonly touchpointId: string;
  readonly partnerId: string | null;
  /** The event of the device. Null while the hub does not have that event. */
  readonly expo: Expo | null;
  /** The organiser gives the device the contact details of all visitors (`src-platform/hub/narrowing.ts`). */
  readonly seesAllDetails: boolean;
  /** The key came in a device file: it is valid only for enrolment. */
  readonly onlyEnrols: boolean;
};

export type Caller = {
  readonly keyId: string;
  /** The events that the key may see. Null: all events of the organiser. */
  readonly expos: readonly string[] | null;
  /** Addresses and CIDR ranges from which the key may be used. Null: any. */
  readonly addresses: readonly string[] | null;
  readonly canWrite: boolean;
  readonly connections: boolean;
  /**
   * The exhibiting company to which the key is restricted: the key sees the company's own records and the records of
   * the event that a stand needs. Null: not restricted.
   */
  readonly partnerId: string | null;
  /** The device for which this key was made. Absent for the keys of people. */
  readonly device?: CallingDevice;
};

/** Whether the key belongs to the organiser and is valid for all events. */
export function isOrganiser(caller: Caller): boolean {
  return caller.expos === null && caller.partnerId === null;
}

/** Whether the key may see and change records of the key `owner`; records without an owner belong to the organiser. */
export function mayUse(caller: Caller, owner: string | null): boolean {
  return caller.keyId === owner || isOrganiser(caller);
}

/** Whether the key's scope includes an event (docs/interface/authentication.md#scope). */
export function mayEnter(caller: Caller, expoId: string): boolean {
  return caller.expos === null || caller.expos.includes(expoId);
}
