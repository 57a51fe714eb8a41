/**
 * The explorer: runs random actions on a page and checks all properties after each action.
 *
 * Invariants:
 * - The same seed and the same pages give the same actions.
 * - At the end of each visit the explorer waits without input until the screen is idle.
 * - A fault includes all actions before it.
 */
import type { Size } from '../renderer/browser.ts';
import { idle } from '../renderer/browser.ts';
import type { Chance } from '../simulation/chance.ts';
import { act, type Done, wait } from './actions.ts';
import type { Demo, Visit } from './demo-visit.ts';
import { type Fault, heardLeaks, leaks, look, primaryFaults, type Traces, textFaults } from './properties.ts';

/** A fault, the actions that led to it, and a picture of the page. */
export type Found = Fault & { readonly steps: readonly string[]; readonly picture: Buffer };

/** After this time an untouched screen must be idle: twice the longest sum of its timeouts, in milliseconds. */
const restWithin = 180_000;

export const exploredSizes: readonly Size[] = [
  { name: 'landscape', width: 1920, height: 1080 },
  { name: 'portrait', width: 1080, height: 1920 },
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'small', width: 1024, height: 600 },
  { name: 'smallest', width: 800, height: 480 },
];

/**
 * One visit of `actions` actions. Returns the first fault of each property. `script` runs in the page before
 * everything else.
 */
export async function explore(
  demo: Demo,
  chance: Chance,
  actions: number,
  script?: string,
): Promise<readonly Found[]> {
  const size = chance.pick(exploredSizes);
  const language = chance.pick(['en', 'de', 'fr', 'ar', 'ja', 'zh', 'nl']);
  const visit = await demo.open(size, language, script);
  const steps = [`${size.name}, ${language}`];
  const found = new Map<Fault['property'], Found>();
  const note = async (faults: readonly Fault[]) => {
    for (const fault of faults.filter(({ property }) => !found.has(property)))
      found.set(fault.property, { ...fault, steps: [...steps], picture: await visit.page.screenshot() });
  };
  try {
    const traces = createTraces();
    for (let done = 0; done < actions; done += 1) {
      const what = await act(visit, chance);
      steps.push(what.said);
      traces.add(what);
      await note(await faultsNow(visit, traces));
    }
    visit.restore();
    await note(await faultsAtRest(visit, traces, steps));
    await note(visit.complaints.map((said) => ({ property: 'sound', said })));
  } finally {
    await visit.close();
  }
  return [...found.values()];
}

/**
 * Traces of earlier visitors. A word belongs to an earlier visitor once the screen is idle or greets the next
 * visitor.
 */
type TracesLeft = {
  readonly add: (done: Done) => void;
  readonly see: (view: string) => void;
  readonly now: () => Traces;
};

const restsOrGreets = new Set(['attract', 'firstSync', 'outOfOrder', 'linkLost', 'captured']);

function createTraces(): TracesLeft {
  const persons = new Map<string, readonly string[]>();
  let words: readonly string[] = [];
  const pastWords: string[] = [];
  return {
    add: ({ person, word }) => {
      if (person) persons.set(person.join(), person);
      if (word) words = [...words, word];
    },
    see: (view) => {
      if (!restsOrGreets.has(view)) return;
      pastWords.push(...words);
      words = [];
    },
    now: () => ({ persons: [...persons.values()], pastWords }),
  };
}

async function faultsNow({ page }: Visit, traces: TracesLeft): Promise<Fault[]> {
  await idle(page);
  const seen = await look(page);
  if (seen.view === null) return [];
  traces.see(seen.view);
  const faults = [...leaks(seen, traces.now()), ...primaryFaults(seen)];
  // An overlay and a name of maximum length have their own rules.
  const mayCut = /schillingsfürst/.test(seen.words);
  const covered = await page.locator('[role=dialog]').count();
  if (covered === 0) faults.push(...(await textFaults(page, seen, mayCut)));
  // The page may have changed during the measurement.
  const after = await look(page);
  return after.view === seen.view ? faults : faults.filter(({ property }) => property !== 'no text cut');
}

/** Without further input, the screen becomes idle, and no trace of a visitor remains on it. */
async function faultsAtRest({ page }: Visit, traces: TracesLeft, steps: string[]): Promise<Fault[]> {
  for (let waited = 0; waited <= restWithin; waited += 3_000) {
    await wait(page, 3_000);
    await idle(page);
    const seen = await look(page);
    if (seen.view !== 'attract') continue;
    traces.see(seen.view);
    steps.push(`waited ${waited + 3_000} ms until it was at rest`);
    return [...leaks(seen, traces.now()), ...(await heardLeaks(page, traces.now()))];
  }
  const { view } = await look(page);
  return [{ property: 'dead end', said: `${view} is still there after ${restWithin / 1000} s` }];
}
