/** The display in real Chromium: input from a visitor and from a scanner, and a lost device. */
import { describe, expect, it } from 'vitest';
import { brandRoles } from '../../../../src-renderer/theme/brand.ts';
import { scannerTimes } from '../../../../src-renderer/times.ts';
import { openPage, waitFor } from '../../browser.ts';
import { captured, capturedForLong } from '../../device/captured.ts';
import { keysSilent, scan } from '../../device/scan.ts';
import { openEntry } from '../../device/scripted-staff.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';
import { someTouchpoints } from '../../screens/screens.ts';

const { browser, scripted, page, complaints } = await showDisplay();

const shows = (shape: string) => waitFor(page, `.display[data-shape="${shape}"]`);
const headline = () => page.locator('h1').textContent();

describe('the display', () => {
  it('names the captured visitor, announces it, and breaks no content policy', async () => {
    scripted.tap(captured());
    await shows('captured');
    expect(await headline()).toBe('Thank you,\nAmélie B.');
    expect(await page.locator('[role=status]').first().textContent()).toContain('Thank you,\nAmélie B.');
    expect(complaints).toEqual([]);
  });

  it('undoes a tap on request', async () => {
    const event = capturedForLong();
    scripted.tap(event);
    await shows('captured');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await shows('undone');
    expect(scripted.calls).toEqual([{ call: 'taps.undo', input: { factId: event.factId } }]);
  });

  it('says that it is too late for an undo', async () => {
    scripted.undoAnswer = 'expired';
    scripted.tap(capturedForLong());
    await shows('captured');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText('The time to take it back is over').waitFor();
  });

  it('formats times as at the fair, even in English, and puts one full stop after a company name that ends with one', async () => {
    scripted.setState({
      partner: { id: '1', name: 'Northwind Inc.', stand: null },
      event: { id: '1', name: 'Fair', timezone: 'Europe/London' },
    });
    await page.getByText('contact details with Northwind Inc.', { exact: false }).first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Inc..');
    scripted.tap(captured({ repeat: { count: 2, since: Date.parse('2026-11-20T16:53:00Z') } }));
    await page.getByText('have been connected since Fri 16:53. This was tap 2.').first().waitFor();
  });

  it("switches to the visitor's language and back", async () => {
    scripted.tap(captured({ visitor: { name: 'حسن م.', company: null, language: 'ar' } }));
    await shows('captured');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.keyboard.press('Escape');
    await shows('attract');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('shows a name as text, never as HTML', async () => {
    scripted.tap(
      captured({ visitor: { name: '<img src=x onerror=alert(1)> {name}', company: null, language: null } }),
    );
    await shows('captured');
    expect(await headline()).toContain('<img src=x onerror=alert(1)> {name}');
    expect(await page.locator('h1 img').count()).toBe(0);
  });

  it('says that it lost its device, forgets the visitor, and reconnects', async () => {
    scripted.tap(captured());
    await shows('captured');
    scripted.cut();
    await shows('linkLost');
    expect(await page.locator('body').textContent()).not.toContain('Amélie');
    expect(await page.locator('.mark').innerText()).toBe('E-31 · B17 left');
    scripted.restore();
    await shows('attract');
    scripted.tap(captured());
    await shows('captured');
  });

  it('shows a second visitor after the first, never both', async () => {
    scripted.tap(captured());
    scripted.tap(captured({ visitor: { name: 'Takeshi K.', company: null, language: null } }));
    await page.getByText('Takeshi K.').first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Amélie');
  });
});

describe('a keyboard scanner', () => {
  it('works without a focused field', async () => {
    await scan(page, 'AB12CD34');
    await expect
      .poll(() => scripted.calls)
      .toEqual([{ call: 'taps.enter', input: { text: 'AB12CD34', source: 'wedge' } }]);
  });

  it.each([
    ['', -100],
    [', even with timestamps ahead of its clock', 1_000],
  ])('is read completely by a page that receives its keys late%s', async (_where, ahead) => {
    await page.evaluate(`(async () => {
      const pressedAt = performance.now() + ${ahead};
      for (const [nth, key] of [...'AB12CD34'].entries()) {
        const event = new KeyboardEvent('keydown', { key });
        Object.defineProperty(event, 'timeStamp', { value: pressedAt + 3 * nth });
        window.dispatchEvent(event);
        await new Promise((heard) => setTimeout(heard, nth === 1 ? 400 : 80));
      }
    })()`);
    await expect
      .poll(() => scripted.calls.map(({ input }) => input))
      .toEqual([{ text: 'AB12CD34', source: 'wedge' }]);
  });

  it('is read completely by a page that stalls in the middle of a code for as long as the pause that ends a code', async () => {
    await page.evaluate(`(async () => {
      const pressedAt = performance.now();
      const press = (keys, from) => {
        for (const [nth, key] of [...keys].entries()) {
          const event = new KeyboardEvent('keydown', { key });
          Object.defineProperty(event, 'timeStamp', { value: pressedAt + 3 * (from + nth) });
          window.dispatchEvent(event);
        }
      };
      press('AB12CD3', 0);
      const heard = new Promise((done) => setTimeout(done, ${scannerTimes.silence + 1}));
      while (performance.now() < pressedAt + ${scannerTimes.silence + 5});
      await heard;
      press('4', 7);
    })()`);
    await expect
      .poll(() => scripted.calls.map(({ input }) => input))
      .toEqual([{ text: 'AB12CD34', source: 'wedge' }]);
  });

  it("is read completely if its key timestamps run ahead of the page's clock", async () => {
    await scan(page, 'AB12CD34', 1000);
    await expect
      .poll(() => scripted.calls)
      .toEqual([{ call: 'taps.enter', input: { text: 'AB12CD34', source: 'wedge' } }]);
  });

  it('does not press the focused button', async () => {
    scripted.tap(capturedForLong());
    await shows('captured');
    await page.getByRole('button', { name: 'Take it back' }).focus();
    await scan(page, 'AB12CD34\n');
    await expect.poll(() => scripted.calls.map(({ call }) => call)).toEqual(['taps.enter']);
  });

  it('leaves nothing in the focused field', async () => {
    scripted.entry.set(openEntry);
    await page.keyboard.press('F2');
    const search = page.getByRole('searchbox');
    await search.fill('Ann');
    await scan(page, 'AB12CD34\n');
    await expect.poll(() => scripted.calls.some(({ call }) => call === 'taps.enter')).toBe(true);
    expect(await search.inputValue()).toBe('Ann');
  });

  it('does not change a text that is being typed, and fast typing or a whole word at once is not a scan', async () => {
    scripted.entry.set(openEntry);
    await page.keyboard.press('F2');
    const search = page.getByRole('searchbox');
    await search.fill('Ann, Bob');
    for (let back = 0; back < 5; back += 1) await page.keyboard.press('ArrowLeft');
    await scan(page, 'AB12CD34');
    await expect.poll(() => scripted.calls.filter(({ call }) => call === 'taps.enter')).toHaveLength(1);
    expect(await search.inputValue()).toBe('Ann, Bob');
    await scan(page, ' completion');
    await keysSilent(page);
    expect(await search.inputValue()).toBe('Ann completion, Bob');
    // Calls arrive in order: a call with a code from this text would arrive before the next search.
    await search.fill('Carol');
    await expect.poll(() => JSON.stringify(scripted.calls.at(-1))).toContain('Carol');
    expect(scripted.calls.filter(({ call }) => call === 'taps.enter')).toHaveLength(1);
  });

  it('that never stops blocks no tap, and its codes stay short', { timeout: 60_000 }, async () => {
    await page.evaluate(
      "for (let i = 0; i < 400_000; i += 1) window.dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }))",
    );
    await expect.poll(() => scripted.calls.length, { timeout: 40_000 }).toBeGreaterThan(0);
    for (const { input } of scripted.calls)
      expect((input as { text: string }).text.length).toBeLessThanOrEqual(4096);
    scripted.tap(captured());
    await shows('captured');
  });
});

describe('a typed code', () => {
  it('is sent, and the screen says that it is not a badge', async () => {
    await page.getByRole('button', { name: 'type the code' }).click();
    await page.getByLabel('Badge code').pressSequentially('NOTACODE', { delay: 70 });
    await page.keyboard.press('Enter');
    await shows('notABadge');
    expect(scripted.calls).toEqual([{ call: 'taps.enter', input: { text: 'NOTACODE', source: 'manual' } }]);
  });
});

describe('the choice of the stand', () => {
  const open = async () => {
    scripted.touchpoints = someTouchpoints;
    scripted.setState({ assignmentFault: { kind: 'unchosen' } });
    await page.getByRole('button', { name: 'Northwind Robotics' }).click();
    await page.getByRole('button', { name: 'This is our stand' }).click();
  };
  const choices = () => scripted.calls.filter(({ call }) => call === 'device.choose');

  it('asks a visitor for the PIN of the team', async () => {
    scripted.choicePin = '2580';
    await open();
    const pin = page.getByLabel('PIN of the stand team');
    await pin.fill('1111');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is wrong.').waitFor();
    for (const digit of '2580') await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'This is our stand' }).click();
    await expect.poll(choices).toHaveLength(3);
    expect(choices().at(-1)?.input).toEqual({ touchpoint: 'T1', pin: '2580' });
    await page.getByLabel('PIN of the stand team').waitFor({ state: 'detached' });
  });

  it('has its digits in the order of a phone, even in Arabic', async () => {
    scripted.choicePin = '2580';
    await open();
    await page.getByLabel('PIN of the stand team').waitFor();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    const left = async (digit: string) =>
      (await page.getByRole('button', { name: digit, exact: true }).boundingBox())?.x ?? 0;
    expect(await left('1')).toBeLessThan(await left('3'));
  });

  it('goes back to the list without a PIN', async () => {
    scripted.choicePin = '2580';
    await open();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'Cargo Systems' }).waitFor();
    expect(choices()).toHaveLength(1);
  });
});

