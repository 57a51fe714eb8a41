/**
 * Writes a picture of every screen in every size and language, and one page to look through them.
 *
 * Run by `npm run gallery`; arguments narrow it down: `--only captured --size portrait --language de --dark`, and
 * `--contrast`, `--large` and `--low` show it with comfort.
 * Invariant: pictures come from the built renderer behind the scripted scripted, as the tests see it.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fakeCamera, openPage, sizes, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { openScriptedDevice } from '../device/scripted-device.ts';
import { bringTo, screens } from './screens.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
    dark: { type: 'boolean', default: false },
    contrast: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    low: { type: 'boolean', default: false },
  },
});

const root = join(import.meta.dirname, '../../..');
const out = join(root, 'out/gallery');
await mkdir(out, { recursive: true });
const renderer = await buildRenderer();
const browser = await startBrowser(fakeCamera);
const pictures: string[] = [];
const scripted = await openScriptedDevice(renderer);
scripted.comfort = {
  contrast: values.contrast ? 'high' : 'usual',
  text: values.large ? 'large' : 'usual',
  reach: values.low ? 'low' : 'usual',
};
const marks = (['dark', 'contrast', 'large', 'low'] as const).filter((mark) => values[mark]);
for (const language of values.language ?? ['en', 'de', 'ar', 'ja']) {
  for (const size of sizes.filter(({ name }) => !values.size || values.size.includes(name))) {
    const { page } = await openPage(browser, scripted.url, { size, language, dark: values.dark });
    for (const screen of screens.filter(({ name }) => !values.only || values.only.includes(name))) {
      await bringTo(screen, scripted, page);
      await page.waitForTimeout(60);
      const file = [screen.name, size.name, language, ...marks, 'png'].join('.');
      await page.screenshot({ path: join(out, file) });
      pictures.push(file);
    }
    await page.context().close();
  }
}
await scripted.close();
await browser.close();
const figures = pictures.map(
  (file) => `<figure><img src="${file}" loading="lazy"><figcaption>${file}</figcaption></figure>`,
);
await writeFile(
  join(out, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Touchpoint: every screen</title>
<style>body{font:15px sans-serif;background:#ddd;display:grid;grid-template-columns:repeat(auto-fill,minmax(30rem,1fr));gap:1rem}img{width:100%}figure{margin:0}</style>
${figures.join('\n')}\n`,
);
process.stdout.write(`${pictures.length} pictures in ${out}\n`);
