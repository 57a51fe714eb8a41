/**
 * The tables of the platform, as types for Kysely.
 *
 * One table holds the records of every resource. A record is JSON text; the other columns are the ones by which lists
 * filter and sort. So a page of any list is one index range and a concatenation.
 *
 * Invariants
 * - `revision` is a 64-bit integer and always a `bigint` in this process, never a number.
 * - `basic` is the record in its list form without its revision; `detail` holds the properties that only the single
 *   read adds, or null when there are none.
 */
export type RecordTable = {
  readonly kind: string;
  readonly id: string;
  /** The event, or the empty text for records of the whole organisation (registration types). */
  readonly expo_id: string;
  readonly revision: bigint;
  /** 1 if deleted; compared only in SQL, because the two databases return integers differently. */
  readonly deleted: number;
  readonly partner_id: string | null;
  readonly visitor_id: string | null;
  readonly content_id: string | null;
  readonly location_id: string | null;
  readonly contact_id: string | null;
  readonly reference: string | null;
  readonly state: string | null;
  readonly category: string | null;
  readonly basic: string;
  readonly detail: string | null;
  /** The key that created and owns the record (webhooks), or null for records of the event. */
  readonly key_id: string | null;
};

export type CounterTable = { readonly value: bigint };

export type BadgeTable = { readonly expo_id: string; readonly code: string; readonly visitor_id: string };

/** An earlier owner of a badge; `until` is the ISO 8601 time at which the visitor lost it. */
export type BadgePastTable = BadgeTable & { readonly until: string };

/** One item of `POST /actions`. It is kept for ever, so that a resend does no harm. */
export type FactTable = {
  readonly expo_id: string;
  readonly id: string;
  readonly hash: string;
  readonly kind: string;
  readonly at: string;
  readonly seq: bigint;
  readonly touchpoint_id: string | null;
  readonly partner_id: string | null;
  readonly visitor_id: string | null;
  readonly content_id: string | null;
  readonly activity_id: string | null;
  readonly location_id: string | null;
  readonly badge: string | null;
  readonly source: string;
  readonly staff: string | null;
  readonly fields: string | null;
  readonly undoes: string | null;
  readonly undone: number;
  readonly action_id: string | null;
  readonly revision: bigint;
};

export type KeyTable = {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  /** JSON list of event ids, or null for all events of the organiser. */
  readonly expos: string | null;
  /** JSON list of addresses and CIDR ranges, or null for any address. */
  readonly addresses: string | null;
  readonly can_write: number;
  readonly connections: number;
  readonly partner_id: string | null;
  readonly expires: string | null;
  readonly created: string;
  readonly revoked: string | null;
};

/** The position of a webhook's consumer in one list: `seen` was read, and `mark` was acknowledged. */
export type WebhookMarkTable = {
  readonly webhook_id: string;
  readonly kind: string;
  readonly seen: bigint;
  readonly mark: bigint;
};

/** The state of a webhook's notification round; times are epoch milliseconds. */
export type WebhookDeliveryTable = {
  readonly webhook_id: string;
  readonly expo_id: string;
  /** 1 while the webhook is enabled and in state `wait`. */
  readonly open: number;
  /** Calls of this round that failed. */
  readonly failed: number;
  readonly started: bigint | null;
  readonly due: bigint | null;
  readonly claim: string | null;
  readonly claimed_until: bigint | null;
  /** The target was notified of everything up to this revision and did not read it. */
  readonly told: bigint;
};

/**
 * An item that the hub accepts and forwards: its original text and its delivery state at the platform behind the hub.
 */
