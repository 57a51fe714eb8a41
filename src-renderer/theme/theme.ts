/**
 * Theme, partner colour and comfort settings, applied to the document.
 *
 * Invariants:
 * - The theme is stored on the device. Comfort settings are never stored.
 * - The partner's colour is made readable first, with more contrast in high contrast.
 */
import type { ScreenSetup } from '../../src-main/contract/stand.ts';
import { brandRoles } from './brand.ts';
import { showRoom } from './show-room.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';

const storageKey = 'touchpoint.theme';

/** The theme stored on this device. */
export function chosenTheme(memory: Storage): ThemeChoice {
  const kept = memory.getItem(storageKey);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Sets and stores the theme of this device. */
export function chooseTheme(page: Window, choice: ThemeChoice): void {
  page.localStorage.setItem(storageKey, choice);
  showTheme(page);
}

/** Applies the theme, and follows the system if the user chose that. Returns the function that stops it. */
export function followTheme(page: Window): () => void {
  const system = page.matchMedia('(prefers-color-scheme: dark)');
  const show = () => showTheme(page);
  system.addEventListener('change', show);
  show();
  return () => system.removeEventListener('change', show);
}

/** Applies the partner's `colour` (`#rrggbb`), made readable in both themes. Null restores our own colour. */
export function showBrand(page: Window, colour: string | null): void {
  const root = page.document.documentElement;
  if (colour) root.dataset.brand = colour;
  else delete root.dataset.brand;
  showTheme(page);
}

/**
 * Puts reach, contrast and text size on the document, for the style sheets (comfort.css). Returns the function that
 * removes them.
 */
export function showComfort(
  page: Window,
  comfort: Pick<ScreenSetup, 'reach' | 'contrast' | 'text'>,
): () => void {
  const { dataset } = page.document.documentElement;
  Object.assign(dataset, comfort);
  showTheme(page);
  showRoom(page);
  return () => {
    for (const name of ['reach', 'contrast', 'text']) delete dataset[name];
    showTheme(page);
    showRoom(page);
  };
}

/** Reports whether the system asks for more contrast, now and after every change. Returns the function that stops it. */
export function followContrast(page: Window, hear: (more: boolean) => void): () => void {
  const system = page.matchMedia('(prefers-contrast: more)');
  const tell = () => hear(system.matches);
  system.addEventListener('change', tell);
  tell();
  return () => system.removeEventListener('change', tell);
}

function showTheme(page: Window): void {
  const root = page.document.documentElement;
  const choice = chosenTheme(page.localStorage);
  const dark =
    choice === 'dark' || (choice === 'system' && page.matchMedia('(prefers-color-scheme: dark)').matches);
  const theme = dark ? 'dark' : 'light';
  root.dataset.theme = theme;
  const contrast = root.dataset.contrast === 'high' ? 'high' : 'usual';
  const roles = root.dataset.brand ? brandRoles(root.dataset.brand, theme, contrast) : null;
  setRole(root, '--brand', roles?.brand);
  setRole(root, '--brand-soft', roles?.soft);
  setRole(root, '--brand-fill', roles?.fill);
  setRole(root, '--on-brand', roles?.ink);
}

function setRole(root: HTMLElement, role: string, value: string | undefined): void {
  if (value) root.style.setProperty(role, value);
  else root.style.removeProperty(role);
}
