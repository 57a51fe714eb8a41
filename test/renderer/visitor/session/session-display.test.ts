/**
 * The visitor's journey in real Chromium: from the tap to the goodbye, with everything that can happen in between.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { displayTimes } from '../../../../src-renderer/times.ts';
import { resize, waitFor } from '../../browser.ts';
import { captured, capturedForLong } from '../../device/captured.ts';
import { demoActivity, demoOffer, demoQuestions, everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { keysSilent } from '../../device/scan.ts';
import type { ScriptedDevice } from '../../device/scripted-device.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';
import { layOut, tapOn } from '../../screens/session-screens.ts';

const { scripted, page, complaints } = await showDisplay();

const at = (kind: string) => waitFor(page, `.display[data-view="${kind}"]`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const calls = (call: string) => scripted.calls.filter((one) => one.call === call).map(({ input }) => input);
const text = () => page.locator('body').innerText();

/** Changes the stand and waits until the page has it. */
async function standing(change: Partial<Parameters<ScriptedDevice['setStand']>[0]> = {}): Promise<void> {
  scripted.setStand({ ...fullStand, ...change });
  await waitFor(page, '.notice-brief');
}

describe('the notice', () => {
  it('is summarised before any tap, and the opened notice shows a code of the whole text', async () => {
    await standing();
    expect(await text()).toContain('Northwind Robotics GmbH, Hall 4');
    await button('What happens to my data?').click();
    await at('notice');
    expect(await text()).toContain('60 days, then it is deleted.');
    await page.getByRole('img', { name: 'The whole text, on your phone' }).waitFor();
    await button('Back').click();
    await at('attract');
  });

  it('disappears at once on a tap', async () => {
    await standing();
    await button('What happens to my data?').click();
    await at('notice');
    scripted.tap(captured());
    await at('captured');
  });
});

