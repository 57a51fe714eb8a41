/**
 * Keyboard shortcuts of the staff pages: 1 to 5, n, u, /, arrows and others.
 *
 * Invariants:
 * - A one-character shortcut waits until it is certain that no other character follows at the speed of a scanner,
 *   because a scan must not change a rating. Two keys within `scannerTimes.gap`, or four within `scannerTimes.pace`
 *   of each other, do nothing.
 * - If a slow machine delays the next character so long that shortcuts have run, they are undone, the last one first.
 * - A key typed into a field belongs to the field. Escape leaves the field.
 */
import { useEffect, useRef } from 'react';
import { scannerTimes } from '../../times.ts';

/** The action of each key, by `KeyboardEvent.key`. An action may return a function that undoes it. */
export type Keys = Readonly<Record<string, () => unknown>>;

/** From this number on, characters at the speed of a scanner can only come from a scanner. */
const scannerFrom = 4;

/** Listens while the component is mounted. `keys` may change at any time. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastAt = Number.NEGATIVE_INFINITY;
    /** Characters of the current burst, and their shortcuts in order. */
    let count = 0;
    let waiting: (() => unknown)[] = [];
    /** Undoes the shortcuts of this burst that ran. */
    let ran: (() => void)[] = [];
    let isScan = false;

    const act = () => {
      clearTimeout(timer);
      const due = waiting;
      waiting = [];
      for (const run of due) {
        const takeBack = run();
        if (typeof takeBack === 'function') ran.push(() => takeBack());
      }
    };
    const hold = (key: string, at: number) => {
      const gap = at - lastAt;
      lastAt = at;
      if (gap > scannerTimes.pace) {
        act();
        ran = [];
        count = 0;
        isScan = false;
      }
      count += 1;
      isScan ||= gap <= scannerTimes.gap || count >= scannerFrom;
      clearTimeout(timer);
      const run = current.current[key];
      if (isScan) {
        waiting = [];
        for (const takeBack of ran.splice(0).reverse()) takeBack();
      } else if (run) waiting.push(run);
      if (waiting.length > 0) timer = setTimeout(act, scannerTimes.pace + 1);
    };
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const { key, target, timeStamp } = event;
      const isCharacter = key.length === 1;
      if (key === 'Enter') {
        clearTimeout(timer);
        waiting = [];
      }
      if (isField(target)) {
        if (key === 'Escape' && target instanceof HTMLElement) target.blur();
        else return;
      }
      if (isCharacter && !event.repeat) hold(key, timeStamp);
      const run = current.current[key];
      if (!run) return;
      event.preventDefault();
      if (!isCharacter) run();
    };
    // Handled before the field gets the key, because a search field that is emptied by Escape stops the event.
    window.addEventListener('keydown', hear, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', hear, { capture: true });
    };
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}
