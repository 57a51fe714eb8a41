/**
 * Properties that must be true for the visitor's screen after every action.
 *
 * Invariant: they use only the page: what is drawn, what is in the document, what a screen reader finds, what is
 * stored.
 */
import type { Page } from '@playwright/test';
import { layoutFaults } from '../renderer/screens/layout-faults.ts';

export type Fault = {
  readonly property: 'private' | 'dead end' | 'one primary action' | 'no text cut' | 'sound';
  readonly said: string;
};

/** The content of the page: its view, its primary actions, and all its words, visible or not. */
export type Look = {
  /** Null if the page is not the visitor's screen. */
  readonly view: string | null;
  readonly room: string;
  readonly primary: readonly string[];
  /** The label that names the owner of the bag, in lower case. Only during a session. */
  readonly whose: string;
  /** The words without that label. */
  readonly words: string;
};

/** Places where a label may name the owner of the bag. */
const sessionViews = ['consent', 'question', 'contentPicker', 'goodbye'] as const;

/** The names in the demo tray belong to the demo and are not traces of a visitor. */
const script = `(() => {
  const main = document.querySelector('main.display');
  const whole = document.documentElement.cloneNode(true);
  for (const tray of whole.querySelectorAll('.tray')) tray.remove();
  const marks = main && ${JSON.stringify(sessionViews)}.includes(main.dataset.view) ? [...whole.querySelectorAll('.mark-name')] : [];
  for (const mark of marks) mark.remove();
  const fields = [...document.querySelectorAll('input, textarea')].map((field) => field.value);
  const stored = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
  const seen = [...document.querySelectorAll('.action-strong, .reward, .invitation[data-primary="true"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.only-heard'));
  return {
    view: main ? main.dataset.view : null,
    room: document.documentElement.dataset.room ?? '',
    primary: seen.map((one) => one.textContent),
    whose: marks.map((mark) => mark.textContent).join(' ').toLowerCase(),
    words: [whole.outerHTML, ...fields, ...stored, location.href].join('\\n').toLowerCase(),
  };
})()`;

/** The current content of the page. */
export async function look(page: Page): Promise<Look> {
  return page.evaluate<Look>(script);
}

/**
 * Traces of visitors, in lower case: the names of all who tapped, and the words of those whose session is over.
 */
export type Traces = {
  readonly persons: readonly (readonly string[])[];
  readonly pastWords: readonly string[];
};

/** Whether `trace` occurs as a whole word (Chinese characters are written without spaces). */
function isIn(words: string, trace: string): boolean {
  return /\p{Script=Han}/u.test(trace)
    ? words.includes(trace)
    : new RegExp(`(?<!\\p{L})${trace}(?!\\p{L})`, 'u').test(words);
}

/**
 * Finds traces of a visitor other than the one who is greeted, and words of earlier visitors. An outcome and a goodbye
 * greet one visitor, a bag's label names one, and nothing else names anybody.
 */
export function leaks({ view, whose, words }: Look, { persons, pastWords }: Traces): Fault[] {
  const among = (text: string) =>
    persons.map((names) => names.filter((name) => isIn(text, name))).filter((names) => names.length > 0);
  const [onPage, onMark] = [among(words), among(whose)];
  const known = [
    ...(onPage.length > (view === 'captured' || view === 'goodbye' ? 1 : 0) ? onPage.flat() : []),
    ...(onMark.length > 1 ? onMark.flat() : []),
  ];
  return [...known, ...pastWords.filter((word) => words.includes(word))].map((trace) => ({
    property: 'private',
    said: `"${trace}" is on the page, which shows ${view}`,
  }));
}

/** Names and words that a screen reader finds on the idle screen. */
export async function heardLeaks(page: Page, { persons, pastWords }: Traces): Promise<Fault[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const heard = JSON.stringify(nodes.map(({ name, value, description }) => [name, value, description]));
  return [...persons.flat(), ...pastWords]
    .filter((trace) => isIn(heard.toLowerCase(), trace))
    .map((trace) => ({ property: 'private', said: `"${trace}" is there for screen readers` }));
}

/** Finds more than one primary action. */
export function primaryFaults({ primary, view }: Look): Fault[] {
  if (primary.length < 2) return [];
  return [{ property: 'one primary action', said: `${view} has ${primary.join(' and ')}` }];
}

/** Text that is cut, too small, covered or off the page. A name of extreme length may be cut. */
export async function textFaults(page: Page, { room }: Look, mayCut: boolean): Promise<Fault[]> {
  const found = await layoutFaults(page, { smallest: 14, mayCut, mayScroll: room !== 'full' });
  return found.map((said) => ({ property: 'no text cut', said }));
}
