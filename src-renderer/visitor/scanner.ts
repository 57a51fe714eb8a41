/**
 * Listens to the keyboard for a scanner (wedge.ts decides) and hands its codes on.
 *
 * Invariants: one timer; keys of a scanner reach neither a button nor a field; the first characters, which came
 * before it was known, are taken out of the field they fell into.
 */
import { emptyWedge, scannerFrom, wedgeKey, wedgeQuiet, wedgeTimes } from './wedge.ts';

/** A timer this late means that the page stood still meanwhile. */
const lateMs = 40;

/** Starts listening on `page`; `now` in the time of its events (`performance.now`). Calls `found` with each code. Returns the way to stop. */
export function listenForScanner(page: Window, now: () => number, found: (code: string) => void): () => void {
  let wedge = emptyWedge;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let field: { readonly input: HTMLInputElement; readonly before: string } | null = null;

  const wait = () => {
    const due = now() + wedgeTimes.silence;
    timer = setTimeout(() => quiet(due), wedgeTimes.silence);
  };
  const quiet = (due: number) => {
    timer = undefined;
    // After a stall keys may still be on their way to us: silence has to be heard once more.
    if (now() - due > lateMs) return wait();
    const step = wedgeQuiet(wedge, now());
    wedge = step.wedge;
    if (wedge.count > 0) wait();
    if (step.code !== null) found(step.code);
  };

  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const had = wedge.count;
    // The key's own time: how late we hear of it says nothing about the hand or the scanner.
    const step = wedgeKey(wedge, event.key, event.timeStamp);
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
    if (wedge.count > 0 && timer === undefined) wait();
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
