/**
 * A few settings that must survive with the journal: which event it belongs to, which touchpoint this device is.
 *
 * Invariant: no key and no personal data in here.
 */
import type { Database } from '../store/database.ts';

export const SETTING_KEYS = [
  ...['expo', 'touchpoint', 'partner', 'deviceName', 'purpose'],
  ...['content', 'activity', 'location'],
  ...['hotRule', 'lastExport', 'honoursIds', 'platformSetBack'],
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
