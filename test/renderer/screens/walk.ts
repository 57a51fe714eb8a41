/**
 * Checks every screen in every size on one page and reports visible faults.
 *
 * Invariants:
 * - A check is repeated if its screen ended before the check was done.
 * - Faults contain the screen and the size.
 * - Errors and warnings in the browser's log are faults, such as a violation of the content policy.
 */
import type { Browser, Page } from '@playwright/test';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { idle, openPage, resize, type Size, sizes } from '../browser.ts';
import { demoPictures } from '../device/demo-stand.ts';
import { openScriptedDevice } from '../device/scripted-device.ts';
import { axeFaults } from './axe.ts';
import { contrastFaults, enoughContrast } from './contrast.ts';
import { layoutFaults } from './layout-faults.ts';
import { bringTo, type Screen } from './screen.ts';

export type Look = {
  readonly language: string;
  readonly dark: boolean;
  /** Whether the system forces its colours. */
  readonly forced?: boolean;
  /** The comfort settings of every screen. */
  readonly comfort: Partial<ScreenSetup>;
  /** The names of the sizes in which the contrast is measured for the screen with this index; default: none. */
  readonly contrastIn?: (index: number) => readonly string[];
  /** Whether axe checks the screen with this index, in every size; usually it does. */
  readonly axe?: (index: number) => boolean;
};

/**
 * Every fault of `screens` in this look; `root` is the built renderer. `sizesOf` gives the sizes of a
 * screen by its index; default: all.
 */
export async function walk(
  browser: Browser,
  root: string,
  look: Look,
  screens: readonly Screen[],
  sizesOf: (index: number) => readonly Size[] = () => sizes,
): Promise<string[]> {
  const scripted = await openScriptedDevice(root);
  scripted.comfort = look.comfort;
  scripted.pictures = demoPictures(500);
  const { page, complaints } = await openPage(browser, scripted.url, {
    size: firstOf(sizesOf(0)),
    voices: [look.language],
    ...look,
  });
  if (look.forced) await page.emulateMedia({ forcedColors: 'active' });
  const faults: string[] = [];
  const bring = (screen: Screen) => bringTo(screen, scripted, page, () => complaints.splice(0));
  for (const [index, screen] of screens.entries()) {
    const inSizes = sizesOf(index);
    const first = firstOf(inSizes);
    // On a small screen, the next control may be outside the visible part.
    await resize(page, first);
    await bring(screen).catch((error: unknown) => {
      throw new Error(`${screen.name}, ${look.language}: never there`, { cause: error });
    });
    for (const size of inSizes) {
      await resize(page, size);
      // An open popover does not follow a change of size, so it is opened again.
      if (screen.popover) await bring(screen);
      for (const check of checks(
        screen,
        page,
        size,
        look,
        look.contrastIn?.(index) ?? [],
        look.axe?.(index) ?? true,
        size === first,
      )) {
        const found = await settled(screen, page, bring, check);
        faults.push(...found.map((fault) => `${screen.name}, ${size.name}, ${look.language}: ${fault}`));
      }
    }
    // Chromium itself logs every attempt to reach a missing device (link-lost).
    const said = complaints.filter((text) => !text.includes('WebSocket'));
    faults.push(...said.map((text) => `${screen.name}, ${look.language}: ${text}`));
  }
  await page.context().close();
  await scripted.close();
  return faults;
}

function firstOf(inSizes: readonly Size[]): Size {
  const [first] = inSizes;
  if (!first) throw new Error('No size to look at');
  return first;
}

/** Repeats `work` until `screen` is shown both before and after it. */
async function settled<T>(
  screen: Screen,
  page: Page,
  bring: (screen: Screen) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const there = () => page.locator(screen.ready).first().isVisible();
  for (;;) {
    if (!(await there())) await bring(screen);
    const done = await work();
    if (await there()) return done;
  }
}

/**
 * The checks are separate functions: some screens end so soon that a slow machine completes only one check before.
 */
function checks(
  screen: Screen,
  page: Page,
  size: Size,
  { comfort }: Look,
  contrastIn: readonly string[],
  axe: boolean,
  wholly: boolean,
): (() => Promise<string[]>)[] {
  const staff = screen.name.startsWith('staff');
  const smallest = staff || Math.min(size.width, size.height) < 1000 ? 14 : 20;
  const large = comfort.text === 'large';
  const mayCut = screen.long === true || staff;
  const layout = async () => {
    // A busy page may repaint for the new size later.
    await idle(page);
    const room = await page.evaluate<string>('document.documentElement.dataset.room');
    const mayScroll = large || size.spaced === true || room !== 'full';
    const found = await layoutFaults(page, { smallest, mayCut, mayScroll });
    const inReach = comfort.reach === 'low' && !large && room !== 'low' && room !== 'scroll';
    return inReach ? [...found, ...(await outOfReach(page))] : found;
  };
  const contrast = () => contrastFaults(page, enoughContrast[comfort.contrast ?? 'usual']);
  // A popover is outside the page's landmarks by design, and hides them and the heading while it is open.
  const but = screen.popover ? ['region', 'landmark-one-main', 'page-has-heading-one'] : [];
  return [
    layout,
    ...(!staff && contrastIn.includes(size.name) ? [contrast] : []),
    ...(axe ? [() => axeFaults(page, wholly ? 'all' : 'layout', but)] : []),
  ];
}

/**
 * Faults for controls above the lower third. Not checked are the on-screen keyboard, which needs more than a third
 * of a small screen, and the content picker during a search.
 */
async function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const edge = (innerHeight * 2) / 3;
    const controls = [...document.querySelectorAll('button, a[href], label.switch')];
    const top = (control) => {
      const { top } = control.getBoundingClientRect();
      const frame = control.closest('.consent-switches, .answers, .cards');
      const scrolls = frame && /auto|scroll/.test(getComputedStyle(frame).overflowY);
      return scrolls ? Math.max(top, frame.getBoundingClientRect().top) : top;
    };
    return controls
      // Buttons for screen readers only are in a frame of one pixel.
      .filter((control) => control.checkVisibility() && control.offsetWidth > 1 && control.parentElement.offsetWidth > 1)
      .filter((control) => !control.closest('.content-picker[data-typing="true"], .keyboard'))
      .filter((control) => top(control) < edge - 1)
      .map((control) => control.textContent.slice(0, 30) + ' is out of reach by ' + Math.round(edge - top(control)));
  })()`);
}
