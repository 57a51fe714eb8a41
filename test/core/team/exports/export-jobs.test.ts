/** Exports by the stand team: with a complete device, the real thread and real files. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ExportJobState } from '../../../../src-main/contract/exports.ts';
import { ownFolder, until } from '../../fixture.ts';
import { staffScreen } from '../../screen.ts';
import {
  askingStand,
  capturedOf,
  fill,
  openStandKiosk,
  type StandKiosk,
  smallFair,
} from '../../stand/visit/stand-kiosk.ts';

/** Each export starts its own thread, which a busy machine does slowly. */
const PATIENCE = 120_000;

const [V1, V2] = ['04AA00000000A1', '04AA00000000A2'] as const;
const stand = {
  ...askingStand,
  consents: [{ id: 'news', text: { en: 'News' }, channel: 'email' }],
  touchpoint: 'lead1',
};

const opened = async (more: Partial<Parameters<typeof openStandKiosk>[0]> = {}) => {
  const stick = join(ownFolder(), 'stick');
  mkdirSync(stick, { recursive: true });
  const places = [{ id: 'stick:FAIR', kind: 'stick' as const, name: 'FAIR', path: stick, free: null }];
  const device = openStandKiosk({ stand, places, prepare: (mirror) => fill(mirror, smallFair()), ...more });
  return { ...device, screen: await staffScreen(device.kiosk), stick };
};

/** The end of an export that was started with this request. */
const ended = async (
  { screen }: Pick<StandKiosk, 'screen'>,
  request: Omit<Parameters<StandKiosk['screen']['exports']['start']>[0], 'language'>,
): Promise<ExportJobState> => {
  const started = await screen.exports.start({ language: 'en', ...request });
  if (started.kind !== 'started')
    throw new Error(`Expected an export to begin, got ${JSON.stringify(started)}`);
  let last = started.job;
  for await (const job of await screen.exports.watch({ id: last.id })) last = job;
  return last;
};

