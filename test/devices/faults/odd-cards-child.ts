/**
 * Runs inside a test's namespace: puts odd cards on one slot of the virtual reader and exits. Arguments: port, seed,
 * shortest and longest stay in milliseconds, number of the first card, count.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { chance, layOddCard } from './odd-card.ts';

const [port = 0, seed = 0, shortest = 0, longest = 0, first = 0, count = 0] = process.argv
  .slice(2)
  .map(Number);

for (let card = first; card < first + count; card += 1) {
  const random = chance(seed * 1009 + card);
  await layOddCard(port, shortest + random() * (longest - shortest), random);
  await wait(random() * 450);
}
