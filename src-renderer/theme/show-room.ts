/**
 * Puts the room of the page and the size of the browser's letters on the document, for the style sheets.
 *
 * Invariant: both are measured anew with every change of size and of comfort, and at no other time.
 */
import { roomOf } from './room.ts';

/** The size of letters a browser begins with, px. */
const usualLetters = 16;

/** Measures the page anew and puts its room on the document; the style sheets do the rest. */
export function showRoom(page: Window): void {
  const root = page.document.documentElement;
  const letters = Number.parseFloat(page.getComputedStyle(root).fontSize) / usualLetters;
  root.style.setProperty('--browser-text', String(letters));
  const unit = unitOf(page.document);
  root.dataset.room = roomOf(root.clientWidth / unit, page.innerHeight / unit);
}

/** Keeps the room on the document after every change of size, now and later. Returns the way to stop. */
export function followRoom(page: Window): () => void {
  const show = () => showRoom(page);
  page.addEventListener('resize', show);
  show();
  return () => page.removeEventListener('resize', show);
}

/** The unit `--u` as it came out on this page, px. */
function unitOf(document: Document): number {
  const measure = document.createElement('div');
  measure.style.cssText = 'position: absolute; visibility: hidden; inline-size: var(--u)';
  document.documentElement.append(measure);
  const { width } = measure.getBoundingClientRect();
  measure.remove();
  return width;
}
