/**
 * Name and state of the focused control, for the voice.
 *
 * Invariant: it returns what a screen reader would say, in the words on the screen. Empty if the element is not a
 * control.
 */
import type { Say } from './spoken.ts';

/** The spoken text for `element` when it gets the focus; empty if it is not a control. */
export function focusText(element: Element, say: Say): string {
  if (!element.matches('button, a[href], input, textarea, [role="button"], [tabindex="0"]')) return '';
  const name = nameOf(element);
  if (!name) return '';
  const on = stateOf(element);
  return on === null ? name : say.text(on ? 'speech.selected' : 'speech.notSelected', { name });
}

function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const label = labels.map((one) => one.textContent).join(' ');
  const written = element instanceof HTMLInputElement ? element.value : element.textContent;
  const typed = element instanceof HTMLInputElement && element.type !== 'checkbox' ? ` ${element.value}` : '';
  const name = element.getAttribute('aria-label') ?? (label ? `${label}${typed}` : written);
  return name.replace(/\s+/g, ' ').trim();
}

/** Whether a toggle is on; null for other controls. */
function stateOf(element: Element): boolean | null {
  if (element instanceof HTMLInputElement && element.type === 'checkbox') return element.checked;
  const said = element.getAttribute('aria-pressed') ?? element.getAttribute('aria-checked');
  return said === null ? null : said === 'true';
}
