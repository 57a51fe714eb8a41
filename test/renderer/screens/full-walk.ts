/**
 * Checks every visitor screen in every size and look and in four languages, for the nightly run. The staff pages are
 * checked in their sizes and looks. The checks: layout, contrast of every text against the pixels behind it, targets,
 * axe. Run by `npm run walk`; `--language`, `--size`, `--look` and `--only` select a part.
 *
 * Invariants:
 * - Stdout gets the faults and their number, stderr the progress.
 * - Exits with 1 if there is a fault.
 */
import { readOptions } from '../../../src-main/commands/command-line.ts';
import { fakeCamera, narrowSizes, type Size, sizes, smallSizes, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { progressLine } from './gallery-progress.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';
import { type Look, walk } from './walk.ts';

/** Screens per batch; the progress is printed after each. */
const atOnce = 8;

const help = `Walks every screen in every size, language and look: layout, contrast, targets, accessibility rules.

  npm run walk -- [--only SCREEN] [--size NAME] [--language CODE] [--look NAME]

  Each option may be given several times and narrows the walk down; without it, all.
  --help   this text
`;

const values = readOptions(
  {
    only: { type: 'string', multiple: true },
    size: { type: 'string', multiple: true },
    language: { type: 'string', multiple: true },
    look: { type: 'string', multiple: true },
  },
  help,
);

const looks: Readonly<Record<string, Pick<Look, 'dark' | 'forced' | 'comfort'>>> = {
  usual: { dark: false, comfort: {} },
  dark: { dark: true, comfort: {} },
  forced: { dark: false, forced: true, comfort: {} },
  contrast: { dark: false, comfort: { contrast: 'high' } },
  large: { dark: false, comfort: { text: 'large' } },
  low: { dark: false, comfort: { reach: 'low' } },
  everything: { dark: true, comfort: { contrast: 'high', text: 'large', reach: 'low' } },
};
/**
 * The settings of the look with this name. If the system forces its colours, the contrast is that of the system.
 */
function lookOf(name: string): Omit<Look, 'language'> {
  const look = looks[name];
  if (!look) throw new Error(`There is no look "${name}", only ${Object.keys(looks).join(', ')}`);
  return { ...look, contrastIn: () => (look.forced ? [] : inSizes.map((size) => size.name)) };
}

const languages = values.language ?? ['en', 'de', 'ar', 'ja'];
const inSizes = [...sizes, ...narrowSizes].filter(({ name }) => values.size?.includes(name) ?? true);
const walked = screens.filter(({ name }) => values.only?.includes(name) ?? true);
const [behind = [], inFront = []] = [true, false].map((isStaff) =>
  walked.filter(({ name }) => name.startsWith('staff') === isStaff),
);

/** The screens of `of` in each look, in batches of a few screens. */
const goesOf = (of: readonly Screen[], named: readonly string[], ofSizes: readonly Size[]) =>
  (ofSizes.length === 0 ? [] : languages).flatMap((language) =>
    named.flatMap((lookName) =>
      Array.from({ length: Math.ceil(of.length / atOnce) }, (_, go) => ({
        named: lookName,
        look: { ...lookOf(lookName), language },
        part: of.slice(go * atOnce, (go + 1) * atOnce),
        ofSizes,
      })),
    ),
  );
const wanted = values.look ?? Object.keys(looks);
// The staff pages have no comfort settings and no layout for a zoomed page.
const ofTeam = [...sizes, ...smallSizes];
const goes = [
  ...goesOf(inFront, wanted, inSizes),
  ...goesOf(
    behind,
    wanted.filter((name) => ['usual', 'dark', 'forced'].includes(name)),
    inSizes.filter(({ name }) => ofTeam.some((size) => size.name === name)),
  ),
];

const root = await buildRenderer();
const browser = await startBrowser(fakeCamera);
const started = performance.now();
let found = 0;
try {
  for (const [index, { named: lookName, look, part, ofSizes }] of goes.entries()) {
    const named = `${look.language}, ${lookName}`;
    const faults = await walk(browser, root, look, part, () => ofSizes);
    found += faults.length;
    for (const fault of faults) process.stdout.write(`${named}: ${fault}\n`);
    const line = progressLine(index + 1, goes.length, performance.now() - started, named, 'walks');
    process.stderr.write(`${line}\n`);
  }
} finally {
  await browser.close();
}
process.stdout.write(`${found} faults of ${walked.length} screens in ${inSizes.length} sizes\n`);
process.exitCode = found > 0 ? 1 : 0;