describe('a session', () => {
  it('leads from the tap through consents, questions and contents to the goodbye', async () => {
    scripted.setState({ purpose: 'content' });
    layOut(scripted, 5);
    await waitFor(page, '.notice-brief');
    const event = captured({ asksConsent: true, openQuestions: everyQuestion });
    const { factId } = event;
    await tapOn(scripted, page, event);

    await at('consent');
    expect(await text()).not.toContain('Amélie');
    expect(await text()).toContain('Step 1 of 3');
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
    await page.getByText('Call me after the event').click();
    await button('Share my choice').click();

    await page.getByRole('heading', { name: 'When do you plan to buy?' }).waitFor();
    await button('Next year').click();
    await page.getByRole('heading', { name: 'How was our talk?' }).waitFor();
    await button('4 of 5').click();

    await at('goodbye');
    await page.locator('.reward').click();
    await at('contentPicker');
    expect(await text()).not.toContain('Amélie');
    await page.getByRole('button', { name: 'Take it: Cart M2 for warehouses' }).click();
    await page.getByRole('button', { name: 'Taken: Cart M2 for warehouses' }).waitFor();
    expect((await text()).match(/Amélie.*/g)).toEqual(['Amélie B. · 1 to take home']);
    await button('Done').click();

    await at('goodbye');
    const said = await text();
    expect(said).toContain('Call me after the event');
    expect(said).toContain('2 answers shared');
    expect(said).toContain('Cart M2 for warehouses');
    // The owner of the bag is named once, in the same short form as on the outcome.
    expect(await page.locator('h1').innerText()).toBe('All set,\nAmélie B.');
    expect(await page.locator('.mark').allInnerTexts()).toEqual(['1 to take home']);
    expect(calls('session.consent')).toEqual([
      { factId, language: 'en', agreed: { news: false, call: true } },
    ]);
    expect(calls('session.answer')).toEqual([
      { factId, language: 'en', question: 'when', answer: ['o1'] },
      { factId, language: 'en', question: 'talk', answer: 4 },
    ]);
    expect(calls('session.collect')).toEqual([{ factId, content: 'content-2', take: true }]);
    await button('Done').click();
    await at('attract');
    await expect.poll(() => calls('session.end')).toEqual([{ factId }]);
    expect(complaints).toEqual([]);
  });

  it('forgets the name of its bag when the goodbye closes by itself', async () => {
    scripted.setState({ purpose: 'content' });
    layOut(scripted, 5);
    await waitFor(page, '.notice-brief');
    await page.clock.install();
    scripted.tap(captured());
    await at('captured');
    await page.locator('.reward').click();
    await page.getByRole('button', { name: 'Take it: Cart M2 for warehouses' }).click();
    await page.getByRole('button', { name: 'Taken: Cart M2 for warehouses' }).waitFor();
    await button('Done').click();
    await at('goodbye');
    expect(await page.content()).toContain('Amélie');
    await page.clock.fastForward(displayTimes.bag);
    await at('attract');
    expect(await page.content()).not.toContain('Amélie');
  });

  it('records a no with one touch and skips everything else permanently', async () => {
    await standing();
    const event = captured({ asksConsent: true, openQuestions: everyQuestion });
    await tapOn(scripted, page, event);
    await button('No, thank you').click();
    await at('question');
    await button('Skip').click();
    await page.getByRole('heading', { name: 'How was our talk?' }).waitFor();
    await button('Skip').click();
    await at('goodbye');
    expect(await text()).toContain('Your no is kept, too');
    expect(calls('session.consent')).toEqual([
      { factId: event.factId, language: 'en', agreed: { news: false, call: false } },
    ]);
    expect(calls('session.answer')).toEqual([]);
    // The goodbye does not wait until the device has received the last answer.
    await expect
      .poll(() => calls('session.skip'))
      .toEqual([
        { factId: event.factId, question: 'when' },
        { factId: event.factId, question: 'talk' },
      ]);
  });

  it('names the consents before the questions, and shares a choice only after something is chosen', async () => {
    await standing();
    scripted.tap(capturedForLong({ asksConsent: true, openQuestions: everyQuestion }));
    const invitation = page.locator('.invitation');
    await invitation.waitFor();
    expect(await invitation.innerText()).toMatch(/^May we stay in touch\?\s+Then 2 quick questions\./);
    await invitation.click();
    await at('consent');
    expect(await button('Share my choice').isDisabled()).toBe(true);
    expect(await button('No, thank you').isEnabled()).toBe(true);
    await page.getByText('Call me after the event').click();
    expect(await button('Share my choice').isEnabled()).toBe(true);
    await page.getByText('Call me after the event').click();
    expect(await button('Share my choice').isDisabled()).toBe(true);
  });

  it('shows the whole notice next to the consents while there is room', async () => {
    await standing();
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await at('consent');
    const faded: string[] = [];
    for (const [width, height] of [
      [1280, 800],
      [1600, 900],
      [1920, 1080],
    ] as const) {
      await resize(page, { name: '', width, height });
      await expect.poll(() => page.locator('html').getAttribute('data-room')).toBe('full');
      if ((await page.locator('.consent-notice').getAttribute('data-more')) === 'true')
        faded.push(`${width} by ${height}`);
    }
    await resize(page, laptop);
    expect(faded).toEqual([]);
  });

  it('divides the offer into pages of nearly equal size', async () => {
    layOut(scripted, 9);
    await waitFor(page, '.notice-brief');
    scripted.tap(capturedForLong());
    await page.locator('.reward').click();
    const names = () => page.locator('.card-name').allTextContents();
    const pages: string[][] = [];
    for (let index = 1; index <= 3; index += 1) {
      await page.getByText(`${index} of 3`, { exact: true }).waitFor();
      await expect.poll(async () => (await names())[0]).toBe(scripted.offer[(index - 1) * 3]?.name);
      pages.push(await names());
      if (index < 3) await page.getByRole('button', { name: 'Next page' }).click();
    }
    expect(pages.flat()).toEqual(scripted.offer.map(({ name }) => name));
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 3]);
  });

  it('says that a choice was not saved, and continues after a retry saved it', async () => {
    await standing();
    scripted.keeps = false;
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await page.getByText('Call me after the event').click();
    await button('Share my choice').click();
    await page.getByText('This was not saved.').waitFor();
    scripted.keeps = true;
    await button('Share my choice').click();
    await at('goodbye');
  });

  it('never shows a second visitor any data of the first', async () => {
    await standing({ questions: [demoQuestions.text] });
    await tapOn(scripted, page, captured({ asksConsent: true, openQuestions: everyQuestion }));
    await page.getByText('Call me after the event').click();
    await button('Share my choice').click();
    await page.getByLabel('Your answer').pressSequentially('a quieter gearbox', { delay: 70 });
    const second = captured({
      asksConsent: true,
      openQuestions: everyQuestion,
      visitor: { name: 'Takeshi K.', company: null, language: null },
    });
    await tapOn(scripted, page, second);
    await at('consent');
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
    await button('No, thank you').click();
    await at('question');
    expect(await page.getByLabel('Your answer').inputValue()).toBe('');
    expect(calls('session.answer')).toEqual([]);
    expect(calls('session.end')).toHaveLength(1);
  });

  it('asks an inactive visitor whether they are there, and continues with a touch', async () => {
    await standing();
    await page.clock.install();
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await page.getByText('Call me after the event').click();
    await page.clock.fastForward(displayTimes.stepIdle);
    await waitFor(page, '.display[data-view="idlePrompt"]');
    expect(await text()).toMatch(/\d+ seconds left/);
    const inRing = async () => Number(await page.locator('.ring-place .countdown text').textContent());
    const first = await inRing();
    expect(first).toBeLessThanOrEqual(displayTimes.idlePrompt / 1000);
    await page.clock.fastForward(5_000);
    await expect.poll(inRing).toBeLessThanOrEqual(first - 5);
    await button('I need more time').click();
    await at('consent');
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(1);
  });

  it('shows the seconds until a step closes, without an announcement', async () => {
    await standing();
    await page.clock.install();
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await at('consent');
    const line = page.locator('.closing');
    const left = async () => Number(/Closes by itself in (\d+) s/.exec(await line.innerText())?.[1]);
    const first = await left();
    expect(first).toBeLessThanOrEqual((displayTimes.stepIdle + displayTimes.idlePrompt) / 1000);
    expect(first % 5).toBe(0);
    expect(await page.locator(':is([role], [aria-live]):not(main, footer) .closing').count()).toBe(0);
    await page.clock.fastForward(10_000);
    await expect.poll(left, { timeout: 40_000 }).toBeLessThanOrEqual(first - 10);
    await page.clock.fastForward(displayTimes.stepIdle - 10_000);
    await waitFor(page, '.display[data-view="idlePrompt"]');
    expect(await line.count()).toBe(0);
  });

  it('can be undone from a later step', async () => {
    await standing();
    const event = capturedForLong({ asksConsent: true });
    await tapOn(scripted, page, event);
    await at('consent');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await at('undone');
    expect(calls('taps.undo')).toEqual([{ factId: event.factId }]);
    expect(calls('session.end')).toEqual([]);
  });

  it('works with keys alone and is announced step by step', async () => {
    await standing({ questions: [demoQuestions.yesNo] });
    scripted.tap(captured({ asksConsent: true, openQuestions: everyQuestion }));
    await at('captured');
    await waitFor(page, '.words:focus');
    await page.locator('.invitation').focus();
    await page.keyboard.press('Enter');
    await at('consent');
    expect(await page.getByRole('status').first().textContent()).toBeDefined();
    const heard = () => page.locator('.only-heard[role=status]').textContent();
    expect(await heard()).toContain('What else may Northwind Robotics do?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await page.getByRole('switch', { checked: true }).count()).toBe(1);
    // The second switch, the notice (which keys can scroll), and the choice.
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await at('question');
    expect(await heard()).toContain('May we visit you?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await at('goodbye');
    expect(calls('session.answer')).toMatchObject([{ answer: true }]);
    await page.keyboard.press('Escape');
    await at('attract');
  });
});

