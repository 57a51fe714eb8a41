/**
 * `fleet key`: creates a new key for the fleet page from the command line, even while the hub serves.
 *
 * Invariant: the command prints the key once, and the previous key becomes invalid.
 */
import { openExistingData } from '../src-platform/data.ts';
import { BadOption, parseDatabase, readArguments } from '../src-platform/options.ts';
import { makeFleetKey } from './fleet/entry.ts';
import { usualFolder } from './options.ts';

const help = `The fleet page of the hub, at https://HUB:8820/fleet

  fleet key            make a new key for it and print it; the previous key becomes invalid

Where
  --data DIR           folder of the hub (default .data/hub)
  --database ADDRESS   postgres://... where the hub was started with it
`;

const known = {
  data: { type: 'string' },
  database: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Runs the command in the arguments after `fleet` and prints its result. */
export async function manageFleet(args: readonly string[], say: (text: string) => void): Promise<void> {
  const { values, positionals } = readArguments(args, known, 'fleet');
  if (values.help === true) return say(help);
  if (positionals.join(' ') !== 'key') throw new BadOption('Use fleet key. See fleet --help.');
  const store = await openExistingData(values.data ?? usualFolder, parseDatabase(values.database));
  try {
    say(`${await makeFleetKey(store)}\n`);
  } finally {
    await store.close();
  }
}
