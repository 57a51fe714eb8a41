/** A scanner heard by a page that is busy: what the keys' own times say counts, not when they come. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scannerTimes } from '../../../../src-renderer/times.ts';
import { listenForScanner } from '../../../../src-renderer/visitor/input/scanner.ts';

const CODE = 'AB12CD34';
/** Milliseconds between two keys of a scanner. */
const GAP = 3;

let page: EventTarget & { document: { activeElement: null } };
let found: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('HTMLInputElement', class {});
  vi.stubGlobal('HTMLTextAreaElement', class {});
  page = Object.assign(new EventTarget(), { document: { activeElement: null } });
  found = [];
  const from = Date.now();
  listenForScanner(
    page as unknown as Window,
    () => Date.now() - from,
    (code) => found.push(code),
  );
  vi.advanceTimersByTime(CODE.length * GAP);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Every key was pressed before the first is heard. */
function press(key: string, timeStamp: number): void {
  const event = new Event('keydown', { cancelable: true });
  Object.defineProperties(event, { key: { value: key }, timeStamp: { value: timeStamp } });
  page.dispatchEvent(event);
}

it.each([0, 20, 90, scannerTimes.silence - 5])(
  'keeps a code whole whose keys are heard %i ms apart',
  (late) => {
    for (const [nth, key] of [...CODE].entries()) {
      press(key, nth * GAP);
      vi.advanceTimersByTime(late);
    }
    expect(found).toEqual([]);
    vi.advanceTimersByTime(scannerTimes.silence);
    expect(found).toEqual([CODE]);
  },
);

it('ends a code when nothing follows, and begins the next anew', () => {
  for (const [nth, key] of [...CODE].entries()) press(key, nth * GAP);
  vi.advanceTimersByTime(scannerTimes.silence);
  expect(found).toEqual([CODE]);
  vi.advanceTimersByTime(1_000);
  for (const [nth, key] of [...'EF56GH78'].entries()) press(key, 1_000 + nth * GAP);
  vi.advanceTimersByTime(scannerTimes.silence);
  expect(found).toEqual([CODE, 'EF56GH78']);
});