describe('a question', () => {
  const ask = async (kind: keyof typeof demoQuestions) => {
    await standing({ questions: [demoQuestions[kind]] });
    await tapOn(scripted, page, captured({ openQuestions: everyQuestion }));
    await at('question');
  };
  const key = (name: string) => page.locator('.keyboard').getByRole('button', { name, exact: true });

  it('accepts letters of the on-screen keyboard, with capitals, accents and deletion', async () => {
    await ask('text');
    // A touch beside the field does not move the focus.
    await page.getByRole('heading').first().click();
    await key('Capital letters').click();
    for (const letter of ['C', 'a', 'f']) await key(letter).click();
    await key('áß Letters with accents').click();
    await key('é').click();
    await key('áß Letters').click();
    await key('Space').click();
    await key('x').click();
    await key('Delete').click();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('Café ');
    await button('Next').click();
    await at('goodbye');
    expect(calls('session.answer')).toMatchObject([{ answer: 'Café ' }]);
  });

  it('accepts letters of a real keyboard, even if they arrive fast', async () => {
    await ask('text');
    await page.getByLabel('Your answer').pressSequentially('a quieter 歯車');
    // A person presses Enter later than a scanner does.
    await keysSilent(page);
    await page.keyboard.press('Enter');
    await at('goodbye');
    expect(calls('session.answer')).toMatchObject([{ answer: 'a quieter 歯車' }]);
    expect(calls('taps.enter')).toEqual([]);
  });

  it('accepts several options', async () => {
    await ask('several');
    await page.getByRole('button', { name: 'Vision' }).click();
    await page.getByRole('button', { name: 'Service' }).click();
    await button('Next').click();
    await at('goodbye');
    expect(calls('session.answer')).toMatchObject([{ answer: ['o2', 'o5'] }]);
  });
});

