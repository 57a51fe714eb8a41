/**
 * What must hold on the visitor's screen whatever somebody does to it.
 *
 * Invariant: looks at the page alone: what is drawn, what is in the document, what a screen reader finds, what is stored.
 */
import type { Page } from '@playwright/test';
import { layoutFaults } from '../renderer/screens/layout-faults.ts';

export type Fault = {
  readonly property: 'private' | 'dead end' | 'one primary action' | 'no text cut' | 'sound';
  readonly said: string;
};

/** What is on the page: its view, its primary actions, and all its words, those nobody sees with them. */
export type Look = {
  /** Null where the page is not the visitor's. */
  readonly view: string | null;
  readonly room: string;
  readonly primary: readonly string[];
  /** The mark that says whose bag it is, lower case; only in a session. */
  readonly whose: string;
  /** Without that mark. */
  readonly words: string;
};

/** Where a mark may say whose bag it is. */
const sessionViews = ['consent', 'question', 'contentPicker', 'goodbye'] as const;

/** The names of the visitors of the tray are the demo's own and no trace of a visitor. */
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

/** What is on the page now. */
export async function look(page: Page): Promise<Look> {
  return page.evaluate<Look>(script);
}

/** What visitors left, lower case: the names of each who tapped, and the words of those whose session is over. */
export type Traces = {
  readonly persons: readonly (readonly string[])[];
  readonly pastWords: readonly string[];
};

/** Whether `trace` is there as a word and not as a part of one (Han is written without spaces). */
function isIn(words: string, trace: string): boolean {
  return /\p{Script=Han}/u.test(trace)
    ? words.includes(trace)
    : new RegExp(`(?<!\\p{L})${trace}(?!\\p{L})`, 'u').test(words);
}

/**
 * More visitors on the page than it greets, and words of those who left. The outcome of a tap greets one, the mark of a bag
 * names one, nothing else any.
 */
export function leaks({ view, whose, words }: Look, { persons, pastWords }: Traces): Fault[] {
  const among = (text: string) =>
    persons.map((names) => names.filter((name) => isIn(text, name))).filter((names) => names.length > 0);
  const [onPage, onMark] = [among(words), among(whose)];
  const known = [
    ...(onPage.length > (view === 'captured' ? 1 : 0) ? onPage.flat() : []),
    ...(onMark.length > 1 ? onMark.flat() : []),
  ];
  return [...known, ...pastWords.filter((word) => words.includes(word))].map((trace) => ({
    property: 'private',
    said: `"${trace}" is on the page, which shows ${view}`,
  }));
}

/** Names and words among what a screen reader finds at rest. */
export async function heardLeaks(page: Page, { persons, pastWords }: Traces): Promise<Fault[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const heard = JSON.stringify(nodes.map(({ name, value, description }) => [name, value, description]));
  return [...persons.flat(), ...pastWords]
    .filter((trace) => isIn(heard.toLowerCase(), trace))
    .map((trace) => ({ property: 'private', said: `"${trace}" is there for screen readers` }));
}

/** More than one thing that is the first to do. */
export function primaryFaults({ primary, view }: Look): Fault[] {
  if (primary.length < 2) return [];
  return [{ property: 'one primary action', said: `${view} has ${primary.join(' and ')}` }];
}

/** Text that is cut, too small, covered or off the page; a name of extreme length may be cut. */
export async function textFaults(page: Page, { room }: Look, mayCut: boolean): Promise<Fault[]> {
  const found = await layoutFaults(page, { smallest: 14, mayCut, mayScroll: room !== 'full' });
  return found.map((said) => ({ property: 'no text cut', said }));
}
