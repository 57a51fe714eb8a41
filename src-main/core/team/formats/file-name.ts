/** Names of files about a person. Pure. */
import type { ExportLead } from './export-lead.ts';

/** A part of a file name: the lead's name, company or id, truncated, without characters that Windows forbids. */
export function fileNameOf({ name, company, id }: Pick<ExportLead, 'name' | 'company' | 'id'>): string {
  const text = (name ?? company ?? id)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*\ufffd]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return (
    [...text]
      .slice(0, 60)
      .join('')
      .replace(/[. ]+$/u, '') || 'lead'
  );
}
