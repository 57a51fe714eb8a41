/**
 * The languages of the app and the typed ids of its texts.
 *
 * Invariants:
 * - English is the reference: every other catalogue has the same ids with the same arguments (tested).
 * - Only a language with a catalogue is ever chosen. The reading direction belongs to the language.
 * - Staff texts (`staff-*.json`) exist in English and German; every other language falls back to English.
 */
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import staffDe from './staff-de.json' with { type: 'json' };
import staffEn from './staff-en.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** Every text of the screens. */
export type MessageId = keyof typeof en | keyof typeof staffEn;

export type Messages = Readonly<Record<MessageId, string>>;

/** A language of the app, with its name in the language itself. */
export type Language = {
  readonly tag: string;
  readonly ownName: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: Messages;
};

/** All languages, in display order. */
export const languages: readonly [Language, ...Language[]] = [
  { tag: 'en', ownName: 'English', direction: 'ltr', messages: { ...staffEn, ...en } },
  { tag: 'de', ownName: 'Deutsch', direction: 'ltr', messages: { ...staffDe, ...de } },
  { tag: 'fr', ownName: 'Français', direction: 'ltr', messages: { ...staffEn, ...fr } },
  { tag: 'ar', ownName: 'العربية', direction: 'rtl', messages: { ...staffEn, ...ar } },
  { tag: 'es', ownName: 'Español', direction: 'ltr', messages: { ...staffEn, ...es } },
  { tag: 'nl', ownName: 'Nederlands', direction: 'ltr', messages: { ...staffEn, ...nl } },
  { tag: 'it', ownName: 'Italiano', direction: 'ltr', messages: { ...staffEn, ...it } },
  { tag: 'pt', ownName: 'Português', direction: 'ltr', messages: { ...staffEn, ...pt } },
  { tag: 'ja', ownName: '日本語', direction: 'ltr', messages: { ...staffEn, ...ja } },
  { tag: 'zh', ownName: '中文', direction: 'ltr', messages: { ...staffEn, ...zh } },
];

/**
 * The language of the first tag of `wanted` (BCP 47, in order of preference) that has a catalogue. If `among` is given,
 * it must contain the language. A region falls back to its language. English if no tag fits.
 */
export function pickLanguage(wanted: readonly string[], among?: readonly string[]): Language {
  for (const language of wanted) {
    const base = language.toLowerCase().split(/[-_]/)[0];
    const found = languages.find(({ tag }) => tag === base);
    if (found && (among === undefined || among.includes(found.tag))) return found;
  }
  return languages[0];
}
