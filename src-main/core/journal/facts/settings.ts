/**
 * A few settings that must survive with the journal: which event it belongs to, which touchpoint this device is.
 *
 * Invariant: no key and no personal data in here.
 */
import { z } from 'zod';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Database } from '../../foundations/store/database.ts';

const partnersSchema = z.array(z.string());

export const SETTING_KEYS = [
  ...['expo', 'touchpoint', 'partner', 'deviceName', 'purpose'],
  ...['content', 'activity', 'location'],
  ...['hotRule', 'lastExport', 'keptSealed', 'honoursIds', 'platformSetBack'],
  // What the hub in the hall is called, and what it told this device (`core/delivery/hub/commands.ts`).
  ...['box', 'teamCursor', 'teamUndos', 'boxCommand', 'boxMessage', 'outOfOrder'],
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];

export type Settings = {
  readonly get: (key: SettingKey) => string | null;
  readonly set: (key: SettingKey, value: string) => void;
  readonly all: () => ReadonlyMap<string, string>;
};

/** Settings over the journal's `setting` table. */
export function createSettings(database: Database): Settings {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM setting WHERE key = ?');
  const every = database.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting');
  const write = database.prepare(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    get: (key) => read.get(key)?.value ?? null,
    set: (key, value) => {
      if (read.get(key)?.value !== value) write.run(key, value);
    },
    all: () => new Map(every.all().map((row) => [row.key, row.value])),
  };
}

/** Partners whose leads somebody decided to keep sealed on this device. */
export function sealedKept({ get }: Pick<Settings, 'get'>): readonly string[] {
  const kept = partnersSchema.safeParse(parseOrUndefined(get('keptSealed') ?? '[]'));
  return kept.success ? kept.data : [];
}

/** Keeps the leads of `partner` sealed. Whoever is `present` is asked about anew when another partner comes after them. */
export function keepSealed(settings: Settings, partner: string, present: string): void {
  const others = sealedKept(settings).filter((one) => one !== partner && one !== present);
  settings.set('keptSealed', JSON.stringify([...others, partner]));
}
