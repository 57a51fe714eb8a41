/**
 * Walks every screen for visitors through every size, language and look, for the night: layout, contrast of every text
 * from the pixels behind it, targets, axe. `npm run walk`; `--language`, `--size` and `--only` narrow it down.
 *
 * Invariants: stdout gets the faults and their number, how far it is goes to stderr; it ends with 1 when there is a fault.
 */
import { parseArgs } from 'node:util';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { fakeCamera, narrowSizes, sizes, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { progressLine } from './gallery-progress.ts';
import { screens } from './screens.ts';
import { walk } from './walk.ts';

/** Screens of one go: how far it is, is told after each. */
const atOnce = 8;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
  },
});

const looks: readonly (readonly [dark: boolean, comfort: Partial<ScreenSetup>])[] = [
  [false, {}],
  [true, {}],
  [false, { contrast: 'high' }],
  [false, { text: 'large' }],
  [true, { contrast: 'high', text: 'large', reach: 'low' }],
];
const languages = values.language ?? ['en', 'de', 'ar', 'ja'];
const inSizes = [...sizes, ...narrowSizes].filter(({ name }) => values.size?.includes(name) ?? true);
const walked = screens.filter(
  ({ name }) => !name.startsWith('staff') && (values.only?.includes(name) ?? true),
);
const goes = languages.flatMap((language) =>
  looks.flatMap(([dark, comfort]) =>
    Array.from({ length: Math.ceil(walked.length / atOnce) }, (_, go) => ({
      look: { language, dark, comfort, contrastIn: inSizes.map(({ name }) => name) },
      part: walked.slice(go * atOnce, (go + 1) * atOnce),
    })),
  ),
);

const root = await buildRenderer();
const browser = await startBrowser(fakeCamera);
const started = performance.now();
let found = 0;
try {
  for (const [index, { look, part }] of goes.entries()) {
    const named = `${look.language}${look.dark ? ', dark' : ''} ${Object.values(look.comfort).join(' ')}`;
    const faults = await walk(browser, root, look, part, inSizes);
    found += faults.length;
    for (const fault of faults) process.stdout.write(`${named}: ${fault}\n`);
    const line = progressLine(index + 1, goes.length, performance.now() - started, named.trim(), 'walks');
    process.stderr.write(`${line}\n`);
  }
} finally {
  await browser.close();
}
process.stdout.write(`${found} faults of ${walked.length} screens in ${inSizes.length} sizes\n`);
process.exitCode = found > 0 ? 1 : 0;
