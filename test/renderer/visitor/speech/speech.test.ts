/** Reading aloud: offered on every screen, only for the current visitor, only with this device's voices. */
import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { displayTimes } from '../../../../src-renderer/times.ts';
import { openPage, waitFor } from '../../browser.ts';
import { captured } from '../../device/captured.ts';
import { everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { devicePages } from '../../device/device-pages.ts';
import { giveVoice, hearOut, speaks, spokenBy } from '../../device/fake-voice.ts';
import { laptop } from '../../device/shown-display.ts';
import { tapOn } from '../../screens/session-screens.ts';

const { browser, scripted, open: openIn } = await devicePages();
let page: Page;

const open = async (voices: readonly string[], language = 'en') => {
  page = await openIn(language, voices);
};
const listen = () => page.locator('.speech-toggle').click();
const patient = { timeout: 40_000 };
const text = async () => (await spokenBy(page)).map((one) => one.text).join(' ');
/** All utterances up to and including the one with `what`. */
const heard = async (what: string) => {
  await expect
    .poll(async () => {
      await hearOut(page);
      return text();
    }, patient)
    .toContain(what);
};

describe('reading aloud', () => {
  it('is offered on the attract screen by default, and says who receives what and what can be done', async () => {
    scripted.setStand(fullStand);
    await open(['en-GB']);
    await waitFor(page, '.notice-brief');
    await page.getByRole('button', { name: 'Read aloud' }).click();
    await heard('What happens to my data? or type the code.');
    expect(await text()).toMatch(
      /^This screen now reads aloud\. .*Tap your badge\. Stay in touch\. One tap shares/,
    );
    expect((await spokenBy(page))[0]).toMatchObject({ lang: 'en-GB', volume: 0.4 });
  });

  it('is switched on and off by one key', async () => {
    await open(['en']);
    scripted.tap(captured());
    await waitFor(page, '.display[data-view="captured"]');
    await page.keyboard.press('F8');
    await expect.poll(() => speaks(page), patient).toBe(true);
    await heard('Thank you, Amélie B.');
    await page.keyboard.press('F8');
    await expect.poll(() => speaks(page), patient).toBe(false);
  });

  it('starts when a headphone is plugged in, and ends when it is unplugged', async () => {
    ({ page } = await openPage(browser, 'about:blank', { size: laptop, language: 'en', voices: ['en'] }));
    await page.addInitScript(`
      globalThis.outputs = 1;
      globalThis.looks = 0;
      const devices = Object.assign(new EventTarget(), {
        enumerateDevices: async () => {
          looks += 1;
          return Array.from({ length: outputs }, () => ({ kind: 'audiooutput' }));
        },
      });
      Object.defineProperty(navigator, 'mediaDevices', { value: devices });
      globalThis.plug = (count) => { outputs = count; devices.dispatchEvent(new Event('devicechange')); };
    `);
    await page.goto(scripted.url);
    await waitFor(page, '.speech-toggle');
    // A headphone that was there when the page first checked was not just plugged in by a visitor.
    await expect.poll(() => page.evaluate<number>('looks'), patient).toBeGreaterThan(0);
    await page.evaluate('plug(2)');
    await expect.poll(() => speaks(page), patient).toBe(true);
    await page.evaluate('plug(1)');
    await expect.poll(() => speaks(page), patient).toBe(false);
  });

  it('lets the newest tap interrupt at once, and stops for another visitor', async () => {
    await open(['en']);
    await listen();
    scripted.tap(captured({ factId: 'first' }));
    await expect.poll(text, patient).toContain('Thank you, Amélie B.');
    expect(await speaks(page)).toBe(true);
    const before = (await spokenBy(page)).length;
    scripted.tap(
      captured({ factId: 'second', visitor: { name: 'Takeshi K.', company: null, language: null } }),
    );
    await page.getByText('Takeshi').first().waitFor();
    await expect.poll(() => speaks(page), patient).toBe(false);
    expect((await spokenBy(page)).length).toBe(before);
  });

  it('has a range of 20 decibels, with one step 12 decibels above the lowest', async () => {
    await open(['en']);
    await listen();
    await page.getByRole('button', { name: 'Comfort' }).click();
    const heard: (number | undefined)[] = [];
    for (const [name, volumes] of [
      ['Softer', [2, 1]],
      ['Louder', [2, 3, 4, 5]],
    ] as const)
      for (const volume of volumes) {
        await page.getByRole('button', { name }).click();
        await expect.poll(text, patient).toContain(`Volume ${volume} of 5`);
        heard.push((await spokenBy(page)).at(-1)?.volume);
      }
    expect(heard).toEqual([0.2, 0.1, 0.2, 0.4, 0.63, 1]);
  });

  it('stops when the visitor leaves, and has the default volume for the next', async () => {
    await open(['en']);
    await listen();
    await page.getByRole('button', { name: 'Comfort' }).click();
    await page.getByRole('button', { name: 'Louder' }).click();
    await expect.poll(text, patient).toContain('Volume 4 of 5');
    expect((await spokenBy(page)).at(-1)?.volume).toBe(0.63);
    await page.keyboard.press('Escape');
    scripted.tap(captured());
    await expect.poll(text, patient).toContain('Thank you, Amélie B.');
    await page.locator('.way-out').click();
    await waitFor(page, '.display[data-view="attract"]');
    await expect.poll(() => speaks(page), patient).toBe(false);
    expect(await page.locator('.speech-toggle').getAttribute('aria-pressed')).toBe('false');
    const before = (await spokenBy(page)).length;
    await listen();
    await expect.poll(() => spokenBy(page).then((all) => all[before]?.volume), patient).toBe(0.4);
  });

  it('reads every consent of a step, a changed switch, and the control that receives the focus', async () => {
    scripted.setStand(fullStand);
    await open(['en']);
    await waitFor(page, '.notice-brief');
    await listen();
    await tapOn(scripted, page, captured({ asksConsent: true, openQuestions: everyQuestion }));
    await waitFor(page, '.display[data-view="consent"]');
    await heard('Call me after the event: not selected.');
    await page.locator('.switch').first().click();
    await expect.poll(text, patient).toContain('Send me news by e-mail, about four times a year: selected');
    await page.keyboard.press('Tab');
    await expect.poll(text, patient).toContain('Call me after the event: not selected');
  });

  it('does not end a screen while its text is being read', async () => {
    await open(['en']);
    await page.clock.install();
    await listen();
    scripted.tap({ kind: 'notRead', at: Date.now(), reason: 'pulled' });
    await waitFor(page, '.display[data-view="notRead"]');
    await page.clock.fastForward(displayTimes.notRead);
    expect(await page.locator('.display').getAttribute('data-view')).toBe('notRead');
    await page.clock.fastForward(30_000);
    await waitFor(page, '.display[data-view="attract"]');
  });

  it('gives listeners fifteen seconds to undo', async () => {
    await open(['en']);
    await listen();
    scripted.tap(captured());
    await heard('15 seconds left to take it back.');
  });

  it('is reachable during a step, like language and comfort', async () => {
    scripted.setStand(fullStand);
    await open(['en', 'de']);
    await waitFor(page, '.notice-brief');
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await waitFor(page, '.display[data-view="consent"]');
    await listen();
    await heard('What else may Northwind Robotics do?');
    await page.locator('.comfort-bar').getByRole('button', { name: 'Language' }).click();
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await heard('Was darf Northwind Robotics noch?');
    expect((await spokenBy(page)).at(-1)?.lang).toBe('de');
    await page.locator('.comfort-bar').getByRole('button', { name: 'Komfort' }).click();
    await page.getByRole('button', { name: 'Hoher Kontrast' }).click();
    expect(await page.locator('html').getAttribute('data-contrast')).toBe('high');
    await page.keyboard.press('Escape');
    expect(await page.locator('.display').getAttribute('data-view')).toBe('consent');
  });
});

describe('the accessibility statement', () => {
  it('is one touch away from the comfort panel, and is read aloud', async () => {
    await open(['en']);
    await listen();
    scripted.tap(captured());
    await waitFor(page, '.display[data-view="captured"]');
    await page.getByRole('button', { name: 'Comfort' }).click();
    await page.getByRole('button', { name: 'Accessibility statement' }).click();
    await page.getByRole('heading', { name: 'Accessibility statement' }).waitFor();
    await heard('EN 301 549 and WCAG 2.2, level AA.');
    await heard('Please tell the stand team.');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'High contrast' }).waitFor();
  });
});

describe('a device', () => {
  it('reads in English and says so if it has no voice for the language', async () => {
    await open(['en'], 'ja');
    await page.getByRole('button', { name: '読み上げ：English' }).click();
    await expect.poll(text, patient).toContain('This screen now reads aloud.');
    await heard('Tap your badge.');
  });

  it.each([
    ['without any voice', [] as const, true],
    ['with remote voices only', ['en'] as const, false],
  ])('%s offers no reading aloud and says so in the comfort panel', async (_name, voices, local) => {
    ({ page } = await openPage(browser, 'about:blank', { size: laptop, language: 'en' }));
    await giveVoice(page.context(), voices, local);
    await page.goto(scripted.url);
    await waitFor(page, '.tools');
    expect(await page.locator('.speech-toggle').count()).toBe(0);
    await page.getByRole('button', { name: 'Comfort' }).click();
    await page.getByText('This device has no voice in this language.').waitFor();
  });
});