export type HubFactTable = {
  readonly expo_id: string;
  readonly id: string;
  /** In the order of acceptance. */
  readonly seq: bigint;
  readonly hash: string;
  readonly kind: string;
  readonly item: string;
  readonly device_id: string | null;
  readonly touchpoint_id: string | null;
  readonly partner_id: string | null;
  readonly received: string;
  /** Another device that sent the same item, or null. */
  readonly other_device_id: string | null;
  readonly state: string;
  readonly changed: string;
  readonly attempts: bigint;
  readonly reason: string | null;
  readonly action_id: string | null;
  /** Revision of its action at the platform, once known. */
  readonly revision: bigint | null;
  readonly since_revision: bigint | null;
  readonly repeated: number;
  /** Pseudonym hashes of the item's badge and visitor (`hub/forgotten.ts`). Null: none, or erased. */
  readonly badge_mark: string | null;
  readonly visitor_mark: string | null;
  /** The fact that it undoes. */
  readonly undoes: string | null;
  /** 0: accepted before the three columns above existed. */
  readonly has_lookup: number;
};

/** A device at the hub; keys are stored only as hashes. */
export type DeviceTable = {
  readonly id: string;
  readonly expo_id: string;
  readonly name: string;
  readonly touchpoint_id: string;
  readonly partner_id: string | null;
  /** Hash of the enrolment key, valid once. */
  readonly enrol_hash: string;
  readonly enrol_until: string;
  /** Hash of the key that the device created. Null until it is enrolled. */
  readonly key_hash: string | null;
  readonly created: string;
  readonly enrolled: string | null;
  readonly revoked: string | null;
  /** Its latest report as JSON, and when it arrived. */
  readonly report: string | null;
  readonly reported: string | null;
  /** 1: the device gets the contact details of all visitors. */
  readonly all_details: number;
};

/** A command of the hub to one of its devices. It is stored until the device executed it or it expired. */
export type DeviceCommandTable = {
  readonly device_id: string;
  readonly number: bigint;
  readonly kind: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly expires: bigint;
};

/**
 * From which text at the platform a record was made. `hash`: of its list form. `detailed`: hash of the list form whose
 * details were read.
 */
export type CopiedTable = {
  readonly kind: string;
  readonly id: string;
  readonly hash: string;
  readonly detailed: string | null;
};

/** Which of several hubs on one database is active: one row, `slot` 1. Times in epoch milliseconds of the database. */
export type HubLeaseTable = {
  readonly slot: number;
  readonly holder: string;
  readonly name: string;
  readonly term: bigint;
  readonly until: bigint;
};

/** A request of a device to forget a person, for the other devices of its partner (`hub/forget.ts`). */
export type ForgettingTable = {
  readonly expo_id: string;
  readonly id: string;
  /** Numbered in one sequence with the facts. */
  readonly seq: bigint;
  readonly partner_id: string;
  readonly device_id: string;
  readonly told: string;
};

/** Entries that are never accepted again: a fact with this id, or statements about a person up to the time `at`. */
export type ForgottenTable = {
  readonly expo_id: string;
  readonly partner_id: string;
  readonly mark: string;
  readonly at: string | null;
  /** 1 for a badge whose visitor was unknown. */
  readonly alone: number;
};

export type HubSettingTable = { readonly name: string; readonly value: string };

/** A set-up for devices, by the SHA-256 of its text. */
export type HubStandTable = { readonly sha256: string; readonly text: string };

/** A destination of a partner's leads. `sealed`: its token, encrypted with a key that is not in the database. */
export type HubDestinationTable = {
  readonly id: string;
  readonly partner_id: string;
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly sealed: string;
};

export type EmailTable = { readonly visitor_id: string; readonly type: string; readonly sent_at: string };

export type Tables = {
  readonly schema_version: { readonly version: number };
  readonly counter: CounterTable;
  readonly record: RecordTable;
  readonly badge: BadgeTable;
  readonly badge_past: BadgePastTable;
  readonly fact: FactTable;
  readonly api_key: KeyTable;
  readonly webhook_mark: WebhookMarkTable;
  readonly webhook_delivery: WebhookDeliveryTable;
  readonly email: EmailTable;
  readonly relay_fact: HubFactTable;
  readonly device: DeviceTable;
  readonly device_command: DeviceCommandTable;
  readonly copied: CopiedTable;
  readonly box_setting: HubSettingTable;
  readonly box_stand: HubStandTable;
  readonly hub_destination: HubDestinationTable;
  readonly box_lease: HubLeaseTable;
  readonly forgetting: ForgettingTable;
  readonly forgotten: ForgottenTable;
};
