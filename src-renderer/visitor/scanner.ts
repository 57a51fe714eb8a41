/**
 * Listens to the keyboard for a scanner (wedge.ts decides) and hands its codes on.
 *
 * Invariants: one timer; keys of a scanner reach neither a button nor a field; the first characters, which came
 * before it was known, are taken out of the field they fell into.
 */
import { emptyWedge, scannerFrom, wedgeKey, wedgeQuiet, wedgeTimes } from './wedge.ts';

/** Starts listening on `page`; calls `found` with each code. Returns the way to stop. */
export function listenForScanner(page: Window, now: () => number, found: (code: string) => void): () => void {
  let wedge = emptyWedge;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let field: { readonly input: HTMLInputElement; readonly before: string } | null = null;

  const quiet = () => {
    const step = wedgeQuiet(wedge, now());
    wedge = step.wedge;
    timer = wedge.count > 0 ? setTimeout(quiet, wedgeTimes.silence) : undefined;
    if (step.code !== null) found(step.code);
  };

  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const had = wedge.count;
    const step = wedgeKey(wedge, event.key, now());
    wedge = step.wedge;
    if (step.swallow) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (had === scannerFrom - 1 && field) restore(field.input, field.before);
    } else if (wedge.count === 1) {
      const { activeElement } = page.document;
      field =
        activeElement instanceof HTMLInputElement
          ? { input: activeElement, before: activeElement.value }
          : null;
    }
    if (wedge.count > 0) timer ??= setTimeout(quiet, wedgeTimes.silence);
    if (step.code !== null) found(step.code);
  };

  page.addEventListener('keydown', hear, { capture: true });
  return () => {
    clearTimeout(timer);
    page.removeEventListener('keydown', hear, { capture: true });
  };
}

/** Puts back what a field held, in a way its owner notices. */
function restore(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