describe('the content picker', () => {
  it('is offered by a lead touchpoint, searches five hundred contents, and shows one in detail', async () => {
    layOut(scripted, 500);
    await waitFor(page, '.notice-brief');
    scripted.tap(captured());
    await at('captured');
    await page.locator('.reward').click();
    await at('contentPicker');
    await page.getByText('1 of 125').waitFor();
    expect(await page.locator('.card').count()).toBe(4);
    await page.getByRole('searchbox').click();
    for (const letter of 'cart') await page.locator('.key', { hasText: new RegExp(`^${letter}$`) }).click();
    // The earlier contents stay until the results of the search arrive.
    const first = page.locator('.card-name').first();
    await expect.poll(() => first.innerText()).toBe('Cart M2 for warehouses');
    await button('Close').click();
    await page.locator('.card-look').first().click();
    await page.getByRole('heading', { name: 'Cart M2 for warehouses' }).waitFor();
    await page.getByRole('img', { name: 'On your phone' }).waitFor();
    await page.getByRole('button', { name: 'Take it: Cart M2' }).click();
    await page.getByRole('button', { name: 'Taken: Cart M2' }).waitFor();
    await button('Back').click();
    expect(await page.getByText('1 to take home').count()).toBe(1);
  });

  it('shows markup in a name as text, and a drawing for a missing or broken picture', async () => {
    scripted.setState({ purpose: 'content' });
    layOut(scripted, 8);
    await waitFor(page, '.notice-brief');
    scripted.tap(captured());
    await page.locator('.reward').click();
    await expect.poll(() => page.locator('.card img').count()).toBe(1);
    await expect.poll(() => page.locator('.card svg.content-drawing').count()).toBe(3);
    await button('Next page').click();
    await page.getByText('<b>Safety</b> & “fences”').waitFor();
  });

  it('takes the contents that were selected before the tap', async () => {
    scripted.setState({ purpose: 'content' });
    layOut(scripted, 8);
    await button('Choose first').click();
    await at('choosing');
    await page.getByRole('button', { name: 'Choose: Vision kit Lumen' }).click();
    await page.getByText('Then it is yours to take along.', { exact: true }).waitFor();
    const event = captured();
    scripted.tap(event);
    await at('captured');
    await page.getByText('1 to take home').first().waitFor();
    expect(calls('session.collect')).toEqual([{ factId: event.factId, content: 'content-3', take: true }]);
    scripted.tap(captured({ visitor: { name: 'Takeshi K.', company: null, language: null } }));
    await page.getByRole('heading', { name: 'Takeshi K.' }).waitFor();
    expect(await text()).not.toContain('Vision kit');
  });

  it('names the single content of a touchpoint, before and after the tap', async () => {
    const [, here = null] = demoOffer(2);
    scripted.setState({ purpose: 'content' });
    scripted.setStand({ ...fullStand, offer: { count: 12, here } });
    await page.getByRole('heading', { name: 'Arm R7' }).waitFor();
    scripted.tap(captured({ collected: here }));
    await at('captured');
    expect(await text()).toContain('Arm R7, 14 kg payload is yours.');
    expect(await text()).toContain('now has your contact details');
  });

  it('does not claim that the stand has the details of an unknown visitor', async () => {
    const [, here = null] = demoOffer(2);
    scripted.setState({ purpose: 'content' });
    scripted.setStand({ ...fullStand, offer: { count: 12, here } });
    scripted.tap(captured({ collected: here, visitor: null }));
    await at('captured');
    expect(await text()).toContain('gets your details as soon as your name is known');
    expect(await text()).not.toContain('now has your contact details');
  });
});

