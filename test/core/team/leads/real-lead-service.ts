/**
 * The lead service with a real journal and a real mirror, read back through the reading thread.
 *
 * Invariant: each call creates its own device, which ends with the test.
 */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LeadDetail } from '../../../../src-main/contract/leads.ts';
import type { FormQuestion } from '../../../../src-main/contract/stand.ts';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { createStorageGuard } from '../../../../src-main/core/foundations/store/storage-guard.ts';
import { createAttachmentFiles } from '../../../../src-main/core/journal/attachments/attachment-files.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { createLeadService } from '../../../../src-main/core/team/leads/service.ts';
import { rememberingLog } from '../../fixture.ts';
import { pageOf } from '../../real-parts.ts';
import { leadJournal } from './lead-journal.ts';

const visitors = [
  {
    id: 'v1',
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.org',
    badges: [{ type: 'nfc', code: 'B1' }],
  },
  { id: 'v2', firstName: 'Bo', lastName: 'Ng', company: 'Acme', badges: [] },
];

/** A lead service with a journal and a mirror in its own folder. The visitor `v2` has no badge. */
export const leadService = ({ form = [] }: { readonly form?: readonly FormQuestion[] } = {}) => {
  const world = leadJournal();
  const { folder, journal } = world;
  const log = rememberingLog();
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const records = visitors.map((body, index) => ({
    id: body.id,
    revision: BigInt(index),
    deleted: false,
    body,
  }));
  mirror.applyPage('visitors', pageOf('visitors', records), 10n);
  let staff: string | null = 'Mia';
  let ids = 0;
  let partner = 'p1';
  const assignment = () =>
    ({
      touchpoint: 'tp1',
      partner,
      deviceName: null,
      purpose: 'lead',
      content: null,
      activity: null,
      location: null,
    }) as const;
  const service = createLeadService({
    ...{ journal, mirror, log },
    settings: { ...plainSettings(), form: [...form] },
    storageGuard: createStorageGuard({ log, isInPlace: () => true, onRecorded: () => undefined }),
    place: () => ({ touchpoint: 'tp1', partner: 'p1', clockOffset: null, staff }),
    assignment,
    timezone: () => 'Europe/Berlin',
    now: world.clock.now,
    databases: { journal: join(folder, 'journal.db'), mirror: join(folder, 'mirror.db') },
    files: createAttachmentFiles(folder),
    database: () => {
      throw new Error('Expected no call about files');
    },
    draw: () => Promise.resolve('unavailable'),
    freeBytes: () => null,
    program: new URL('../../../../src-main/core/team/leads/worker.ts', import.meta.url),
    newId: () => {
      ids += 1;
      return `id${ids}`;
    },
    onReady: () => undefined,
  });
  onTestFinished(async () => {
    await service.stop();
    mirror.close();
  });
  const one = async (lead: string): Promise<LeadDetail> => {
    const detail = await service.ask('one', lead);
    if (detail === null) throw new Error('Expected a lead');
    return detail;
  };
  const search = async (text: string) => {
    const page = await service.ask('page', {
      filter: { search: text },
      sort: 'latest',
      from: { position: 0 },
      limit: 50,
    });
    return page.leads.map(({ name }) => name);
  };
  return {
    ...world,
    service,
    one,
    search,
    setStaff: (name: string | null) => {
      staff = name;
    },
    setPartner: (id: string) => {
      partner = id;
    },
  };
};
