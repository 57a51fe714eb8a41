/**
 * The language of the staff pages, chosen there and stored on this screen.
 *
 * Invariant: it never changes the visitor's screen.
 */
const storageKey = 'touchpoint.staff-language';

/** Languages that have every staff text (`staff-*.json`). */
export const staffLanguages: readonly string[] = ['en', 'de'];

/** The language chosen on this screen, or null. */
export function chosenStaffLanguage(memory: Storage): string | null {
  const kept = memory.getItem(storageKey);
  return kept !== null && staffLanguages.includes(kept) ? kept : null;
}

/** Stores `tag` for this screen. */
export function chooseStaffLanguage(memory: Storage, tag: string): void {
  memory.setItem(storageKey, tag);
}
