/**
 * The language the team reads behind the stand, chosen there and kept on this screen.
 *
 * Invariant: the visitor's screen never follows it.
 */
const storageKey = 'touchpoint.staff-language';

/** Languages that have every text of the staff pages (`staff-*.json`). */
export const staffLanguages: readonly string[] = ['en', 'de'];

/** The language that was chosen on this screen, or null. */
export function chosenStaffLanguage(memory: Storage): string | null {
  const kept = memory.getItem(storageKey);
  return kept !== null && staffLanguages.includes(kept) ? kept : null;
}

/** Keeps `tag` for this screen. */
export function chooseStaffLanguage(memory: Storage, tag: string): void {
  memory.setItem(storageKey, tag);
}
