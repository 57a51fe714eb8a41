/**
 * `npm run mutations [-- --only NAME] [--list] [--json]`: breaks the product on purpose, one fault at a time, in a
 * copy of the work tree, and requires that the tests named for it fail.
 *
 * Invariants:
 * - The named tests have passed without the fault before.
 * - Every fault that is not caught (a survivor, a missing text, a test that fails anyway) is listed, and the exit
 *   code is 1.
 * - The last line is `N passed, N failed, N skipped`.
 */
import { join } from 'node:path';
import { readOptions } from '../../src-main/commands/command-line.ts';
import { allMutations } from './all.ts';
import { type Copy, copyTree, misfitOf } from './copy.ts';
import type { Mutation } from './list.ts';
import { runTests } from './tests.ts';

const root = join(import.meta.dirname, '../..');
/** Copies that are tested at the same time. A run of one or two test files is mostly start-up time. */
const LANES = 2;
const MOST_MS = 240_000;
const MOST_BASELINE_MS = 900_000;

/** Result of a mutation. `by`: the test that failed. `why`: why it was not tried or not detected. */
type Outcome = {
  readonly name: string;
  readonly kind: 'caught' | 'survived' | 'invalid';
  readonly by: string | null;
  readonly why: string | null;
  readonly seconds: number;
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

/** Files whose tests do not all pass in the unchanged copy, with the reason. */
async function unsoundFiles(copy: Copy, chosen: readonly Mutation[]): Promise<ReadonlyMap<string, string>> {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))].toSorted();
  const { ended, report, printed } = await runTests(copy.folder, files, {
    bail: false,
    mostMs: MOST_BASELINE_MS,
  });
  if (ended === 'late' || report === null) {
    const why = ended === 'late' ? 'the tests did not end in time without a fault' : printed.trim();
    return new Map(files.map((file) => [file, why]));
  }
  return new Map([
    ...report.unloaded.map((file) => [file, `${file} has no test that runs`] as const),
    ...report.failed.map(({ file, test }) => [file, `it fails without a fault: ${test}`] as const),
  ]);
}

/** Applies the mutation to the copy, runs the tests, and reverts it. */
async function attempt(copy: Copy, mutation: Mutation): Promise<Outcome> {
  const began = performance.now();
  const outcome = (kind: Outcome['kind'], by: string | null, why: string | null): Outcome => ({
    name: mutation.name,
    kind,
    by,
    why,
    seconds: secondsSince(began),
  });
  const mend = copy.apply(mutation);
  try {
    const run = await runTests(copy.folder, mutation.tests, { bail: true, mostMs: MOST_MS });
    if (run.ended === 'late') return outcome('caught', 'the time limit', null);
    const first = run.report?.failed[0];
    if (first !== undefined) return outcome('caught', `${first.file}: ${first.test}`, null);
    if (run.report === null) return outcome('invalid', null, `vitest gave no report: ${run.printed.trim()}`);
    const [unloaded] = run.report.unloaded;
    // A file that cannot be loaded fails every test, which proves nothing about the promise.
    if (unloaded !== undefined) return outcome('invalid', null, `${unloaded} does not load with it`);
    return outcome('survived', null, `${mutation.tests.join(', ')} did not notice: ${mutation.promise}`);
  } finally {
    mend();
  }
}

function invalid({ name }: Mutation, why: string): Outcome {
  return { name, kind: 'invalid', by: null, why, seconds: 0 };
}

/** Tries all of `chosen`, one lane per copy, and prints the progress. */
async function tryAll(chosen: readonly Mutation[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const fitting = chosen.filter((mutation) => {
    const misfit = misfitOf(root, mutation);
    if (misfit !== null) outcomes.push(invalid(mutation, misfit));
    return misfit === null;
  });
  if (fitting.length === 0) return outcomes;
  const copies = Array.from({ length: Math.min(LANES, fitting.length) }, () => copyTree(root));
  process.on('exit', () => {
    for (const copy of copies) copy.remove();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  const [first] = copies;
  if (first === undefined) return outcomes;
  say(`the tests as they are (${new Set(fitting.flatMap(({ tests }) => tests)).size} files) ...`);
  const began = performance.now();
  const unsound = await unsoundFiles(first, fitting);
  say(
    `the tests as they are: ${unsound.size === 0 ? 'all pass' : 'not all pass'} (${secondsSince(began)} s)`,
  );
  const waiting = fitting.filter((mutation) => {
    const file = mutation.tests.find((each) => unsound.has(each));
    if (file !== undefined) outcomes.push(invalid(mutation, unsound.get(file) ?? ''));
    return file === undefined;
  });

  const total = waiting.length;
  const begun = performance.now();
  let done = 0;
  const work = async (copy: Copy): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await attempt(copy, next);
      outcomes.push(outcome);
      done += 1;
      const left = Math.ceil((secondsSince(begun) / done) * (total - done));
      say(`[${done}/${total}] ${lineOf(outcome)} (${outcome.seconds} s; about ${left} s left)`);
    }
  };
  await Promise.all(copies.map(work));
  return outcomes;
}

function lineOf({ kind, name, by, why }: Outcome): string {
  return `${kind}: ${name}, ${by === null ? why : `by ${by}`}`;
}

function choose(names: readonly string[]): readonly Mutation[] {
  const unknown = names.filter((name) => !allMutations.some((mutation) => mutation.name === name));
  if (unknown.length > 0) {
    say(`There is no mutation "${unknown.join('", "')}"; --list names them.`);
    process.exit(2);
  }
  return names.length === 0 ? allMutations : allMutations.filter(({ name }) => names.includes(name));
}

const help = `Breaks the product on purpose, one mutation at a time in a copy, and names every mutation that no test detects.

  npm run mutations -- [--only NAME]... [--json]

  --only NAME   only this mutation; may be given several times (default: all)
  --list        the mutations with the promise that each one breaks
  --json        the result as JSON
  --help        this text
`;

const options = {
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function main(): Promise<number> {
  const values = readOptions(options, help);
  if (values.list === true) {
    for (const { name, promise } of allMutations) process.stdout.write(`${name}: ${promise}\n`);
    return 0;
  }
  const chosen = choose(values.only ?? []);
  const began = performance.now();
  const outcomes = await tryAll(chosen);
  const caught = outcomes.filter(({ kind }) => kind === 'caught');
  const others = outcomes.filter(({ kind }) => kind !== 'caught');
  const seconds = secondsSince(began);
  if (values.json === true) {
    process.stdout.write(
      `${JSON.stringify({ caught: caught.length, of: chosen.length, seconds, outcomes })}\n`,
    );
  } else {
    const lines = [
      ...others.map(lineOf),
      `${caught.length} of ${chosen.length} caught in ${Math.round(seconds)} s`,
      `${caught.length} passed, ${others.length} failed, 0 skipped`,
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
  return others.length === 0 ? 0 : 1;
}

process.exitCode = await main();