test(
  'leads are written to a stick as a sheet, with a receipt that proves the file',
  async () => {
    const device = await opened();
    const { factId } = capturedOf(await device.tap(V1));
    await device.screen.session.consent({ factId, language: 'en', agreed: { news: true } });
    await device.screen.session.answer({ factId, language: 'en', question: 'when', answer: ['soon'] });
    await device.screen.session.collect({ factId, content: 'c1', take: true });
    await device.tap(V2);
    expect(await device.screen.exports.places()).toEqual([
      { id: 'stick:FAIR', kind: 'stick', name: 'FAIR', free: null },
    ]);
    const job = await ended(device, { kind: 'sheet-csv', place: 'stick:FAIR' });
    expect(job).toMatchObject({ result: { kind: 'done', receipt: { count: 2 } }, download: null });
    const [name, receiptName] = readdirSync(device.stick).toSorted();
    expect(name).toMatch(/^Northwind \d{4}-\d\d-\d\d\.csv$/u);
    expect(receiptName).toBe(`${name}.receipt.json`);
    const bytes = readFileSync(join(device.stick, name ?? ''));
    const receipt = JSON.parse(readFileSync(join(device.stick, receiptName ?? ''), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(receipt).toMatchObject({
      ...{ file: name, count: 2, profile: 'sheet-csv', event: 'E1', partner: 'p1', filter: null },
      sha256: createHash('sha256').update(bytes).digest('hex'),
      chainHead: device.lines().at(-1)?.hash,
    });
    // A page that downloads the receipt writes it from `job.result`, so that text must equal this file.
    const told = job.result?.kind === 'done' ? job.result.receipt : null;
    expect(`${JSON.stringify(told, null, 2)}\n`).toBe(
      readFileSync(join(device.stick, receiptName ?? ''), 'utf8'),
    );
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.find((row) => row['First name'] === 'First v1')).toMatchObject({
      ...{
        Company: 'Company v1',
        'E-mail': 'v1@example.org',
        'Contents taken': 'Éclair arm 10',
        'When?': 'Soon',
      },
      ...{ 'Agreed: News': 'yes', 'Notice shown': 'v1 (en)' },
    });
  },
  PATIENCE,
);

test(
  "a file name has the event's local date, not the laptop's",
  async () => {
    const event = { id: 'E1', name: 'Fair', start: null, end: null, timezone: 'Pacific/Pago_Pago' };
    const device = await opened({
      prepare: (mirror) => {
        fill(mirror, smallFair());
        mirror.setMetadata('event', JSON.stringify(event));
      },
    });
    await device.tap(V1);
    await ended(device, { kind: 'vcf', place: 'stick:FAIR' });
    // Nine in the morning of the 21st in London is the evening before in Samoa.
    expect(readdirSync(device.stick)).toContain('Northwind 2026-11-20.vcf');
  },
  PATIENCE,
);

test(
  "the second file of a day gets a number, and a user's file is never replaced",
  async () => {
    const device = await opened();
    await device.tap(V1);
    await ended(device, { kind: 'vcf', place: 'stick:FAIR' });
    await ended(device, { kind: 'vcf', place: 'stick:FAIR' });
    await ended(device, { kind: 'vcf', place: 'stick:FAIR', oneEach: true });
    const names = readdirSync(device.stick).filter((name) => !name.endsWith('.json'));
    expect(names.map((name) => name.replace(/\d{4}-\d\d-\d\d/u, 'DAY')).toSorted()).toEqual([
      'Northwind DAY (2).vcf',
      'Northwind DAY-cards',
      'Northwind DAY.vcf',
    ]);
    await ended(device, { kind: 'jsonl', place: 'stick:FAIR', name: 'mine' });
    const start = (name: string) =>
      device.screen.exports.start({ kind: 'jsonl', place: 'stick:FAIR', name, language: 'en' });
    expect(await start('mine')).toEqual({ kind: 'refused', reason: 'exists' });
    expect(await start('CON')).toEqual({ kind: 'refused', reason: 'name' });
    expect(await start('../mine')).toEqual({ kind: 'refused', reason: 'name' });
    expect(
      await device.screen.exports.start({ kind: 'jsonl', place: 'stick:PULLED', language: 'en' }),
    ).toEqual({ kind: 'refused', reason: 'gone' });
  },
  PATIENCE,
);

test(
  'a browser downloads a file once, and the device keeps no copy',
  async () => {
    const device = await opened();
    await device.tap(V1);
    const job = await ended(device, { kind: 'salesforce', place: null });
    expect(job.download).toMatch(/-salesforce\.csv$/u);
    const fetched = async () => {
      const parts: Buffer[] = [];
      for await (const { bytes } of await device.screen.exports.download({ id: job.id }))
        parts.push(Buffer.from(bytes, 'base64'));
      return Buffer.concat(parts).toString('utf8');
    };
    expect(await fetched()).toContain('Last v1');
    expect(await fetched()).toBe('');
    expect(readdirSync(join(device.folder, 'downloads'))).toEqual([]);
    await ended(device, { kind: 'sheet-xlsx', place: null });
    await device.stop();
    expect(existsSync(join(device.folder, 'downloads'))).toBe(false);
  },
  PATIENCE,
);

test(
  'one export runs at a time, and a cancelled one leaves nothing',
  async () => {
    const device = await opened();
    await device.tap(V1);
    const first = await device.screen.exports.start({
      kind: 'sheet-xlsx',
      place: 'stick:FAIR',
      language: 'en',
    });
    expect(first.kind).toBe('started');
    expect(await device.screen.exports.start({ kind: 'vcf', place: null, language: 'en' })).toEqual({
      kind: 'busy',
    });
    const { id } = first.kind === 'started' ? first.job : { id: '' };
    await device.screen.exports.cancel({ id });
    let last: ExportJobState | null = null;
    for await (const job of await device.screen.exports.watch({ id })) last = job;
    expect(last?.result).toEqual({ kind: 'cancelled' });
    expect(readdirSync(device.stick)).toEqual([]);
  },
  PATIENCE,
);

test(
  'exports the matches of a filter or a selection, and writes no file without a match',
  async () => {
    const device = await opened();
    const count = async (filter: object) => {
      const { result } = await ended(device, { kind: 'sheet-csv', place: 'stick:FAIR', filter });
      return result?.kind === 'done' ? result.receipt.count : result?.kind;
    };
    expect(await count({})).toBe('nothing');
    await device.tap(V1);
    await device.tap(V2);
    expect(await count({ search: 'Company v2' })).toBe(1);
    expect(await count({ hot: true })).toBe('nothing');
    const { leads } = await device.screen.leads.page({});
    expect(await count({ ids: [leads[0]?.id ?? ''] })).toBe(1);
    expect(readdirSync(device.stick).filter((name) => name.endsWith('.csv'))).toHaveLength(2);
  },
  PATIENCE,
);

test(
  "after the device changed its partner, no export contains the previous partner's leads",
  async () => {
    const folder = ownFolder();
    const fair = smallFair();
    const touchpoints = [
      ...(fair.touchpoints ?? []),
      { id: 'other', name: 'B', purpose: 'lead', partnerID: 'p2' },
    ];
    const prepare: Parameters<typeof openStandKiosk>[0]['prepare'] = (mirror) =>
      fill(mirror, { ...fair, touchpoints });
    const ofA = await opened({ folder, prepare });
    await ofA.tap(V1);
    await ofA.tap(V2);
    await ofA.stop();
    const kinds = ['sheet-csv', 'sheet-xlsx', 'salesforce', 'hubspot', 'vcf', 'jsonl', 'follow-up'] as const;
    const ofB = await opened({ folder, stand: { ...stand, touchpoint: 'other' } });
    for (const kind of kinds)
      expect((await ended(ofB, { kind, place: null })).result).toEqual({ kind: 'nothing', why: null });
    await ofB.stop();
    const again = await opened({ folder });
    for (const kind of ['sheet-csv', 'jsonl'] as const) {
      expect((await ended(again, { kind, place: null })).result).toMatchObject({ receipt: { count: 2 } });
    }
  },
  PATIENCE,
);

test(
  'after the fair the device signs how many leads there were, in a file without a name or a badge',
  async () => {
    const device = await opened({ technician: true });
    await device.tap(V1);
    await device.tap(V2);
    const { fingerprint } = await device.screen.exports.signer();
    const wiping = device.screen.erasure.wipe({ force: true });
    await until('the device is wiped', async () => {
      device.pass(10);
      return (await device.screen.erasure.check()).people === 0;
    });
    device.pass(10);
    expect(await wiping).toMatchObject({ kind: 'erased' });
    const job = await ended(device, { kind: 'proof', place: 'stick:FAIR' });
    expect(job.result).toMatchObject({
      kind: 'done',
      receipt: { profile: 'proof', count: 2, signature: { fingerprint } },
    });
    const [name = ''] = readdirSync(device.stick).toSorted();
    expect(name).toMatch(/\.proof\.json$/u);
    const text = readFileSync(join(device.stick, name), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      ...{ leads: 2, erased: 2, here: 2, takenBack: 0 },
      erasures: [{ kind: 'fair', people: 2 }],
      signature: { fingerprint },
    });
    for (const word of [V1, V2, 'First v1', 'Company v1', 'v1@example.org']) expect(text).not.toContain(word);
  },
  PATIENCE,
);
