/**
 * Decides which keys reach the page. Pure.
 *
 * Invariants:
 * - keys for typing, editing and scanning always reach the page, including AltGr;
 * - keys that leave, reload, zoom, print or search the page, or open tools, do not reach it;
 * - keys that the system handles first (Ctrl+Alt+Del, the task switcher) must be locked down in the system.
 */
import type { Input } from 'electron';

/** With Ctrl (Cmd on a Mac): copy, cut, paste, undo, redo, select all, and moving by words. */
const EDITING = new Set([
  'a',
  'c',
  'v',
  'x',
  'y',
  'z',
  'insert',
  'backspace',
  'delete',

  'arrowleft',
  'arrowright',
  'arrowup',
  'arrowdown',
  'home',
  'end',

  'control',
  'shift',
  'alt',
  'altgraph',
  'meta',
]);

/**
 * Keys that the page uses: for the staff page, and for reading aloud (`src-renderer/app.tsx`,
 * `src-renderer/visitor/speech/speech.ts`).
 */
const PAGE_KEYS = new Set(['f2', 'f8']);

/** The other function keys search, reload, move the caret, open menus or fill the screen. */
const FUNCTION_KEY = /^f([1-9]|1\d|2[0-4])$/;

/** Keys of special keyboards and remote controls that leave the page. */
const LEADING_OUT =
  /^(browser|launch)|^(goback|goforward|contextmenu|zoomtoggle|zoomin|zoomout|power|sleep)$/;

/** Whether a key reaches the page. `devTools`: whether the keys that open DevTools work. */
export function mayPress(
  { key: given, control, meta, alt, shift }: Pick<Input, 'key' | 'control' | 'meta' | 'alt' | 'shift'>,
  devTools: boolean,
): boolean {
  const key = given.toLowerCase();
  if (devTools && (key === 'f12' || (control && shift && key === 'i') || (meta && alt && key === 'i')))
    return true;
  if (LEADING_OUT.test(key)) return false;
  if (FUNCTION_KEY.test(key)) return PAGE_KEYS.has(key) && !control && !meta && !alt;
  // On Windows AltGr arrives as Ctrl+Alt. It types one character that is neither an ASCII letter nor a digit.
  if (control && alt) return key.length === 1 && !/^[a-z0-9]$/.test(key);
  if (control || meta) return EDITING.has(key) && !(alt && key.startsWith('arrow'));
  if (alt) return key.length === 1 || key === 'alt' || key === 'altgraph' || key === 'shift';
  return true;
}
