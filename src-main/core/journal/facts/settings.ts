/**
 * Settings that must survive with the journal, such as its event and the touchpoint of this device.
 *
 * Invariant: settings contain no key and no personal data.
 */
import { z } from 'zod';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { Database } from '../../foundations/store/database.ts';

const partnersSchema = z.array(z.string());

export const SETTING_KEYS = [
  ...['expo', 'touchpoint', 'partner', 'deviceName', 'purpose'],
  ...['content', 'activity', 'location'],
  ...['hotRule', 'targets', 'lastExport', 'keptSealed', 'honoursIds', 'platformSetBack'],
  // Name of the hub, and the data that it sent to this device (`core/delivery/hub/commands.ts`).
  ...['box', 'teamCursor', 'teamUndos', 'boxCommand', 'boxMessage', 'outOfOrder'],
] as const;
export type SettingKey = (typeof SETTING_KEYS)[number];

export type SettingValues = { readonly [Key in SettingKey]?: string };

export type Settings = {
  readonly get: (key: SettingKey) => string | null;
  readonly set: (key: SettingKey, value: string) => void;
  /** Sets several settings in one commit: all or none. */
  readonly setAll: (values: SettingValues) => void;
  readonly all: () => ReadonlyMap<string, string>;
};

/** Settings in the journal's `setting` table. */
export function createSettings(database: Database): Settings {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM setting WHERE key = ?');
  const every = database.prepare<[], { key: string; value: string }>('SELECT key, value FROM setting');
  const write = database.prepare(
    'INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const set = (key: string, value: string): void => {
    if (read.get(key)?.value !== value) write.run(key, value);
  };
  const setAll = database.transaction((values: SettingValues) => {
    for (const [key, value] of Object.entries(values)) set(key, value);
  });
  return {
    get: (key) => read.get(key)?.value ?? null,
    set,
    setAll: (values) => setAll(values),
    all: () => new Map(every.all().map((row) => [row.key, row.value])),
  };
}

/** Partners whose leads stay sealed on this device, as staff decided. */
export function sealedKept({ get }: Pick<Settings, 'get'>): readonly string[] {
  const kept = partnersSchema.safeParse(parseOrUndefined(get('keptSealed') ?? '[]'));
  return kept.success ? kept.data : [];
}

/**
 * Stores that the leads of `partner` stay sealed. The decision is valid while `present` is the partner of the device;
 * after that staff are asked again.
 */
export function keepSealed(settings: Settings, partner: string, present: string): void {
  const others = sealedKept(settings).filter((one) => one !== partner && one !== present);
  settings.set('keptSealed', JSON.stringify([...others, partner]));
}
