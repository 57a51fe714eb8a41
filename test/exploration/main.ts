/**
 * `npm run explore`: runs the explorer on the demo for `--minutes` (10) from `--seed` on (default: random).
 * Exits with 1 if it found a fault. stdout shows the seed of each fault and the actions before it;
 * `out/exploration` holds the pictures.
 */
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readOptions } from '../../src-main/commands/command-line.ts';
import { createChance } from '../simulation/chance.ts';
import { openDemo } from './demo-visit.ts';
import { explore } from './explorer.ts';

/** Number of actions in one visit. */
const actionsEach = 40;

const help = `Runs random actions of visitors on the demo, and checks the properties that must always hold on its screen.

  npm run explore -- [--minutes N] [--seed N]

  --minutes N   duration (default: 10)
  --seed N      the first seed, to repeat a run (default: a random one)
  --help        this text
`;

const values = readOptions({ minutes: { type: 'string' }, seed: { type: 'string' } }, help);
const from = Number(values.seed ?? randomInt(1_000_000));

const pictures = join(import.meta.dirname, '../../out/exploration');
await mkdir(pictures, { recursive: true });
const demo = await openDemo();
const until = performance.now() + Number(values.minutes ?? 10) * 60_000;
let visits = 0;
let faults = 0;
try {
  for (let seed = from; performance.now() < until; seed += 1) {
    const found = await explore(demo, createChance(seed), actionsEach);
    visits += 1;
    faults += found.length;
    for (const { property, said, steps, picture } of found) {
      process.stdout.write(`seed ${seed}, ${property}: ${said}\n  after ${steps.join('; ')}\n`);
      await writeFile(join(pictures, `${seed} ${property}.png`), picture);
    }
    if (visits % 20 === 0)
      process.stderr.write(`${visits} visits, ${visits * actionsEach} actions, ${faults} faults\n`);
  }
} finally {
  await demo.close();
}
process.stdout.write(
  `${faults} faults in ${visits} visits of ${actionsEach} actions, seeds ${from} to ${from + visits - 1}\n`,
);
process.exitCode = faults > 0 ? 1 : 0;
