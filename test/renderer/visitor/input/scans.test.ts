/** Scanners of five speeds in real Chromium: into a note and into the display. No code is lost and none is typed. */
import { describe, expect, it } from 'vitest';
import { demoLeads } from '../../device/demo-leads.ts';
import { keysSilent, scan } from '../../device/scan.ts';
import { openEntry } from '../../device/scripted-staff.ts';
import { showDisplay } from '../../device/shown-display.ts';

const { scripted, page } = await showDisplay();

/** Milliseconds between two keys: wired scanners send at 5 to 15, Bluetooth scanners at 30 to 80. */
const gaps = [5, 15, 30, 50, 80];
/** Time limit for a busy machine. */
const patient = { timeout: 20_000 };

const codes = (gap: number) =>
  ['A', 'B', 'C'].map((nth) => `04${nth}1B2C3D4E5${String(gap).padStart(2, '0')}`);
const heard = () => scripted.calls.filter(({ call }) => call === 'taps.enter').map(({ input }) => input);
const scanAll = async (gap: number, between: () => Promise<void>) => {
  const expected: object[] = [];
  for (const text of codes(gap)) {
    await scan(page, `${text}\n`, 0, gap);
    expected.push({ text, source: 'wedge' });
    await expect.poll(heard, patient).toEqual(expected);
    await between();
  }
};

describe('three scans', () => {
  it.each(gaps)(
    'on the display arrive as three codes, with %d ms between keys',
    { timeout: 120_000 },
    async (gap) => {
      await scanAll(gap, () => keysSilent(page));
      expect(await page.locator('.display').getAttribute('data-view')).toBe('attract');
    },
  );

  it.each(gaps)(
    'in a note arrive as three codes and do not change the note, with %d ms between keys',
    {
      timeout: 120_000,
    },
    async (gap) => {
      scripted.leads.all = demoLeads(5);
      scripted.entry.set(openEntry);
      await page.keyboard.press('F2');
      const note = page.getByLabel('Note', { exact: true });
      await note.fill('Call ');
      await scanAll(gap, async () => {
        await expect.poll(() => note.inputValue(), patient).toBe('Call ');
        await note.focus();
        await keysSilent(page);
      });
      // The lead keeps only the typed text. A machine that stalls within a code may save the beginning of the code
      // for a moment.
      const saved = () => scripted.calls.filter(({ call }) => call === 'leads.edit').at(-1)?.input;
      await expect.poll(saved, patient).toMatchObject({ change: { note: 'Call ' } });
    },
  );
});
