/** `npm run leads` on real folders, also beside an open journal, and killed in the middle. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leadLineSchema } from '../../src-main/contract/leads.ts';
import { openMirror } from '../../src-main/core/event/mirror/mirror.ts';
import { ownFolder, tapOf, until, visitorOf } from '../core/fixture.ts';
import { chainAt, pageOf } from '../core/real-parts.ts';
import { aDay, type Machine, machine } from '../core/team/exports/handed-journal.ts';

/** Each command is a separate process, which starts slowly on a busy machine. */
const PATIENCE = 180_000;

const COMMAND = join(import.meta.dirname, '..', '..', 'src-main', 'commands', 'leads.ts');

const run = (...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

const filled = (): Machine => {
  const here = machine();
  aDay(here);
  here.journal.settings.set('expo', 'E1');
  here.journal.settings.set('partner', 'p1');
  return here;
};

test(
  'exports a sheet and its receipt while another process has the journal open, without a platform',
  async () => {
    const { folder } = filled();
    const out = join(ownFolder(), 'leads.csv');
    const { code, out: said, err } = await run('export', '--data', folder, '--out', out, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const receipt = JSON.parse(readFileSync(`${out}.receipt.json`, 'utf8')) as Record<string, unknown>;
    expect(JSON.parse(said)).toEqual({ path: out, ...receipt });
    expect(receipt).toMatchObject({
      count: 3,
      partner: 'p1',
      event: 'E1',
      filter: null,
      sha256: createHash('sha256').update(readFileSync(out)).digest('hex'),
      chainHead: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
    expect(readFileSync(out, 'utf8')).toContain('Wei 李');
  },
  PATIENCE,
);

test(
  'lists labels by id and by name',
  async () => {
    const { folder, journal } = filled();
    const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
    const body = { id: 'L1', name: 'Quote wanted' };
    mirror.applyPage('labels', pageOf('labels', [{ id: 'L1', revision: 1n, deleted: false, body }]), 1n);
    mirror.close();
    const payload = { badge: '04D1', visitor: 'v4', fields: { labels: ['L1', 'own word'] } };
    journal.record({ ...tapOf(''), kind: 'qualify', source: null, payload }, visitorOf('v4', 'Wei 李'));
    const { out } = await run('list', '--data', folder, '--filter', 'wei label:"Quote wanted"', '--json');
    expect(JSON.parse(out)).toMatchObject({
      labels: ['L1', 'own word'],
      labelNames: ['Quote wanted', 'own word'],
    });
  },
  PATIENCE,
);

test(
  'lists one lead per line with the fields and filters of the staff page',
  async () => {
    const { folder } = filled();
    const { code, out, err } = await run('list', '--data', folder, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const leads = out
      .trim()
      .split('\n')
      .map((line) => leadLineSchema.parse(JSON.parse(line)));
    expect(leads).toHaveLength(3);
    const named = await run('list', '--data', folder, '--filter', 'wei');
    expect(named.out.trim().split('\n')).toEqual([expect.stringContaining('Wei 李')]);
    const tried = (...args: readonly string[]) => run('list', '--data', folder, ...args);
    expect(await tried('--filter', 'nobodyiscalledthis')).toMatchObject({ code: 1, out: '' });
    expect(await tried('--partner', 'p9')).toMatchObject({ code: 1, out: '' });
    const refused = await tried('--filter', 'bogus:1');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('does not know "bogus:1"; it knows hot, unrated, unknown,');
    const words = await tried('--filter', 'bogus');
    expect(words).toMatchObject({ code: 1, out: '' });
    expect(words.err).toContain('"bogus" was searched for as words. Filters are hot, unrated,');
    expect(await tried('--filter', 'rating>9')).toMatchObject({ code: 2, out: '' });
    expect(await tried('--filter', 'day:2026-02-30')).toMatchObject({ code: 2, out: '' });
  },
  PATIENCE,
);

test(
  'ends with code 1 and no file if nothing matches, and with code 2 and one sentence if it is refused',
  async () => {
    const { folder } = filled();
    const place = ownFolder();
    const out = join(place, 'leads.csv');
    const tried = (...args: readonly string[]) => run('export', '--data', folder, ...args);
    expect(await tried('--out', out, '--filter', 'nobodyiscalledthis')).toMatchObject({ code: 1, out: '' });
    expect(await tried('--out', out, '--partner', 'p9')).toMatchObject({ code: 1 });
    expect(readdirSync(place)).toEqual([]);
    const sentence = /^[^\n]{20,}\.\n$/u;
    const refused = [
      tried('--out', join(place, 'CON.csv')),
      tried('--out', join(folder, 'leads.csv')),
      tried('--out', join(place, 'nowhere', 'leads.csv')),
      tried('--profile', 'fax', '--out', out),
      tried('--filter', 'rating>9', '--out', out),
      tried('--nonsense'),
      run('fax'),
    ];
    for (const end of await Promise.all(refused))
      expect(end).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
    writeFileSync(out, 'mine');
    expect(await tried('--out', out)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not replaced/u),
    });
    expect(readFileSync(out, 'utf8')).toBe('mine');
    const said = await tried('--profile', 'vcf', '--out', join(place, 'cards.vcf'));
    expect(said.out).toMatch(/^2 written to .*beside it\. Left out: 1 taken back\.\n$/u);
    expect(await run('export', '--data', place)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no journal/u),
    });
  },
  PATIENCE,
);

test(
  'imports facts into a new folder byte for byte; a second import changes nothing; another event is refused',
  async () => {
    const { folder } = filled();
    const place = ownFolder();
    const [first, second] = [join(place, 'first.jsonl'), join(place, 'second.jsonl')];
    const fresh = join(place, 'fresh');
    await run('export', '--data', folder, '--profile', 'jsonl', '--out', first);
    expect(await run('import', first, '--data', fresh)).toMatchObject({ code: 0, err: '' });
    expect(await run('export', '--data', fresh, '--profile', 'jsonl', '--out', second)).toMatchObject({
      code: 0,
    });
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
    expect(chainAt(join(fresh, 'journal.db')).brokenAt).toBeNull();
    const again = await run('import', first, '--data', fresh, '--json');
    expect(JSON.parse(again.out)).toMatchObject({ facts: 7, taken: 0, event: 'E1', partner: 'p1' });
    const other = filled();
    other.journal.settings.set('expo', 'E2');
    expect(await run('import', first, '--data', other.folder)).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /event E1, but this data folder belongs to another event\. Nothing was changed\.\n$/u,
      ),
    });
    writeFileSync(first, readFileSync(first).subarray(0, 1_000));
    expect(await run('import', first, '--data', fresh)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/ends too early/u),
    });
  },
  PATIENCE,
);

test(
  'a killed export leaves no file under its name, and the next export is complete',
  async () => {
    const here = filled();
    const visitor = visitorOf('many', 'Many Taps');
    const drafts = Array.from({ length: 2_000 }, (_, index) => tapOf(`04EE${index}`, `m${index}`));
    here.database.transaction(() => {
      for (const [index, draft] of drafts.entries())
        here.journal.record(draft, { ...visitor, id: `m${index}` });
    })();
    const place = ownFolder();
    const out = join(place, 'leads.xlsx');
    const args = [COMMAND, 'export', '--data', here.folder, '--profile', 'sheet-xlsx', '--out', out];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    await until('it writes', () => existsSync(join(place, '.leads.xlsx.part')));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(existsSync(out)).toBe(false);
    expect(existsSync(`${out}.receipt.json`)).toBe(false);
    expect(await run(...args.slice(1))).toMatchObject({ code: 0 });
    expect(readdirSync(place).toSorted()).toEqual(['leads.xlsx', 'leads.xlsx.receipt.json']);
  },
  PATIENCE,
);
