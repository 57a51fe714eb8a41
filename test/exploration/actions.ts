/**
 * Random actions of a user on the visitor's screen.
 *
 * Invariants:
 * - Every action ends at once on any page.
 * - All actions follow from the given random source and the page.
 * - Demo badges are scanned, and their tray stays closed.
 */
import type { Page } from '@playwright/test';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { scan } from '../renderer/device/scan.ts';
import type { Chance } from '../simulation/chance.ts';
import type { Visit } from './demo-visit.ts';

/** The result of an action: the names of its visitor, and the word that it typed, both in lower case. */
export type Done = { readonly said: string; readonly person?: readonly string[]; readonly word?: string };

const keys = [
  'Tab',
  'Tab',
  'Shift+Tab',
  'Enter',
  'Space',
  'Escape',
  'ArrowDown',
  'ArrowRight',
  'F8',
] as const;

/** Runs one action, weighted by how often users do it. */
export async function act(visit: Visit, chance: Chance): Promise<Done> {
  const { page } = visit;
  const drawn = chance.between(1, 100);
  if (drawn <= 44) return touch(page, chance);
  if (drawn <= 56) return press(page, chance.pick(keys));
  if (drawn <= 78) return tap(page, chance);
  if (drawn <= 84) return write(page, chance);
  if (drawn <= 92) return wait(page, chance.pick([300, 1_000, 5_000, 12_000, 26_000]));
  if (drawn <= 95) {
    visit.cut();
    return { said: 'cut the network' };
  }
  visit.restore();
  return { said: 'restored the network' };
}

/** Lets time pass on the page. */
export async function wait(page: Page, ms: number): Promise<Done> {
  await page.clock.fastForward(ms);
  return { said: `waited ${ms} ms` };
}

type Place = { readonly x: number; readonly y: number; readonly name: string };

const controls = `[...document.querySelectorAll('button, label.switch, input, [role=radio], [role=checkbox]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.tray, .only-heard'))
  .map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, name: (one.textContent || one.ariaLabel || one.className).slice(0, 30) };
  })
  .filter(({ x, y }) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)`;

async function touch(page: Page, chance: Chance): Promise<Done> {
  const places = await page.evaluate<Place[]>(controls);
  const size = page.viewportSize() ?? { width: 1, height: 1 };
  const blank = {
    x: chance.between(1, size.width - 1),
    y: chance.between(1, size.height - 1),
    name: 'blank',
  };
  const { x, y, name } = places.length === 0 || chance.hits(0.06) ? blank : chance.pick(places);
  // The tray of the demo does not belong to a visitor.
  if (await page.evaluate<boolean>(`document.elementFromPoint(${x}, ${y})?.closest('.tray') != null`))
    return { said: 'touched nothing' };
  await page.mouse.click(x, y);
  return { said: `touched "${name}"` };
}

async function press(page: Page, key: string): Promise<Done> {
  const { onTray } = await page.evaluate<{ onTray: boolean }>(
    "({ onTray: document.activeElement?.closest('.tray') != null })",
  );
  await page.keyboard.press(onTray ? 'Tab' : key);
  return { said: `pressed ${onTray ? 'Tab' : key}` };
}

const noBadges = ['04990000DEAD01', '08F3A1C7', 'hello', '04A1B2C3D4E5F', '04A1B2C3D4E5F604B23C7A915E80'];

async function tap(page: Page, chance: Chance): Promise<Done> {
  const visitors = badges.filter(({ kind }) => kind === 'visitor');
  const badge = chance.pick(visitors);
  const code = chance.hits(0.8) ? badge.code : chance.pick(noBadges);
  await scan(page, `${code}\n`, (await page.evaluate<number>('Date.now()')) - Date.now());
  return code === badge.code
    ? { said: `tapped ${badge.alias}`, person: namesOf(badge.name) }
    : { said: `scanned ${code}` };
}

/** The parts of a name that identify its owner, because they occur in no other word on the screen. */
function namesOf(name: string): string[] {
  const parts = name.toLowerCase().split(/[\s-]+/);
  return parts.filter((part) => part.length > 3 || /\p{Script=Han}/u.test(part));
}

/** Different words to type into the focused field. */
async function write(page: Page, chance: Chance): Promise<Done> {
  const field =
    "document.activeElement?.matches('input:not([type=checkbox], [type=radio]), textarea') === true";
  if (!(await page.evaluate<boolean>(field))) return { said: 'wrote nowhere' };
  const word = `zq${chance.between(100_000, 999_999)}`;
  await page.keyboard.insertText(word);
  return { said: `wrote ${word}`, word };
}
