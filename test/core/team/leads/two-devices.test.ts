/** Two devices of one partner edit one lead while neither has a network. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LeadDetail } from '../../../../src-main/contract/leads.ts';
import { ownFolder, until } from '../../fixture.ts';
import { createPlatformHere, type PlatformProcess } from '../../platform-process.ts';
import { realClock } from '../../real-parts.ts';
import { openStandKiosk, type StandKiosk } from '../../stand/visit/stand-kiosk.ts';

const AMELIE = '04A1B2C3D4E5F6';

const FORM = ['rival', 'seats'].map((id) => ({
  id,
  kind: id === 'rival' ? 'text' : 'number',
  text: { en: id },
}));

type Device = { readonly stand: StandKiosk; readonly staff: Awaited<ReturnType<StandKiosk['staff']>> };

const openDevice = async (folder: string, platform: PlatformProcess): Promise<Device> => {
  const access = { baseUrl: platform.baseUrl, key: platform.key, password: '', expoId: platform.expoId };
  const stand = openStandKiosk({ folder, platform: access, clock: realClock, stand: { form: FORM } });
  await until('the mirror is complete', () => stand.kiosk.state().mirror.complete);
  return { stand, staff: await stand.staff() };
};

const leadOf = async ({ staff }: Device): Promise<LeadDetail> => {
  const { lead } = await staff.leads.last();
  const detail = lead === null ? null : await staff.leads.one({ lead });
  if (detail === null) throw new Error('Expected a lead');
  return detail;
};

const isDelivered = ({ stand }: Device): boolean => {
  const { due, inFlight, uncertain, captured } = stand.kiosk.state().delivery;
  return captured > 0 && due + inFlight + uncertain === 0;
};

test('both devices and the platform end with the same lead: per field the later edit wins, until it is undone', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const left = await openDevice(join(folder, 'left'), platform);
  const right = await openDevice(join(folder, 'right'), platform);
  await left.stand.tap(AMELIE);
  await right.stand.tap(AMELIE);
  await until('both taps are delivered', () => isDelivered(left) && isDelivered(right));
  await platform.stop();

  const { id: leftLead } = await leadOf(left);
  const { id: rightLead } = await leadOf(right);
  await left.staff.leads.edit({ lead: leftLead, change: { rating: 5 } });
  await left.staff.leads.edit({ lead: leftLead, change: { note: 'from the left' } });
  await left.staff.leads.edit({ lead: leftLead, change: { form: { rival: 'Acme', seats: 3 } } });
  await left.staff.leads.edit({ lead: leftLead, change: { followUpKind: 'call', companyGroup: 'Acme' } });
  await left.staff.leads.correct({ lead: leftLead, change: { phone: '+41 44 123 45 67' } });
  // Each device measures its clock against a platform that sends whole seconds, so later edits must be seconds later.
  const between = realClock.now() + 3_000;
  await until('the clock advances', () => realClock.now() > between);
  await right.staff.leads.edit({ lead: rightLead, change: { rating: 2 } });
  await right.staff.leads.edit({ lead: rightLead, change: { form: { seats: 20 } } });
  await right.staff.leads.edit({ lead: rightLead, change: { labels: ['visit'], followUpOn: '2026-12-01' } });
  await right.staff.leads.edit({ lead: rightLead, change: { followUpTime: '14:30' } });

  await platform.start();
  const merged = {
    rating: 2,
    note: 'from the left',
    labels: ['visit'],
    followUpOn: '2026-12-01',
    followUpBy: null,
    form: { rival: 'Acme', seats: 20 },
    ...{ followUpTime: '14:30', followUpKind: 'call', companyGroup: 'Acme' },
    phone: '+41 44 123 45 67',
  };
  await until('all edits are delivered', () => isDelivered(left) && isDelivered(right), 60_000);
  for (const { staff } of [left, right]) await staff.mirror.reconcile();
  const isMerged = async (device: Device): Promise<boolean> => {
    const { rating, note, labels } = await leadOf(device);
    return rating === merged.rating && note === merged.note && labels.length === 1;
  };
  await until('both leads are merged', async () => (await isMerged(left)) && (await isMerged(right)), 60_000);
  for (const device of [left, right]) {
    const lead = await leadOf(device);
    expect(lead).toMatchObject(merged);
    const ratings = lead.timeline.flatMap(({ fields }) =>
      fields.rating === undefined ? [] : [fields.rating],
    );
    expect(ratings).toEqual([5, 2]);
    expect(lead.elsewhere?.count).toBe(1);
  }
  const connectionThere = async () => {
    const { body } = await platform.call('GET', `/connections/${platform.expoId}?partnerId=AD2026P001`);
    return (body as readonly Record<string, unknown>[]).find(({ notes }) => notes === merged.note);
  };
  expect(await connectionThere()).toMatchObject({
    ...{ rating: 2, labels: ['visit'], followUpOn: '2026-12-01', form: merged.form },
    corrected: { phone: merged.phone },
  });

  const { timeline } = await leadOf(right);
  const factId = timeline.find(({ fields }) => fields.rating === 2)?.factId ?? '';
  expect(await right.staff.leads.undo({ factId })).toMatchObject({ kind: 'kept' });
  await until(
    'the platform has undone the edit',
    async () => (await connectionThere())?.rating === 5,
    60_000,
  );
  await left.staff.mirror.reconcile();
  await until('the other device has the undo', async () => (await leadOf(left)).rating === 5, 60_000);
}, 120_000);
