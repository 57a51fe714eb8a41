/**
 * Reads a data folder for a command: event, partner, stand, and the rule for hot leads. Read-only; may run beside the app.
 *
 * Invariant: if the partner is ambiguous, the command is refused.
 */
import { join } from 'node:path';
import type { HotRule } from '../../contract/leads.ts';
import { openReadOnly } from '../../core/foundations/store/database.ts';
import { NOBODYS, NOT_KNOWN_YET } from '../../core/journal/facts/lead-projection.ts';
import { createSettings } from '../../core/journal/facts/settings.ts';
import { plainSettings, type StandSettings } from '../../core/stand/visit/settings.ts';
import { createLeadFacts } from '../../core/team/erasure/lead-facts.ts';
import { rulesIn } from '../../core/team/leads/hot.ts';
import { demoSettings, isDemoEvent, readStandSettings } from '../../data-folder/stand-settings.ts';

export type KnownFolder = {
  readonly path: string;
  readonly event: string;
  /** The partner's id in the journal. */
  readonly partner: string;
  readonly stand: StandSettings;
  readonly rule: HotRule;
};

/**
 * Reads the folder at `path`, or returns one sentence why it cannot be used. @throws StartRefusal when a file
 * is invalid
 */
export function readKnownFolder(path: string, partner: string | null): KnownFolder | string {
  const database = openReadOnly(join(path, 'journal.db'));
  if (database === null)
    return `There is no journal at ${join(path, 'journal.db')}. Choose its folder with --data, or restore a lost journal with npm run restore.`;
  try {
    const settings = createSettings(database);
    const event = settings.get('expo') ?? '';
    const stand = readStandSettings(path) ?? (isDemoEvent(event) ? demoSettings() : plainSettings());
    const own = partner ?? ownPartner(settings.get('partner'), settings.get('touchpoint'));
    const held = createLeadFacts(database)
      .partners()
      .filter((one) => one !== NOBODYS && one !== NOT_KNOWN_YET);
    const [only, ...others] = held;
    const meant = own ?? (others.length === 0 ? (only ?? NOT_KNOWN_YET) : null);
    if (meant === null) return `This folder holds leads of ${held.join(', ')}; choose one with --partner ID.`;
    const rule = rulesIn(settings.get('hotRule'))[meant] ?? stand.hot;
    return { path, event, partner: meant, stand, rule };
  } finally {
    database.close();
  }
}

function ownPartner(partner: string | null, touchpoint: string | null): string | null {
  if (partner !== null && partner !== '') return partner;
  return touchpoint === null || touchpoint === '' ? null : NOBODYS;
}
