/**
 * A platform with an event of any size and an app for this event, in the namespace of a virtual reader, for benches
 * that tap.
 *
 * Invariant: platform and app run in their own processes, as usual.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import kioskFlags from '../../setup/kiosk-flags.json' with { type: 'json' };
import { watch } from '../launch/running-app.ts';
import type { VirtualReader } from '../virtual-reader/virtual-reader.ts';

const root = join(import.meta.dirname, '../..');

/** A touchpoint for leads that exists in every event that the platform seeds. */
const TOUCHPOINT = 'AD2026T01';

/** A badge of a visitor. `called`: names that the screen may show. */
export type Badge = { readonly id: string; readonly code: string; readonly called: readonly string[] };

export type TappedApp = {
  /** The address of the page. */
  readonly address: string;
  /** `count` badges of different visitors from all over the event. Consecutive greetings differ. */
  readonly badges: (count: number) => Promise<readonly Badge[]>;
};

/** Runs one of our programs in the reader's namespace. */
export const inside = (
  reader: VirtualReader,
  args: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess => reader.spawn(process.execPath, args, { stdio: [stdin, 'pipe', 'pipe'] });

/** Starts a platform with this many visitors, and the app with its data in `folder`. */
export const startTappedApp = async (
  reader: VirtualReader,
  folder: string,
  visitors: number,
): Promise<TappedApp> => {
  const entry = join(root, 'src-platform/main.ts');
  const data = join(folder, 'platform');
  const seed = ['--seed', String(visitors), '--log', join(folder, 'log')];
  const platform = watch(inside(reader, [entry, '--port', '0', '--data', data, ...seed]));
  const [, base = ''] = await platform.line(/^Platform: (\S+)$/);
  const addKey = [entry, 'keys', 'add', '--data', data, '--name', 'bench', '--write'];
  const key = (await reader.run(process.execPath, addKey)).trim().split('\n').at(-1) ?? '';
  const ownData = join(folder, 'app');
  mkdirSync(ownData, { mode: 0o700 });
  writeFileSync(join(ownData, 'stand.json'), JSON.stringify({ touchpoint: TOUCHPOINT }));
  const app = watch(
    inside(reader, [
      ...kioskFlags,
      join(root, 'src-main/launch/main.ts'),
      ...['--data', ownData, '--no-open', '--shell', 'browser', '--reader', 'pcsc'],
      ...['--platform', base, '--key', key, '--expo', 'AD2026'],
    ]),
  );
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  return { address, badges: (count) => badgesOf(reader, { base, key, visitors, count }) };
};

type Wanted = {
  readonly base: string;
  readonly key: string;
  readonly visitors: number;
  readonly count: number;
};

const badgesOf = async (
  reader: VirtualReader,
  { base, key, visitors, count }: Wanted,
): Promise<readonly Badge[]> => {
  const ask = `const headers = { authorization: 'Basic ' + Buffer.from('${key}:').toString('base64') };
    const found = [];
    for (let from = 1; found.length < ${count}; ) {
      const answer = await fetch('${base}/visitors/AD2026?limit=20&fromRevision=' + from, { headers });
      let next = from;
      for (const { id, revision, firstName, lastName, badges } of await answer.json()) {
        next = revision + 1;
        const code = badges?.find(({ type }) => type === 'nfc')?.code;
        if (!code || !/^04[0-9A-F]{12}$/.test(code) || !firstName || firstName.length > 20) continue;
        if (found.at(-1)?.called.some((name) => name === firstName || name === lastName)) continue;
        found.push({ id, code, called: [firstName, lastName] });
        next = Math.max(next, from + ${Math.floor(visitors / (count + 5))});
        break;
      }
      if (next === from) throw new Error('Expected more visitors than ' + found.length);
      from = next;
    }
    process.stdout.write(JSON.stringify(found));`;
  return JSON.parse(await reader.run(process.execPath, ['--input-type=module', '-e', ask])) as Badge[];
};
