/**
 * Listens to the keyboard for a scanner (wedge.ts decides) and hands its codes on.
 *
 * Invariants: one timer; a code ends only when nothing was heard for as long as `silence`, however late its keys come to a busy
 * page; keys of a scanner press no button; what fell into a field is taken out again, and the field is
 * as its owner left it, unless it takes scans itself; where a PIN is asked for, digits alone that can be one are never handed on: they are typed into its field.
 */
import { scannerTimes } from '../../times.ts';
import { emptyWedge, type WedgeStep, wedgeKey, wedgeQuiet } from './wedge.ts';

/** Where a PIN is asked for, if it is. */
type PinPlace = {
  /** Whether digits alone are a PIN and no code. */
  readonly asked: () => boolean;
  /** The field they belong into; null while none takes any. */
  readonly field: () => HTMLInputElement | null;
};

/** Digits as many as a PIN may have. */
const asPin = /^\d{1,12}$/;

/**
 * Starts listening on `page`; `now` in the time of its events (`performance.now`). Calls `found` with each code, but never
 * with what may be a PIN where `pins` are asked for. Returns the way to stop.
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
  /** Milliseconds of silence since the last key, without those in which the page stood still. */
  let silentFor = 0;
  /** Milliseconds by which the times of keys ran ahead of ours at most: so far ahead a driver's clock is. */
  let ahead = 0;
  /** The field the keys fall into, as it was before the first of them. */
  let left: Left | null = null;

  const wait = () => {
    const due = now() + scannerTimes.listen;
    timer = setTimeout(() => quiet(due), scannerTimes.listen);
  };
  const quiet = (due: number) => {
    timer = undefined;
    // In a stall nothing is heard, and after it keys may still be on their way to us: silence has to be heard anew.
    silentFor = now() - due > scannerTimes.late ? 0 : silentFor + scannerTimes.listen;
    if (Math.min(silentFor, now() - heardAt) < scannerTimes.silence) return wait();
    const step = wedgeQuiet(wedge, now());
    // What is no code may be the first keys of one whose others a busy page has yet to hear: their own times will tell.
    if (step.code === null) return;
    const { inField } = wedge;
    wedge = step.wedge;
    hand(step, inField);
  };
  /** Returns whether what came is a PIN that was typed into its field already. */
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
    // The key's own time: how late we hear of it says nothing about the hand or the scanner. But none is pressed after it is
    // heard: by a clock that runs ahead, the silence after the last key would never seem long enough.
    ahead = Math.max(ahead, event.timeStamp - heardAt);
    const pressedAt = event.timeStamp - ahead;
    const isFirst = pressedAt - wedge.lastAt >= scannerTimes.silence;
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

/** Whether a scanner's keys belong into this field as they come: it reads business cards, and says so by `data-scans`. */
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

/** Puts back what a field held, in a way its owner notices. */
function restore({ input, value, selection }: Left): void {
  const { prototype } = input instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  // An e-mail field knows no selection.
  if (selection[0] !== null) input.setSelectionRange(...selection);
}
