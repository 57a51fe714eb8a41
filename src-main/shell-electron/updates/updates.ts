/**
 * Updates of an AppImage: looked for, fetched, checked, put in place at a quiet time; off unless a start asks for them.
 *
 * ```
 *   quiet? ─► offered? newer, signed, for this device? ─► fetched, whole? ─► still quiet? ─► backup ─► in place ─► started anew
 * ```
 *
 * Invariants: the core says whether it is quiet, before anything is fetched and again before anything is replaced; a backup
 * of the journal is made before; what goes wrong leaves the app as it is.
 */
import {
  isWhole,
  type Moment,
  refusalOf,
  type TakeRefusal,
  type Wait,
  waitOf,
} from '../policies/update-policy.ts';
import { dropStaged, measure, replaceProgram, stageProgram } from './app-image.ts';
import { type OfferedFile, readOffer } from './signed-offer.ts';
import { readUpdateRecord, type UpdateRecord, writeUpdateRecord } from './update-record.ts';

/** Whoever finds and fetches. */
export type ShellUpdater = {
  /** What the feed says is the newest, however old; null: nothing. @throws where it cannot be asked */
  readonly offered: () => Promise<unknown>;
  /** Fetches what was offered last: the path of it; null where it is not what the feed says. @throws what the network says */
  readonly fetch: () => Promise<string | null>;
};

/** What the core has to do with it; null: it does not answer. */
export type UpdateCore = {
  readonly moment: () => Promise<Moment | null>;
  /** Makes a backup; `schema`: version of the journal's tables. Null: there is none. */
  readonly backUp: () => Promise<{ readonly schema: number | null } | null>;
};

export type UpdatesPorts = {
  readonly updater: ShellUpdater;
  readonly core: UpdateCore;
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Folder of the shell's own files. */
  readonly folder: string;
  /** The AppImage this app runs from. */
  readonly program: string;
  readonly version: string;
  /** The key updates are signed with; null: this build knows none. */
  readonly key: string | null;
};

export type UpdateOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'waits'; readonly why: Wait | 'core' }
  | {
      readonly kind: 'refused';
      readonly why: TakeRefusal | 'malformed' | 'notWhole' | 'noBackup';
      readonly version: string | null;
    }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'placed'; readonly version: string };

/** Looks once. Never rejects. */
export async function lookForUpdate(ports: UpdatesPorts): Promise<UpdateOutcome> {
  try {
    return await look(ports);
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message.slice(0, 300) : 'unknown' };
  }
}

async function look(ports: UpdatesPorts): Promise<UpdateOutcome> {
  const { updater, folder, version } = ports;
  const before = await waitNow(ports);
  if (before !== null) return { kind: 'waits', why: before };
  const record = readUpdateRecord(folder) ?? newRecord(ports);
  writeUpdateRecord(folder, record);
  const offered = await updater.offered();
  if (offered === null) return { kind: 'none' };
  const offer = readOffer(offered, ports.key);
  if (offer === null) return { kind: 'refused', why: 'malformed', version: null };
  if (offer.version === version) return { kind: 'none' };
  const why = refusalOf(offer, { version, number: record.number, failed: record.failed });
  if (why !== null) return { kind: 'refused', why, version: offer.version };
  const file = await updater.fetch();
  if (file === null) return { kind: 'refused', why: 'notWhole', version: offer.version };
  const staged = stageProgram(ports.program, file);
  try {
    return await putInPlace(ports, record, { version: offer.version, file: offer.file, staged });
  } finally {
    dropStaged(ports.program);
  }
}

type Staged = { readonly version: string; readonly file: OfferedFile; readonly staged: string };

/** What lies beside the program becomes it, where it is whole, a backup is there and it is still quiet. */
async function putInPlace(
  ports: UpdatesPorts,
  record: UpdateRecord,
  { version, file, staged }: Staged,
): Promise<UpdateOutcome> {
  const { core, folder } = ports;
  if (!isWhole(await measure(staged), file)) return { kind: 'refused', why: 'notWhole', version };
  const backup = await core.backUp();
  if (backup === null) return { kind: 'refused', why: 'noBackup', version };
  const after = await waitNow(ports);
  if (after !== null) return { kind: 'waits', why: after };
  const trying = { to: version, from: ports.version, schema: backup.schema };
  writeUpdateRecord(folder, { ...record, trying });
  replaceProgram(ports.program, folder);
  return { kind: 'placed', version };
}

async function waitNow({ core, now }: UpdatesPorts): Promise<Wait | 'core' | null> {
  const moment = await core.moment();
  return moment === null ? 'core' : waitOf(moment, now());
}

function newRecord({ random }: UpdatesPorts): UpdateRecord {
  return { number: Math.floor(random() * 100), trying: null, failed: null };
}
