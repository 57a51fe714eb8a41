/**
 * Photos and voice notes of leads: kept as files, named by facts, read back.
 *
 * Invariants:
 * - Files are stored and read only for leads of the current partner (docs/laws.md#law-14).
 * - The file is on disk before its fact is recorded. If the fact is not recorded, the file is removed again.
 * - Only the pixels of a picture are kept. A voice note is kept as the browser recorded it.
 * - The visitor's voice is kept only with the visitor's agreement.
 * - If the free disk space is known, files do not use the part that is reserved for taps.
 */
import { LARGEST_VOICE_BYTES, LONGEST_VOICE_MS } from '../../../contract/attachment-limits.ts';
import type { AttachmentRefusal } from '../../../contract/attachments.ts';
import type { Edited } from '../../../contract/leads.ts';
import type { DrawPicture } from '../../event/pictures/pictures.ts';
import type { Database } from '../../foundations/store/database.ts';
import { type AttachmentFiles, namedFiles } from '../../journal/attachments/attachment-files.ts';
import type { Attachment } from '../../journal/facts/fact.ts';
import { attachmentIn } from './lead-fields.ts';
import { createLeadWriter, type LeadWriterPorts } from './lead-writer.ts';

type Kept = Edited | { readonly kind: 'refused'; readonly reason: AttachmentRefusal };

export type LeadAttachments = {
  /** Re-encodes a picture file and stores it with a lead. */
  readonly photo: (lead: string, source: Uint8Array | null) => Promise<Kept>;
  /** Stores a recording of `ms` milliseconds with a lead. */
  readonly voice: (
    lead: string,
    recording: Uint8Array | null,
    said: { readonly ms: number; readonly of: 'team' | 'visitor'; readonly agreed: boolean },
  ) => Kept;
  /** The file that a fact names. Null if it is missing here, damaged, undone, or of another partner. */
  readonly read: (
    factId: string,
  ) => { readonly type: 'image/webp' | 'audio/webm'; readonly bytes: Uint8Array } | null;
  /** Number and bytes of the current partner's files on this device. */
  readonly sum: () => { readonly files: number; readonly bytes: number };
};

export type LeadAttachmentsPorts = LeadWriterPorts & {
  readonly files: AttachmentFiles;
  readonly database: () => Database;
  readonly draw: DrawPicture;
  readonly newId: () => string;
  /** Free bytes of the disk. Null if unknown. */
  readonly freeBytes: () => number | null;
};

/** With less free space than this, a file is refused, because taps and their backups need the space. */
export const ROOM_FOR_TAPS = 500_000_000;

/** First bytes of a Matroska or WebM file (RFC 8794, section 11.2.1). */
const EBML = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
/** Tolerance, because a recorder stops a moment after the limit. */
const LONGER_BY_MS = 5_000;

/** The attachments of one device. */
export function createLeadAttachments(ports: LeadAttachmentsPorts): LeadAttachments {
  const { journal, files, storageGuard } = ports;
  const { own, change } = createLeadWriter(ports);

  const keep = (lead: string, about: Pick<Attachment, 'kind' | 'ms' | 'agreed'>, bytes: Uint8Array): Kept => {
    if (own(lead) === null) return { kind: 'unknown' };
    const free = ports.freeBytes();
    if (free !== null && free - bytes.length < ROOM_FOR_TAPS) return { kind: 'refused', reason: 'noRoom' };
    const file = `${ports.newId()}.${about.kind === 'photo' ? 'webp' : 'webm'}`;
    const written = storageGuard.attempt(() => files.keep(file, bytes));
    if (written.kind === 'failed') return written;
    const attachment: Attachment = { ...about, file, sha256: written.result, bytes: bytes.length };
    const kept = change(lead, (_now, who) => ({ kind: 'note', payload: { ...who, fields: { attachment } } }));
    if (kept.kind !== 'kept') files.remove([file]);
    return kept;
  };

  return {
    photo: async (lead, source) => {
      if (own(lead) === null) return { kind: 'unknown' };
      if (source === null) return { kind: 'refused', reason: 'lost' };
      const drawn = await ports.draw(source);
      if (typeof drawn === 'string') return { kind: 'refused', reason: 'notPicture' };
      return keep(lead, { kind: 'photo' }, drawn.large.bytes);
    },
    voice: (lead, recording, { ms, of, agreed }) => {
      if (recording === null) return { kind: 'refused', reason: 'lost' };
      if (of === 'visitor' && !agreed) return { kind: 'refused', reason: 'notAgreed' };
      if (ms > LONGEST_VOICE_MS + LONGER_BY_MS || recording.length > LARGEST_VOICE_BYTES)
        return { kind: 'refused', reason: 'tooLong' };
      if (!EBML.equals(recording.subarray(0, EBML.length))) return { kind: 'refused', reason: 'notSound' };
      return keep(lead, { kind: 'voice', ms, ...(of === 'visitor' ? { agreed: true } : {}) }, recording);
    },
    read: (factId) => {
      const fact = journal.fact(factId);
      const lead = fact === null ? null : journal.leads.ofFact(fact.seq);
      const source = lead === null ? null : own(lead.id);
      const known = source?.facts.find(({ id, undone }) => id === factId && !undone);
      const attachment = attachmentIn(known?.payload?.fields);
      if (attachment === null) return null;
      const bytes = files.read(attachment.file, attachment.sha256);
      return bytes === null ? null : { type: TYPES[attachment.kind], bytes };
    },
    sum: () => {
      const here = new Set(files.names());
      const named = namedFiles(ports.database(), ports.partner());
      let bytes = 0;
      let count = 0;
      for (const { file, size } of named) {
        if (!here.has(file)) continue;
        count += 1;
        bytes += size;
      }
      return { files: count, bytes };
    },
  };
}

const TYPES = { photo: 'image/webp', voice: 'audio/webm' } as const;
