/**
 * Phones paired with this device, and the codes that pair them: `phones.json` in the data folder.
 *
 *     code on the laptop's screen ─► scanned once ─► cookie for the day ─► revoked, or midnight
 *
 * Invariants:
 * - A code works once, for five minutes; a new code ends the previous one. It is in memory only.
 * - A phone has access until the midnight after its pairing, by this device's clock and never by the phone's. It also
 *   loses access when its member leaves the team, or when the device works for another partner (docs/laws.md#law-14).
 * - The file holds hashes of cookies. No backup contains it, so restoring one never admits a revoked phone. A damaged
 *   file admits none.
 * - After ten wrong codes within a minute from one address every code from there is refused for the rest of the minute.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type PhoneKind, phoneKindSchema } from '../contract/phones.ts';
import type { Clock, Log, Random } from '../core/foundations/ports.ts';
import { writeWhole } from '../device-setup/whole-file.ts';
import { fingerprint, isEqual, secret } from '../shell-browser/sessions.ts';

const CODE_MS = 5 * 60_000;
const MOST_WRONG = 10;
const REST_MS = 60_000;

const phoneSchema = z.object({
  id: z.string(),
  /** Hash of its cookie. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Id of the member who uses it. */
  member: z.string(),
  partner: z.string(),
  kind: phoneKindSchema,
  pairedAt: z.number(),
  until: z.number(),
});

const recordSchema = z.object({
  version: z.literal(1),
  /** Null if switched off. */
  open: z.object({ port: z.number(), until: z.number() }).nullable(),
  phones: z.array(phoneSchema),
});

export type PairedPhone = z.infer<typeof phoneSchema>;
type PhonesRecord = z.infer<typeof recordSchema>;

export type Pairing = {
  /** The port of the server for phones, and until when it is switched on. Null while it is off. */
  readonly open: () => PhonesRecord['open'];
  /** Stores that the server is switched on until midnight, or off (null), which ends the access of every phone. */
  readonly keepOpen: (port: number | null) => void;
  /** A new code, which pairs a phone of this member. */
  readonly issue: (member: string) => string;
  /**
   * Pairs the phone at an address. `again`: the phone was already paired, and this pairing replaces the earlier one.
   */
  readonly exchange: (
    code: string,
    from: string,
    kind: PhoneKind,
    again: PairedPhone | null,
  ) => { readonly cookie: string; readonly phone: PairedPhone } | 'wrong' | 'wait';
  /** The phone of the first valid one of these cookies, or null. */
  readonly authenticate: (cookies: readonly string[]) => PairedPhone | null;
  /** The phones that have access now. */
  readonly phones: () => readonly PairedPhone[];
  readonly revoke: (id: string) => void;
  /** Whether the last change is on the disk. If it is not, the change is lost when the app ends. */
  readonly isKept: () => boolean;
};

type PairingPorts = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly random: Pick<Random, 'bytes'>;
  readonly log: Log;
  readonly folder: string;
  readonly isMember: (member: string) => boolean;
  /** The partner that the device works for now. */
  readonly partner: () => string;
};

/** The pairing of one data folder. */
export function createPairing({ clock, random, log, folder, isMember, partner }: PairingPorts): Pairing {
  const path = join(folder, 'phones.json');
  let record = readRecord(path, log);
  let code: { readonly hash: string; readonly member: string; readonly until: number } | null = null;
  /** Wrong codes of the current minute, by address. */
  let wrong = { from: new Map<string, number>(), since: Number.NEGATIVE_INFINITY };

  let isKept = true;

  const change = (next: Partial<PhonesRecord>): void => {
    record = { ...record, ...next };
    try {
      writeWhole(path, JSON.stringify(record));
      isKept = true;
    } catch (error) {
      // A revoked phone stays revoked until the app ends. The page reports this.
      isKept = false;
      log.warn('the paired phones could not be written', { error: String(error) });
    }
  };
  const isValid = (phone: PairedPhone): boolean =>
    clock.now() < phone.until && phone.partner === partner() && isMember(phone.member);
  const without = (id: string) => record.phones.filter((phone) => phone.id !== id);

  return {
    open: () => (record.open !== null && clock.now() < record.open.until ? record.open : null),
    keepOpen: (port) =>
      change(
        port === null ? { open: null, phones: [] } : { open: { port, until: midnightAfter(clock.now()) } },
      ),
    issue: (member) => {
      const token = secret(random);
      code = { hash: fingerprint(token), member, until: clock.monotonic() + CODE_MS };
      return token;
    },
    exchange: (token, from, kind, again) => {
      const now = clock.monotonic();
      if (now - wrong.since >= REST_MS) wrong = { from: new Map(), since: now };
      const tried = wrong.from.get(from) ?? 0;
      if (tried >= MOST_WRONG) return 'wait';
      if (code === null || now >= code.until || !isEqual(code.hash, fingerprint(token))) {
        wrong.from.set(from, tried + 1);
        return 'wrong';
      }
      const { member } = code;
      code = null;
      const cookie = secret(random);
      const phone: PairedPhone = {
        id: Buffer.from(random.bytes(8)).toString('hex'),
        hash: fingerprint(cookie),
        member,
        partner: partner(),
        kind,
        pairedAt: clock.now(),
        until: midnightAfter(clock.now()),
      };
      change({ phones: [...without(again?.id ?? '').filter(isValid), phone] });
      return { cookie, phone };
    },
    authenticate: (cookies) => {
      const hashes = cookies.map(fingerprint);
      const known = (phone: PairedPhone) => hashes.some((hash) => isEqual(phone.hash, hash));
      return record.phones.find((phone) => known(phone) && isValid(phone)) ?? null;
    },
    phones: () => record.phones.filter(isValid),
    revoke: (id) => change({ phones: without(id) }),
    isKept: () => isKept,
  };
}

function readRecord(path: string, log: Log): PhonesRecord {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) log.warn('the paired phones could not be read; each must be paired again');
    return { version: 1, open: null, phones: [] };
  }
}

/** The end of the day that contains this time, in the device's time zone. */
function midnightAfter(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}