describe('the Electron shell', () => {
  it('uses a message port and gets a new one when that closes', async () => {
    const { page: shell } = await openPage(browser, 'about:blank', { size: laptop, language: 'en' });
    await shell.addInitScript(portShell);
    await shell.goto(scripted.url);
    await waitFor(shell, '.display[data-shape="attract"]');
    scripted.tap(captured());
    await waitFor(shell, '.display[data-shape="captured"]');
    scripted.cut();
    await waitFor(shell, '.display[data-shape="linkLost"]');
    scripted.restore();
    await waitFor(shell, '.display[data-shape="attract"]');
    await shell.getByRole('button', { name: 'type the code' }).click();
    await shell.getByLabel('Badge code').fill('AB12');
    await shell.keyboard.press('Enter');
    await expect.poll(() => scripted.calls.map(({ call }) => call)).toEqual(['taps.enter']);
    await shell.context().close();
  });
});

describe("the partner's colour", () => {
  it('replaces the colour of the app and is made readable', async () => {
    scripted.setState({ partner: { id: '7', name: 'Sunny Foods', stand: null, colour: '#ffe600' } });
    await page.getByText('Sunny Foods').first().waitFor();
    const brand = await page.evaluate(
      "getComputedStyle(document.documentElement).getPropertyValue('--brand')",
    );
    expect(brand).toBe(brandRoles('#ffe600', 'light')?.brand);
  });
});

/**
 * Acts as the preload, with a WebSocket in place of the main process. The messages are the same on both. Electron's
 * ports have their own `close` event, so this code fires it.
 */
const portShell = `
  let page;
  window.addEventListener('message', (event) => { page = event.ports[0]; });
  window.touchpoint = {
    connect() {
      const { port1, port2 } = new MessageChannel();
      const socket = new WebSocket('ws://' + location.host + '/rpc');
      let opened = false;
      socket.onopen = () => {
        opened = true;
        port1.onmessage = ({ data }) => socket.send(data);
        socket.onmessage = async ({ data }) => port1.postMessage(typeof data === 'string' ? data : await data.arrayBuffer());
        window.postMessage('touchpoint:port', location.origin, [port2]);
      };
      socket.onclose = () => {
        if (opened) page.dispatchEvent(new Event('close'));
        else setTimeout(() => window.touchpoint.connect(), 200);
      };
    },
  };
`;
