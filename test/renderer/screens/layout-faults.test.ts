/** The checks of the walk find planted faults: overlap, text off the page, parts that move on their own. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeCamera, openPage, resize, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { captured, capturedForLong } from '../device/captured.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { layoutFaults } from './layout-faults.ts';
import { movedBy } from './movement.ts';
import { bringTo } from './screen.ts';
import { screens } from './screens.ts';
import { layOut } from './session-screens.ts';

const laptop = { name: 'laptop', width: 1280, height: 800 };
let browser: Browser;
let scripted: ScriptedDevice;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser(fakeCamera);
  scripted = await openScriptedDevice(await buildRenderer());
  ({ page } = await openPage(browser, scripted.url, { size: laptop, language: 'en' }));
});
afterAll(async () => {
  await browser?.close();
  await scripted?.close();
});

/** Brings the page to a screen. Its first style sheet is that of its size (`resize`). */
const bring = async (name: string) => {
  await resize(page, laptop);
  const screen = screens.find((one) => one.name === name);
  if (!screen) throw new Error(`There is no screen "${name}"`);
  await bringTo(screen, scripted, page);
};
const faults = () => layoutFaults(page, { smallest: 14, mayCut: false, mayScroll: false });
/** Adds a style sheet to the page, because the content policy refuses an element. Without `css`, removes it. */
const style = (css: string | null) =>
  page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css ?? '')});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets.slice(0, 1), sheet];
  })()`);
/** The faults while this style sheet is on the page. */
const faultsWith = async (css: string) => {
  await style(css);
  const found = await faults();
  await style(null);
  return found;
};

/** As `faultsWith`, with the rules for the staff pages. */
const faultsOfTeam = async (css: string | null = null) => {
  await style(css);
  const found = await layoutFaults(page, { smallest: 14, mayCut: true, mayScroll: true });
  await style(null);
  return found;
};

describe('the check of the layout', () => {
  it('finds a control that covers another only by a corner', async () => {
    await bring('question-text');
    expect(await faults()).toEqual([]);
    const next = await page.locator('.step-actions .action').first().boundingBox();
    const left = (next?.x ?? 0) + (next?.width ?? 0) - 12;
    const top = (next?.y ?? 0) + (next?.height ?? 0) - 8;
    const found = await faultsWith(
      `.foot-start .action { position: fixed; left: ${left}px; top: ${top}px; z-index: 9 }`,
    );
    expect(found).toContainEqual(expect.stringMatching(/Take it back.* covers |covers .*Take it back/));
  });

  it('finds a text under a control', async () => {
    await bring('question-text');
    const globe = await page.locator('.foot-end button').first().boundingBox();
    const found = await faultsWith(
      `.closing { position: fixed; left: ${(globe?.x ?? 0) - 30}px; top: ${(globe?.y ?? 0) + 10}px }`,
    );
    expect(found).toContainEqual(expect.stringContaining('Closes by itself'));
  });

  it('finds a button below the end of its part or of the page', async () => {
    await bring('captured-everything');
    expect(await faults()).toEqual([]);
    expect(await faultsWith('.offers { margin-top: 30vh }')).toContainEqual(
      expect.stringMatching(/higher than their place/),
    );
    expect(await faultsWith('.foot { translate: 0 60px }')).toContainEqual(
      expect.stringContaining('leaves the page'),
    );
  });

  it('finds a text that its own part cuts off, at the side and below', async () => {
    await bring('captured-everything');
    const sideways =
      '.display .words .company { display: block; inline-size: 3em; overflow: hidden; white-space: nowrap }';
    expect(await faultsWith(sideways)).toContainEqual(expect.stringMatching(/is cut: Ateliers/));
    const below = '.display .words .sentence { display: block; block-size: 0.8em; overflow: hidden }';
    expect(await faultsWith(below)).toContainEqual(expect.stringMatching(/sentence.* is cut: Northwind/));
  });

  it('finds texts on staff pages that overlap each other, leave their card or leave the page', async () => {
    await bring('staff-delivery');
    expect(await faultsOfTeam()).toEqual([]);
    expect(await faultsOfTeam('.dead-letter-reason { margin-inline-start: -12em }')).toContainEqual(
      expect.stringMatching(/covers/),
    );
    await bring('staff-worklist');
    expect(await faultsOfTeam()).toEqual([]);
    expect(await faultsOfTeam('.staff-card > p { white-space: nowrap; inline-size: 9px }')).toContainEqual(
      expect.stringMatching(/past its card/),
    );
    expect(await faultsOfTeam('.staff-card { inline-size: 200% }')).toContainEqual(
      expect.stringMatching(/cards-page scrolls sideways/),
    );
  });

  it('finds a placeholder, a chosen option and a text of several lines that their field cuts', async () => {
    await bring('staff-empty');
    expect(await faultsOfTeam()).toEqual([]);
    expect(await faultsOfTeam('.search { flex: none; inline-size: 20em }')).toContainEqual(
      expect.stringMatching(/search-input is \d+ px too narrow: Name, company/),
    );
    expect(await faultsOfTeam('.search kbd { inset-inline-end: 60% }')).toContainEqual(
      expect.stringMatching(/search-input is \d+ px too narrow/),
    );
    await bring('staff-sealed');
    expect(await faultsOfTeam()).toEqual([]);
    expect(await faultsOfTeam('.sealed-way select { inline-size: 20em }')).toContainEqual(
      expect.stringMatching(/too narrow: Everything/),
    );
    await bring('staff-setup-notice');
    expect(
      await faultsOfTeam('textarea.setup-input { field-sizing: fixed; inline-size: 12em }'),
    ).toContainEqual(expect.stringMatching(/hides \d+ px of its text: Northwind/));
  });

  it('finds a part that moves on its own, and nothing on a page that does not change', async () => {
    await bring('captured-everything');
    expect(await movedBy(page, async () => undefined)).toEqual([]);
    const moved = await movedBy(page, async () => {
      // Not "Take it back": on a busy machine its seconds, and so its text, may change meanwhile.
      await style('.reward { translate: 0 -40px }');
    });
    await style(null);
    expect(moved).toContainEqual(expect.stringMatching(/moved by 0, -40: .*See what we brought/));
  });
});

describe('the offer to take a tap back', () => {
  it.each([
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
    { width: 800, height: 480 },
    { width: 1080, height: 1920 },
  ])('moves no other part when its time ends, at $width by $height', async (size) => {
    await bring('attract');
    await resize(page, { name: '', ...size });
    layOut(scripted, 5);
    await waitFor(page, '.notice-brief');
    scripted.tap(captured({ undoUntil: Date.now() + 2_500 }));
    await waitFor(page, '.display[data-view="captured"] .foot-start .action');
    const moved = await movedBy(page, async () => {
      await page.locator('.foot-start .action').waitFor({ state: 'detached' });
    });
    expect(await page.locator('.display').getAttribute('data-view')).toBe('captured');
    expect(moved).toEqual([]);
  });

  it.each(['usual', 'low'] as const)(
    'keeps its place from the tap to the content picker, with controls %s',
    async (reach) => {
      scripted.comfort = { reach };
      await bring('attract');
      await resize(page, laptop);
      layOut(scripted, 5, { screen: { reach, contrast: 'usual', text: 'usual', camera: false } });
      await waitFor(page, '.notice-brief');
      scripted.tap(capturedForLong());
      await waitFor(page, '.display[data-view="captured"] .reward');
      const moved = await movedBy(page, async () => {
        await page.locator('.reward').click();
        await waitFor(page, '.display[data-view="contentPicker"] .card');
      });
      scripted.comfort = {};
      expect(moved.filter((fault) => fault.includes('Take it back'))).toEqual([]);
    },
  );

  it('shows its seconds in letters of at least the minimum size', async () => {
    const letters: Record<string, number> = {};
    await bring('attract');
    scripted.tap(capturedForLong());
    await waitFor(page, '.countdown text');
    for (const { width, height } of [laptop, { width: 800, height: 480 }, { width: 1920, height: 1080 }]) {
      await resize(page, { name: '', width, height });
      letters[`${width}x${height}`] = await page.evaluate<number>(`(() => {
        const text = document.querySelector('.countdown text');
        const { width } = text.ownerSVGElement.getBoundingClientRect();
        return Number.parseFloat(getComputedStyle(text).fontSize) * width / 40;
      })()`);
    }
    await resize(page, laptop);
    expect(letters['1920x1080']).toBeGreaterThanOrEqual(20);
    expect(Math.min(...Object.values(letters))).toBeGreaterThanOrEqual(14);
  });
});
