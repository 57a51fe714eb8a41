/**
 * Detects a keyboard scanner among key events (wedge.ts decides) and reports its codes.
 *
 * Invariants:
 * - There is one timer. A code without Enter or Tab ends only after a silence, even if keys arrive late on a busy page.
 * - A scanner's keys press no button. If the scanner typed into a field, the text is removed and the field restored,
 *   unless the field accepts scans.
 * - Where a PIN is expected, digits that can be a PIN are never reported as a code. They are typed into the PIN's
 *   field.
 */
import { scannerTimes } from '../../times.ts';
import { emptyWedge, silenceOf, type WedgeStep, wedgeKey, wedgeQuiet } from './wedge.ts';

/** Whether the page expects a PIN, and the field for it. */
type PinPlace = {
  /** Whether a code of digits is a PIN and not a badge code. */
  readonly asked: () => boolean;
  /** The field for the PIN. Null while no field accepts input. */
  readonly field: () => HTMLInputElement | null;
};

/** Maximum number of digits of a PIN. */
const asPin = /^\d{1,12}$/;

/**
 * Starts listening on `page`; `now` in the time base of its events (`performance.now`). Calls `found` with each code,
 * but never with a possible PIN while `pins` expects one. Returns the function that stops it.
 */
export function listenForScanner(
  page: Window,
  now: () => number,
  found: (code: string) => void,
  pins: PinPlace,
): () => void {
  let wedge = emptyWedge;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds without a key, without times when the page was blocked. */
  let silentFor = 0;
  /**
   * The most by which key timestamps were ahead of the page's clock, in milliseconds: the offset of the driver's
   * clock.
   */
  let ahead = 0;
  /** The focused field, as it was before the first key. */
  let left: Left | null = null;

  const wait = () => {
    const due = now() + scannerTimes.listen;
    timer = setTimeout(() => quiet(due), scannerTimes.listen);
  };
  const quiet = (due: number) => {
    timer = undefined;
    // While the page is blocked no key arrives, and delayed keys may follow. So the silence starts again.
    silentFor = now() - due > scannerTimes.late ? 0 : silentFor + scannerTimes.listen;
    if (Math.min(silentFor, now() - heardAt) < silenceOf(wedge)) return wait();
    const step = wedgeQuiet(wedge, now());
    // An incomplete code may continue with keys that a busy page has not received yet. Their timestamps decide.
    if (step.code === null) return;
    const { inField } = wedge;
    wedge = step.wedge;
    hand(step, inField);
  };
  /** Returns whether the text is a PIN that is already in its field. */
  const hand = ({ code }: WedgeStep, inField: boolean): boolean => {
    const isPin = code !== null && asPin.test(code) && pins.asked();
    if (code !== null && left && !(isPin && inField)) restore(left);
    if (code !== null || wedge.count === 0) left = null;
    if (code !== null && !isPin) found(code);
    if (isPin && !inField) append(pins.field(), code);
    return isPin && inField;
  };

  const hear = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (takesScans(page.document.activeElement)) return;
    heardAt = now();
    silentFor = 0;
    // The key's own timestamp, because our delay says nothing about the sender. It is never in our future: if the
    // driver's clock runs ahead, the silence after the last key would otherwise never be long enough.
    ahead = Math.max(ahead, event.timeStamp - heardAt);
    const pressedAt = event.timeStamp - ahead;
    const isFirst = pressedAt - wedge.lastAt >= silenceOf(wedge);
    if (isFirst && asPin.test(event.key) && !textField(page.document.activeElement)) pins.field()?.focus();
    const input = textField(page.document.activeElement);
    const step = wedgeKey(wedge, event.key, pressedAt, input !== null);
    const begins = step.wedge !== wedge && step.wedge.count === 1;
    const { inField } = wedge;
    wedge = step.wedge;
    const isTyped = hand(step, inField);
    if (step.swallow && !isTyped) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (begins || (input && left?.input !== input)) {
      left = input && asLeft(input);
    }
    if (wedge.count > 0 && timer === undefined) wait();
  };

  page.addEventListener('keydown', hear, { capture: true });
  return () => {
    clearTimeout(timer);
    page.removeEventListener('keydown', hear, { capture: true });
  };
}

type Left = {
  readonly input: TextField;
  readonly value: string;
  readonly selection: readonly [number | null, number | null];
};

type TextField = HTMLInputElement | HTMLTextAreaElement;

const typedInto: ReadonlySet<string> = new Set(['text', 'search', 'password', 'tel', 'email', 'url']);

function textField(element: Element | null): TextField | null {
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLInputElement && typedInto.has(element.type) ? element : null;
}

/** Whether this field accepts scans (`data-scans`), such as the field for business cards. */
function takesScans(element: Element | null): boolean {
  return element instanceof HTMLTextAreaElement && element.dataset.scans !== undefined;
}

function asLeft(input: TextField): Left {
  return { input, value: input.value, selection: [input.selectionStart, input.selectionEnd] };
}

/** Types `digits` into `input`. */
function append(input: HTMLInputElement | null, digits: string): void {
  if (input) restore({ input, value: input.value + digits, selection: [null, null] });
}

/** Restores the content of a field in such a way that its component notices. */
function restore({ input, value, selection }: Left): void {
  const { prototype } = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  // An e-mail field supports no selection.
  if (selection[0] !== null) input.setSelectionRange(...selection);
}
