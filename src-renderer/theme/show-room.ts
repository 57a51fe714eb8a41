/**
 * Puts the layout room and the browser's letter size on the document, for the style sheets.
 *
 * Invariant: both are measured only when the size or a comfort setting changes.
 */
import { roomOf } from './room.ts';

/** The browser's default letter size in px. */
const usualLetters = 16;

/** Measures the page and puts its room on the document. */
export function showRoom(page: Window): void {
  const root = page.document.documentElement;
  const letters = Number.parseFloat(page.getComputedStyle(root).fontSize) / usualLetters;
  root.style.setProperty('--browser-text', String(letters));
  const unit = unitOf(page.document);
  root.dataset.room = roomOf(root.clientWidth / unit, page.innerHeight / unit);
}

/** Updates the room after every change of size. Returns the function that stops it. */
export function followRoom(page: Window): () => void {
  const show = () => showRoom(page);
  page.addEventListener('resize', show);
  show();
  return () => page.removeEventListener('resize', show);
}

/** The computed unit `--u` of this page in px. */
function unitOf(document: Document): number {
  const measure = document.createElement('div');
  measure.style.cssText = 'position: absolute; visibility: hidden; inline-size: var(--u)';
  document.documentElement.append(measure);
  const { width } = measure.getBoundingClientRect();
  measure.remove();
  return width;
}
