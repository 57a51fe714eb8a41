/**
 * The leads of a partner to export, read one by one from a read-only connection.
 *
 * Invariants:
 * - Only this partner's leads (docs/laws.md#law-14).
 * - Without a filter, only the current lead is in memory. A filter first reads all leads into an index in memory.
 */
import type { HotRule, LeadFilter } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import {
  createLeadSources,
  type LeadSource as LeadSourceOfJournal,
} from '../../journal/facts/lead-sources.ts';
import type { ExportLead } from '../formats/export-lead.ts';
import { leadToExport } from '../formats/lead-to-export.ts';
import type { LeadSource } from '../formats/profile.ts';
import { createWords, type WordSources } from '../formats/words.ts';
import { foldLead } from '../leads/fold.ts';
import { createLeadReader } from '../leads/lead-reader.ts';
import { recordOf } from '../leads/person.ts';

export type LeadChoice = {
  /** Partner id as the journal uses it. */
  readonly partner: string;
  /** Selects leads. Null means all. */
  readonly filter: LeadFilter | null;
  readonly rule: HotRule;
  readonly timezone: string;
  readonly words: WordSources;
};

/** Leads to export: their number, and their ids if a filter selected them. */
export type ChosenLeads = LeadSource & { readonly count: number; readonly ids: readonly string[] | null };

/** The selected leads, latest visit first. */
export function createLeadSource(
  database: Database,
  choice: LeadChoice,
  onLead: (done: number, of: number) => void,
): ChosenLeads {
  const sources = createLeadSources(database);
  const words = createWords(choice.words);
  const exported = (source: LeadSourceOfJournal): ExportLead => {
    const record = recordOf(source.person);
    return leadToExport(foldLead(source, choice.rule, { hasTimeline: false, record }), record, words);
  };
  const one = (id: string): ExportLead | null => {
    const source = sources.of(id);
    return source === null || source.partner !== choice.partner ? null : exported(source);
  };
  const { filter } = choice;
  const ids = filter === null ? null : matching(database, choice, filter);
  const count = ids?.length ?? sources.count(choice.partner);
  return {
    count,
    ids,
    one,
    all: function* () {
      let done = 0;
      const next = (): void => {
        onLead(done, count);
        done += 1;
      };
      if (ids === null) {
        for (const source of sources.all(choice.partner)) {
          next();
          yield exported(source);
        }
        return;
      }
      for (const id of ids) {
        next();
        const lead = one(id);
        if (lead !== null) yield lead;
      }
    },
  };
}

const PAGE = 200;

/** Ids of the leads that match a filter. */
function matching(database: Database, choice: LeadChoice, filter: LeadFilter): readonly string[] {
  const { partner, rule, timezone, words } = choice;
  const labels = Object.entries(words.labels).map(([id, name]) => ({ id, name, colour: null }));
  const reader = createLeadReader(database, {
    partner,
    rule,
    timezone,
    words: { labels, questions: [...words.questions], form: [...words.form] },
  });
  while (reader.read());
  const ids: string[] = [];
  for (let from: { after: string } | { position: number } | null = { position: 0 }; from !== null; ) {
    const page = reader.page({ filter, sort: 'latest', from, limit: PAGE });
    ids.push(...page.leads.map(({ id }) => id));
    from = page.next === null ? null : { after: page.next };
  }
  return ids;
}
