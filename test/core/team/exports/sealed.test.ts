/**
 * A device that changes its partner while it holds leads: it asks the new team, keeps the leads sealed, or lets the
 * technician export them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../../fixture.ts';
import { leadsOn, staffScreen } from '../../screen.ts';
import { fill, openStandKiosk, smallFair } from '../../stand/visit/stand-kiosk.ts';

const PATIENCE = 120_000;
const V1 = '04AA00000000A1';

const fair = () => {
  const small = smallFair();
  return {
    ...small,
    touchpoints: [...(small.touchpoints ?? []), { id: 'lead2', name: 'B', purpose: 'lead', partnerID: 'p2' }],
    partners: [...(small.partners ?? []), { id: 'p2', name: 'Südwind' }],
  };
};

const at = async (touchpoint: string, folder: string, technician: boolean) => {
  const out = ownFolder();
  const device = openStandKiosk({
    ...{ folder, technician, stand: { touchpoint } },
    places: [{ id: 'out', kind: 'stick', name: 'FAIR', free: null, path: out }],
    prepare: (mirror) => fill(mirror, fair()),
  });
  return { ...device, out, page: await staffScreen(device.kiosk) };
};

/** A device that captured a lead for partner p1 and now belongs to partner p2. */
const lentOn = async (technician: boolean) => {
  const folder = ownFolder();
  const atA = await at('lead1', folder, technician);
  await atA.tap(V1);
  await atA.stop();
  return at('lead2', folder, technician);
};

test(
  'the next partner’s team is asked about the previous leads, and can keep them sealed but not export or erase them',
  async () => {
    const device = await lentOn(false);
    const sealed = { partner: 'p1', name: 'Northwind', leads: 1 };
    expect(device.kiosk.state().sealed).toEqual([{ ...sealed, asks: true }]);
    expect((await leadsOn(device.page)).counts.people).toBe(0);
    const wish = { kind: 'jsonl', place: 'out', language: 'en', of: 'p1' } as const;
    expect(await device.page.exports.start(wish)).toEqual({ kind: 'refused', reason: 'sealed' });
    expect(await device.page.erasure.wipe({ force: true, of: 'p1' })).toEqual({ kind: 'technician' });
    await expect(device.page.erasure.check({ of: 'p1' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await device.page.erasure.keepSealed({ of: 'p1' })).toEqual({ kept: true });
    expect(device.kiosk.state().sealed).toEqual([{ ...sealed, asks: false }]);
    await device.stop();
    const back = await at('lead1', device.folder, false);
    expect(back.kiosk.state().sealed).toEqual([]);
    expect((await leadsOn(back.page)).counts.people).toBe(1);
  },
  PATIENCE,
);

test(
  'the technician exports all leads of the previous partner, then erases them, and no other leads change',
  async () => {
    const device = await lentOn(true);
    await device.tap('04AA00000000A2');
    expect(await device.page.erasure.wipe({ force: true, of: 'p1' })).toEqual({ kind: 'notExported' });
    const wish = { kind: 'jsonl', place: 'out', name: 'theirs', language: 'en', of: 'p1' } as const;
    const started = await device.page.exports.start(wish);
    const id = started.kind === 'started' ? started.job.id : '';
    for await (const { result } of await device.page.exports.watch({ id })) if (result !== null) break;
    const file = readFileSync(join(device.out, 'theirs.jsonl'), 'utf8');
    expect(file).toContain('First v1');
    expect(file).not.toContain('First v2');
    expect(await device.page.erasure.check({ of: 'p1' })).toMatchObject({ people: 1, exportedAll: {} });
    expect(await device.page.erasure.wipe({ of: 'p1' })).toEqual({ kind: 'pending', undelivered: 1 });
    const wiping = device.page.erasure.wipe({ force: true, of: 'p1' });
    await until('the sealed leads are erased', () => {
      device.pass(10);
      return device.kiosk.state().sealed?.length === 0;
    });
    device.pass(10);
    expect(await wiping).toMatchObject({ kind: 'erased', protocol: { partner: 'p1', people: 1 } });
    expect((await leadsOn(device.page)).leads).toMatchObject([{ name: 'First v2 Last v2' }]);
  },
  PATIENCE,
);