describe('a check-in', () => {
  beforeEach(async () => {
    scripted.setState({ purpose: 'checkin' });
    await standing({ activity: demoActivity });
  });

  it('names the activity, its place and its free seats before the tap', async () => {
    const said = await text();
    for (const part of ['Robots beside people', 'Forum 2', '38 places free']) expect(said).toContain(part);
  });

  it('offers no places of an activity that has ended', async () => {
    const end = Date.now() - 60_000;
    await standing({ activity: { ...demoActivity, start: end - 3_600_000, end } });
    await expect.poll(text).toContain('Ended');
    expect(await text()).not.toContain('places free');
  });

  it('welcomes visitors, and recognises those who are already in', async () => {
    scripted.tap(captured({ checkin: { result: 'welcome', since: Date.now(), count: 43 } }));
    await waitFor(page, '.display[data-shape="welcome"]');
    expect(await text()).toContain('43 people are in.');
    scripted.tap(captured({ checkin: { result: 'again', since: Date.now(), count: 43 } }));
    await waitFor(page, '.display[data-shape="inAlready"]');
  });

  it.each(['notRegistered', 'full', 'restricted'] as const)(
    'shows %s, names the team as help, and does not speak of an error',
    async (reason) => {
      scripted.tap({ kind: 'notAdmitted', at: Date.now(), reason });
      await waitFor(page, `.display[data-shape="${reason}"]`);
      expect(await text()).toMatch(/team/i);
      expect((await text()).toLowerCase()).not.toContain('error');
    },
  );
});

describe('a badge of two people', () => {
  it('sends the visitor to the stand team', async () => {
    scripted.tap({ kind: 'refused', at: Date.now(), reason: 'clash' });
    await waitFor(page, '.display[data-shape="clash"]');
    expect(await text()).toContain('We cannot tell whose badge this is. Please ask the stand team.');
  });
});

describe('the confirmation e-mail', () => {
  it.each([
    ['sent', 'It goes to the address you registered with.'],
    ['queued', 'No network right now.'],
    ['impossible', 'It cannot be sent from here.'],
  ] as const)('says that it is %s', async (answer, words) => {
    await standing({ consents: [], questions: [] });
    scripted.emailAnswer = answer;
    scripted.tap(captured());
    await at('captured');
    await button('Send my confirmation e-mail again').click();
    await page.getByText(words).waitFor();
  });
});
