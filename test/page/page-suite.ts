/** What a page must be able to do, and must not, in every shell. Both shells pass the same suite. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';

/** A page that is shown, and the complaints of its browser. */
export type ShownPage = { readonly page: Page; readonly complaints: readonly string[] };

type Behaviour = { readonly title: string; readonly check: (shown: ShownPage) => Promise<void> };

/**
 * Runs in the page. It is text because the tests are compiled without a DOM. Each entry says whether the action
 * failed.
 */
const forbidden = `(async () => {
  const fails = async (work) => {
    try {
      await work();
      return false;
    } catch {
      return true;
    }
  };
  // Chromium lets the inspector's own call evaluate text. Code in a later task runs under the page's policy.
  await new Promise((resolve) => setTimeout(resolve));
  const image = () => new Promise((resolve, reject) => {
    const element = new Image();
    element.onload = resolve;
    element.onerror = reject;
    element.src = 'http://127.0.0.1:9/x.png';
  });
  return {
    code: await fails(() => new Function('return 1')()),
    fetch: await fails(() => fetch('http://127.0.0.1:9/')),
    image: await fails(image),
    markup: await fails(() => { document.body.innerHTML = '<p>markup</p>'; }),
  };
})()`;

const powers = `(async () => ({
  node: typeof globalThis.require,
  process: typeof globalThis.process,
  camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', () => 'denied'),
}))()`;

/** The behaviours. Each runs on a fresh page. */
export const pageBehaviours: readonly Behaviour[] = [
  {
    title: 'shows the screen of the demo event, connected, without a complaint of the browser',
    check: async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Demo badges' }).waitFor();
      expect(await page.title()).not.toBe('');
      expect((await page.innerText('body')).trim()).not.toBe('');
      expect(complaints).toEqual([]);
    },
  },
  {
    title: 'cannot run text as code, load from elsewhere, connect to elsewhere or write markup',
    check: async ({ page }) => {
      expect(await page.evaluate(forbidden)).toEqual({ code: true, fetch: true, image: true, markup: true });
    },
  },
  {
    title: 'has no Node.js and gets no permission',
    check: async ({ page }) => {
      expect(await page.evaluate(powers)).toEqual({
        node: 'undefined',
        process: 'undefined',
        camera: 'denied',
      });
    },
  },
];
