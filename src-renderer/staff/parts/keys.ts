/**
 * Keyboard shortcuts of the staff pages: 1 to 5, n, u, / and others.
 *
 * Invariants:
 * - A key counts only if no other follows at once: a scanner's first characters are such keys and must not rate anybody.
 * - A key typed into a field belongs to the field.
 */
import { useEffect, useRef } from 'react';
import { scannerTimes } from '../../times.ts';

/** What each key does, by `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>;

/** Listens while the component is mounted. `keys` may change at any time. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastAt = Number.NEGATIVE_INFINITY;
    const hear = (event: KeyboardEvent) => {
      const isCharacter = event.key.length === 1;
      const isFast = event.timeStamp - lastAt <= scannerTimes.gap;
      if (isCharacter) lastAt = event.timeStamp;
      if (isCharacter || event.key === 'Enter') clearTimeout(timer);
      const act = current.current[event.key];
      if (!act || isFast || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isField(event.target)) return;
      event.preventDefault();
      if (!isCharacter) act();
      else timer = setTimeout(act, scannerTimes.gap + 1);
    };
    window.addEventListener('keydown', hear);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', hear);
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
