/**
 * Writes a picture of every screen in every size and in four languages, and a page to browse them. With `--readme` it
 * writes the two pictures of the README instead.
 *
 * Run by `npm run gallery`. Arguments select a part: `--only captured --size portrait --language de
 * --dark`. `--contrast`, `--large` and `--low` use comfort settings, `--forced` forced colours. Zoom
 * and letters of 200 % show the screens for visitors, in full length if they scroll.
 *
 * Invariants:
 * - Pictures come from the built renderer behind the scripted device, as in the tests.
 * - Stdout gets only the result, stderr the progress.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { readOptions } from '../../../src-main/commands/command-line.ts';
import {
  fakeCamera,
  idle,
  narrowSizes,
  openPage,
  resize,
  type Size,
  sizes,
  smallSizes,
  startBrowser,
} from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { demoPictures } from '../device/demo-stand.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { progressLine } from './gallery-progress.ts';
import { bringTo } from './screen.ts';
import { pictured } from './screens.ts';

const root = join(import.meta.dirname, '../../..');

/** Interval in milliseconds between two progress lines that cannot replace each other. */
const linePause = 10_000;

const help = `Writes a picture of every screen to out/gallery, and a page to look through them.

  npm run gallery -- [--only SCREEN] [--size NAME] [--language CODE] [--dark] [--contrast] [--large] [--low] [--forced]

  --only, --size and --language may be given several times and narrow the gallery down; without them, all.
  --dark, --contrast, --large, --low and --forced change the look.
  --readme   the two pictures of the README instead
  --help     this text
`;

const values = readOptions(
  {
    readme: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
    dark: { type: 'boolean', default: false },
    contrast: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    low: { type: 'boolean', default: false },
    forced: { type: 'boolean', default: false },
  },
  help,
);

const browser = await startBrowser(fakeCamera);
const scripted = await openScriptedDevice(await buildRenderer());
try {
  const result = values.readme ? await readmePictures(browser, scripted) : await gallery(browser, scripted);
  process.stdout.write(`${result}\n`);
} finally {
  await scripted.close();
  await browser.close();
}

/** All requested pictures, and the page to browse them. */
async function gallery(browser: Browser, scripted: ScriptedDevice): Promise<string> {
  const out = join(root, 'out/gallery');
  await mkdir(out, { recursive: true });
  scripted.comfort = {
    contrast: values.contrast ? 'high' : 'usual',
    text: values.large ? 'large' : 'usual',
    reach: values.low ? 'low' : 'usual',
  };
  scripted.pictures = demoPictures(500);
  const marks = (['dark', 'contrast', 'large', 'low', 'forced'] as const).filter((mark) => values[mark]);
  const languages = values.language ?? ['en', 'de', 'ar', 'ja'];
  const wanted = [...sizes, ...narrowSizes].filter(({ name }) => values.size?.includes(name) ?? true);
  const drawn = pictured.filter(({ name }) => !values.only || values.only.includes(name));
  const forVisitors = drawn.filter(({ name }) => !name.startsWith('staff'));
  const drawnIn = (size: Size) => ([...sizes, ...smallSizes].includes(size) ? drawn : forVisitors);
  const pictures: string[] = [];
  const ofLanguage = wanted.reduce((sum, size) => sum + drawnIn(size).length, 0);
  const tell = progress(languages.length * ofLanguage);
  for (const language of languages) {
    for (const size of wanted) {
      const { page } = await openPage(browser, scripted.url, {
        size,
        language,
        dark: values.dark,
        voices: [language],
      });
      if (values.forced) await page.emulateMedia({ forcedColors: 'active' });
      for (const screen of drawnIn(size)) {
        // On a small screen, the control that a visitor needs next may be outside the visible part.
        const narrow = narrowSizes.includes(size) && !screen.name.startsWith('staff');
        if (narrow) await resize(page, sizes[0] ?? size);
        await bringTo(screen, scripted, page);
        if (narrow) await resize(page, size);
        await idle(page);
        const file = [screen.name, size.name, language, ...marks, 'png'].join('.');
        await page.screenshot({
          path: join(out, file),
          fullPage: narrow,
        });
        pictures.push(file);
        tell(pictures.length, file);
      }
      await page.context().close();
    }
  }
  await writeFile(join(out, 'index.html'), pageOf(pictures));
  return `${pictures.length} pictures in ${out}`;
}

/** The captured screen and the staff page as the README shows them: laptop, English, light, few colours. */
async function readmePictures(browser: Browser, scripted: ScriptedDevice): Promise<string> {
  const out = join(root, 'docs/pictures');
  await mkdir(out, { recursive: true });
  const size = { name: 'laptop', width: 1280, height: 800 };
  const { page } = await openPage(browser, scripted.url, { size, language: 'en' });
  const written: string[] = [];
  for (const name of ['captured', 'staff']) {
    const screen = pictured.find((one) => one.name === name);
    if (!screen) throw new Error(`There is no screen "${name}"`);
    await bringTo(screen, scripted, page);
    await idle(page);
    const file = join(out, `${name}.png`);
    const { size: bytes } = await sharp(await page.screenshot())
      .png({ palette: true, colours: 128, effort: 10, compressionLevel: 9 })
      .toFile(file);
    written.push(`${relative(root, file)} (${Math.ceil(bytes / 1000)} kB)`);
  }
  return written.join('\n');
}

/**
 * Prints the progress: on a terminal in one line that is replaced after every picture, elsewhere in a new line now
 * and then.
 */
function progress(total: number): (done: number, latest: string) => void {
  const started = performance.now();
  let toldAt = started;
  const { stderr } = process;
  stderr.write(`${progressLine(0, total, 0, '')}\n`);
  return (done, latest) => {
    const now = performance.now();
    const line = progressLine(done, total, now - started, latest);
    if (stderr.isTTY) stderr.write(`\r\x1b[K${line}${done === total ? '\n' : ''}`);
    else if (done === total || now - toldAt >= linePause) {
      stderr.write(`${line}\n`);
      toldAt = now;
    }
  };
}

function pageOf(pictures: readonly string[]): string {
  const figures = pictures.map(
    (file) => `<figure><img src="${file}" loading="lazy"><figcaption>${file}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Touchpoint: every screen</title>
<style>body{font:15px sans-serif;background:#ddd;display:grid;grid-template-columns:repeat(auto-fill,minmax(30rem,1fr));gap:1rem}img{width:100%}figure{margin:0}</style>
${figures.join('\n')}\n`;
}
