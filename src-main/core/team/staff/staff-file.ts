/**
 * The stored data of the stand team: `staff.json` in the data folder, readable by this user only.
 *
 * Invariants:
 * - Written to a temporary file, synced and renamed, so that a power cut leaves the old or the new file.
 * - The file is read again when it was replaced, so a PIN that the technician's command sets takes effect at once.
 * - A damaged file grants no access.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { keptPinSchema } from './pin.ts';

const badgeSchema = z.object({
  id: z.string(),
  /** Every code on the badge. */
  codes: z.array(z.string()).min(1),
  addedAt: z.number(),
});

const staffRecordSchema = z.object({
  version: z.literal(1),
  pin: keptPinSchema.nullable(),
  technicianPin: keptPinSchema.nullable(),
  /** Wrong PINs in a row. */
  failures: z.number().int().min(0),
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().default(''),
      badges: z.array(badgeSchema),
    }),
  ),
});

export type StaffRecord = z.infer<typeof staffRecordSchema>;
export type StaffMember = StaffRecord['members'][number];

export type StaffFile = {
  /** The stored record. Empty without a file. */
  readonly read: () => StaffRecord | 'damaged';
  /** @throws the disk's error */
  readonly write: (record: StaffRecord) => void;
};

/** A team without members and without a PIN. */
export const emptyRecord: StaffRecord = {
  version: 1,
  pin: null,
  technicianPin: null,
  failures: 0,
  members: [],
};

/** The file of a data folder. */
export function createStaffFile(folder: string): StaffFile {
  const path = join(folder, 'staff.json');
  let latest: { readonly version: string; readonly found: StaffRecord | 'damaged' } | null = null;
  return {
    read: () => {
      try {
        const stats = statSync(path, { throwIfNoEntry: false });
        if (stats === undefined) return emptyRecord;
        const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
        if (latest?.version !== version) latest = { version, found: readRecord(path) };
        return latest.found;
      } catch {
        // A disk error must not stop a tap. The journal reports the fault.
        return latest?.found ?? 'damaged';
      }
    },
    write: (record) => {
      const file = openSync(`${path}.new`, 'w', 0o600);
      try {
        writeSync(file, JSON.stringify(record, null, 2));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.new`, path);
    },
  };
}

/** An unreadable or invalid file counts as damaged. */
function readRecord(path: string): StaffRecord | 'damaged' {
  try {
    return staffRecordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return 'damaged';
  }
}
