/**
 * The languages this app speaks and the typed ids of its texts.
 *
 * Invariants: English is the measure: every other catalogue has the same ids with the same arguments (tested);
 * a language that is not here is never chosen; reading direction belongs to the language.
 */
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };

/** Every text of the screens. */
export type MessageId = keyof typeof en;

export type Messages = Readonly<Record<MessageId, string>>;

/** A language of the app, with its own name for itself. */
export type Language = {
  readonly tag: string;
  readonly ownName: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: Messages;
};

/** All languages, in the order in which they are offered. */
export const languages: readonly [Language, ...Language[]] = [
  { tag: 'en', ownName: 'English', direction: 'ltr', messages: en },
  { tag: 'de', ownName: 'Deutsch', direction: 'ltr', messages: de },
];

/** The first wish (BCP 47 tags, best first) for which there is a catalogue; regions fall back to their language. */
export function pickLanguage(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const base = wish.toLowerCase().split(/[-_]/)[0];
    const found = languages.find(({ tag }) => tag === base);
    if (found) return found;
  }
  return languages[0];
}
