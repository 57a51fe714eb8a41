/**
 * A file of facts that a page uploads to the device: sent in pieces, verified, imported, and removed from the disk.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportState } from '../../../../src-main/contract/imports.ts';
import { leadsOn, staffScreen } from '../../screen.ts';
import { fill, openStandKiosk, smallFair } from '../../stand/visit/stand-kiosk.ts';
import { aDay, fileOf, machine } from './handed-journal.ts';

const PATIENCE = 120_000;

const open = async (touchpoint = 'lead1') => {
  const device = openStandKiosk({ stand: { touchpoint }, prepare: (mirror) => fill(mirror, smallFair()) });
  const page = await staffScreen(device.kiosk);
  const hand = async (file: Buffer, pieces = 3): Promise<ImportState | undefined> => {
    const { id } = await page.imports.begin();
    const size = Math.ceil(file.length / pieces);
    for (let at = 0; at < file.length; at += size) {
      const bytes = file.subarray(at, at + size).toString('base64');
      expect(await page.imports.piece({ id, bytes })).toEqual({ kept: true });
    }
    let last: ImportState | undefined;
    for await (const state of await page.imports.finish({ id })) last = state;
    return last;
  };
  return { ...device, page, hand };
};

const dayElsewhere = (partner = 'p1', event = 'E1') => {
  const there = machine();
  aDay(there);
  return fileOf(there, partner, event);
};

test(
  'an uploaded file is imported completely, visible at once, never sent from here, and changes nothing the second time',
  async () => {
    const device = await open();
    const file = dayElsewhere();
    expect(await device.hand(file)).toEqual({ kind: 'imported', facts: 7, taken: 7 });
    const { leads } = await leadsOn(device.page);
    expect(leads.map(({ name }) => name)).toContain('Wei 李');
    expect(device.kiosk.state().delivery).toMatchObject({ captured: 7, due: 0 });
    expect(await device.hand(file, 1)).toEqual({ kind: 'imported', facts: 7, taken: 0 });
    expect(existsSync(join(device.folder, 'imports'))).toBe(false);
    const waiting = await device.page.delivery.deadLetters();
    expect(waiting.filter(({ cause }) => cause === 'fromFile')).toHaveLength(4);
  },
  PATIENCE,
);

test(
  'an uploaded file is refused if it is truncated, changed, or of another event or partner, or if the device has no assignment',
  async () => {
    const device = await open();
    const file = dayElsewhere();
    const changed = Buffer.from(file);
    changed[file.indexOf('Ada')] = 0x42;
    expect(await device.hand(file.subarray(0, file.length >> 1))).toMatchObject({ reason: 'cut' });
    expect(await device.hand(changed)).toMatchObject({ kind: 'refused', reason: 'altered' });
    expect(await device.hand(dayElsewhere('p1', 'E2'))).toMatchObject({ reason: 'otherEvent' });
    expect(await device.hand(dayElsewhere('p2'))).toMatchObject({ reason: 'otherPartner' });
    expect(await device.hand(Buffer.from('a,b\n1,2\n'))).toMatchObject({ reason: 'notOurs' });
    expect(device.kiosk.state().delivery.captured).toBe(0);
    expect(readdirSync(device.folder)).not.toContain('imports');
    const nobodys = await open('nowhere');
    expect(await nobodys.hand(file)).toMatchObject({ reason: 'unassigned' });
  },
  PATIENCE,
);

test(
  'a new upload ends the previous one',
  async () => {
    const { page } = await open();
    const { id: first } = await page.imports.begin();
    const { id: second } = await page.imports.begin();
    expect(await page.imports.piece({ id: first, bytes: '' })).toEqual({ kept: false });
    expect(await page.imports.piece({ id: second, bytes: '' })).toEqual({ kept: true });
    const said: ImportState[] = [];
    for await (const state of await page.imports.finish({ id: first })) said.push(state);
    expect(said).toEqual([{ kind: 'refused', reason: 'unreadable', line: 0 }]);
  },
  PATIENCE,
);
