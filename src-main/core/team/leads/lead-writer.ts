/**
 * Writes facts of leads for the stand team.
 *
 * Invariants:
 * - `own` and `change` reach only leads of the current partner (docs/laws.md#law-14).
 * - A failed write is reported as a failure.
 */
import type { Edited, LeadDetail } from '../../../contract/leads.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import type { BadgeReference, FactContent, FactEnvelope } from '../../journal/facts/fact.ts';
import type { FactDraft, Journal } from '../../journal/facts/journal.ts';
import type { LeadSource } from '../../journal/facts/lead-sources.ts';
import { foldLead } from './fold.ts';
import { USUAL_HOT_RULE } from './hot.ts';

export type LeadWriterPorts = {
  readonly journal: Journal;
  readonly storageGuard: StorageGuard;
  /** The current place and staff of the device, as facts record them. */
  readonly place: () => Pick<FactEnvelope, 'touchpoint' | 'partner' | 'clockOffset' | 'staff'>;
  /** The current partner id as `journal.leads` uses it. */
  readonly partner: () => string;
};

type LeadWriter = {
  /** The lead with this id if it belongs to the current partner, else null. */
  readonly own: (lead: string) => LeadSource | null;
  /** Records facts, all or none. `lead`: the lead they belong to, if known. */
  readonly keep: (
    contents: readonly FactContent[],
    visitor: VisitorSnapshot | null,
    lead: string | null,
  ) => Edited;
  /** Records what `contentOf` returns for a lead. `contentOf` returns null if nothing changes. */
  readonly change: (
    lead: string,
    contentOf: (now: LeadDetail, who: BadgeReference, source: LeadSource) => FactContent | null,
  ) => Edited;
};

/** The writer of one device. */
export function createLeadWriter(ports: LeadWriterPorts): LeadWriter {
  const { journal, storageGuard } = ports;
  const own: LeadWriter['own'] = (lead) => {
    const source = journal.leadSources.of(lead);
    return source?.partner === ports.partner() ? source : null;
  };
  const keep: LeadWriter['keep'] = (contents, visitor, lead) => {
    const place = { ...ports.place(), source: 'manual' as const, reader: null };
    const drafts = contents.map((content): FactDraft => ({ ...content, ...place }));
    const done = storageGuard.attempt(() => journal.recordAll(drafts, visitor));
    if (done.kind === 'failed') return done;
    const [first] = done.result;
    if (first === undefined) return { kind: 'same' };
    const root = journal.leadSources.rootOf(lead ?? first.lead.id);
    return { kind: 'kept', factId: first.fact.id, lead: root ?? first.lead.id };
  };
  return {
    own,
    keep,
    change: (lead, contentOf) => {
      const source = own(lead);
      if (source === null) return { kind: 'unknown' };
      const content = contentOf(foldLead(source, USUAL_HOT_RULE), referenceOf(source), source);
      return content === null ? { kind: 'same' } : keep([content], null, source.id);
    },
  };
}

/** The person of a fact about a lead. */
export function referenceOf({ badge, person }: LeadSource): BadgeReference {
  return { badge, ...(person === null ? {} : { visitor: person.visitor }) };
}
