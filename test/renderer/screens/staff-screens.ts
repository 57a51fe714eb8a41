/**
 * The screens of the stand team by name, and how the page behind a scripted device gets there.
 *
 * Invariant: each entry leaves the page on exactly that screen, with nothing still moving.
 */

import type { DeadLetter } from '../../../src-main/contract/delivery.ts';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { LeadDetail, LeadLine, Worklist } from '../../../src-main/contract/leads.ts';
import type { PhonesState } from '../../../src-main/contract/phones.ts';
import type { SharingState } from '../../../src-main/contract/sharing.ts';
import type { StaffState } from '../../../src-main/contract/staff.ts';
import { demoLeads } from '../device/demo-leads.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import { someDestinations } from '../device/scripted-destinations.ts';
import { someSetup } from '../device/scripted-setup.ts';
import type { Screen } from './screen.ts';

const demoParked: readonly DeadLetter[] = [
  {
    factId: 'fact-1',
    kind: 'tap',
    at: Date.now() - 600_000,
    name: 'Pieter van der Velde',
    badgeTail: '5F44',
    lead: 'lead-5',
    sealed: false,
    cause: 'touchpoint',
    about: 'tp-17',
    reason: 'touchpointID: There is no touchpoint with this identifier',
    mend: 'thisStand',
    retryable: true,
  },
  {
    factId: 'fact-2',
    kind: 'tap',
    at: Date.now() - 900_000,
    name: null,
    badgeTail: '5F51',
    lead: null,
    sealed: false,
    cause: 'erased',
    about: null,
    reason: 'the visitor was removed on the platform, so the content was erased here',
    mend: null,
    retryable: false,
  },
];

const longPerson = {
  name: 'Maximiliane-Alexandrine Freifrau von Wolfeschlegelsteinhausen-Bergerdorff',
  company: 'Gesellschaft für automatisierungstechnische Sondermaschinenfertigung mbH & Co. KG',
  jobTitle: 'Bereichsleiterin Instandhaltung, Produktionsplanung und Werkzeugmaschineneinkauf',
  email: 'maximiliane-alexandrine.wolfeschlegelsteinhausen-bergerdorff@sondermaschinenfertigung.example',
};

/** A photo that is missing, a voice note of another laptop, and one that can be played. */
const threeFiles: LeadDetail['attachments'] = (['photo', 'elsewhere', 'voice'] as const).map((factId) => ({
  ...{ factId, at: Date.now() - 60_000, staff: 'Mira Köhler', file: factId, sha256: '' },
  ...(factId === 'photo'
    ? { kind: 'photo', ms: null, ofVisitor: false, elsewhere: false }
    : { kind: 'voice', ms: 42_000, ofVisitor: true, elsewhere: factId === 'elsewhere' }),
}));

/** Phones that are paired for today, from two networks. */
function somePhones(): PhonesState {
  const paired = (kind: 'iphone' | 'android', member: string, seenAt: number | null) => ({
    ...{ id: kind, kind, member, seenAt },
    pairedAt: Date.now() - 3_600_000,
  });
  return {
    open: {
      addresses: ['192.168.1.20:8443', '10.0.0.20:8443'],
      fingerprint: Array.from({ length: 32 }, (_, index) => (index * 7 + 16).toString(16)).join(':'),
      until: Date.now() + 36_000_000,
    },
    fault: null,
    phones: [paired('iphone', 'Mira Köhler', Date.now() - 60_000), paired('android', longPerson.name, null)],
  };
}

/** A laptop that shares its leads, with a code for the next one. */
function someSharing(): SharingState {
  const code = 'K7QM-2XRD-9HFT-4WPC';
  return {
    ...{ mode: 'sharing', isReady: true, failed: null, hasKey: true },
    invitation: { code, until: Date.now() + 300_000, qr: `touchpoint:join:192.168.1.20:8443:${code}` },
    laptops: ['B17 left', 'B17 robots, on the left of the long table', 'B17 at the door'],
    addresses: ['192.168.1.20', '10.0.0.20'],
  };
}

function staff(name: string, leads: () => readonly LeadLine[], change: Partial<DeviceState>): Screen {
  return {
    name,
    ready: '.staff-body .timeline, .staff-empty h2',
    prepare: async (scripted, page) => {
      scripted.leads.all = leads();
      scripted.setState(change);
      await page.keyboard.press('F2');
    },
  };
}

function entry(name: string, ready: string, change: Partial<StaffState>): Screen {
  return {
    name,
    ready,
    prepare: async (scripted, page) => {
      scripted.entry.set({ session: null, ...change });
      await page.keyboard.press('F2');
    },
  };
}

export const staffScreens: readonly Screen[] = [
  entry('staff-entry', '.digit-pad', { demo: { pin: '2580', technicianPin: '8520' } }),
  entry('staff-entry-waits', '.digit[data-disabled]', { waitMs: 150_000 }),
  entry('staff-entry-first', '.entry-pin', { pin: 'unset' }),
  entry('staff-entry-damaged', '.notice', { pin: 'damaged' }),
  entry('staff-entry-who', '.entry-name', { session: { member: null, technician: false } }),
  staff('staff', () => demoLeads(128), {
    delivery: {
      captured: 128,
      due: 12,
      inFlight: 2,
      uncertain: 0,
      sent: 4,
      confirmed: 109,
      parked: 1,
      pause: 'offline',
    },
    network: 'offline',
  }),
  staff('staff-many', () => demoLeads(50_000), { leads: 50_000 }),
  staff('staff-hub-words', () => demoLeads(12), {
    outOfOrder: true,
    staffMessage: {
      at: Date.now() - 240_000,
      text: 'The reader at stand B17 is on its way to you; please let nobody queue until it is there. Ask for Jana at the info desk in hall 7.',
    },
  }),
  staff('staff-unwell', () => demoLeads(128), {
    assignmentFault: { kind: 'unknownPurpose', touchpoint: 'B17 left', purpose: 'raffle' },
    clock: { offsetMs: -820_000_000, suspect: true, platformDoubted: false },
    lostNdef: 3,
  }),
  {
    name: 'staff-delivery',
    ready: '.dead-letter-line',
    prepare: async (scripted, page) => {
      scripted.parked = demoParked;
      scripted.destinationScript = someDestinations();
      scripted.turnedAway = [
        {
          ...{ factId: 'fact-9', at: Date.now() - 300_000, reason: 'restricted', name: 'Ada Muster' },
          ...{ badgeTail: '5F60', staff: 'Mira Köhler' },
        },
      ];
      scripted.setState({
        delivery: {
          captured: 128,
          due: 0,
          inFlight: 0,
          uncertain: 0,
          sent: 0,
          confirmed: 126,
          parked: 2,
          pause: null,
        },
        mirror: { ...healthyDevice.mirror, asks: [{ name: 'visitors', wouldRemove: 312 }] },
      });
      await page.keyboard.press('F2');
      await page.locator('.rail-item').nth(3).click();
    },
  },
  staff('staff-empty', () => [], {
    leads: 0,
    delivery: {
      captured: 0,
      due: 0,
      inFlight: 0,
      uncertain: 0,
      sent: 0,
      confirmed: 0,
      parked: 0,
      pause: null,
    },
  }),
  at('staff-few', '#/staff', '.staff-body .timeline', 12),
  at('staff-lead', '#/staff?lead=lead-7', '.staff-body .timeline', 12),
  at('staff-worklist', '#/staff/worklist', '.work-line', 128),
  at('staff-worklist-none', '#/staff/worklist', '.staff-card', 0),
  at('staff-worklist-many', '#/staff/worklist', '.work-line', 50_000),
  {
    name: 'staff-hot-rule',
    ready: '.hot-rule-form',
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(128);
      scripted.setState({ leads: 128 });
      await page.evaluate(`location.hash = '#/staff?sort=hot'`);
      await page.locator('.list-ways button:visible').click();
      await page.locator('.hot-rule-line button').first().click();
    },
  },
  {
    name: 'staff-merge',
    ready: '.correct .person-field',
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(128);
      scripted.setState({ leads: 128 });
      await page.evaluate(`location.hash = '#/staff?lead=lead-3'`);
      await page.locator('.detail-repairs button').nth(1).click();
    },
  },
  {
    name: 'staff-sealed',
    ready: '.sealed-way',
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(12);
      scripted.entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } });
      scripted.setState({
        leads: 12,
        sealed: [{ partner: 'p2', name: 'Südwind Robotik GmbH', leads: 20, asks: true }],
      });
      await page.evaluate(`location.hash = '#/staff/handover'`);
    },
  },
  at('staff-companies', '#/staff/companies', '.company-line', 128),
  {
    name: 'staff-companies-long',
    ready: '.company-line',
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(12).map((line) => ({ ...line, company: longPerson.company }));
      scripted.setState({ leads: 12 });
      await page.evaluate(`location.hash = '#/staff/companies'`);
    },
  },
  at('staff-crm-none', '#/staff/crm', '.staff-card', 0),
  {
    name: 'staff-crm',
    ready: '.crm-mapping td',
    prepare: async (scripted, page) => {
      scripted.destinationScript = someDestinations();
      await page.evaluate(`location.hash = '#/staff/crm'`);
      await page.locator('.crm-part > [aria-expanded]').first().click();
      await page.locator('.crm-ways > .choice + .line-button').first().click();
      await page.locator('.crm-plan-table td').first().waitFor();
    },
  },
  {
    name: 'staff-lead-long',
    ready: '.detail .file-list',
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(12).map((line, index) =>
        index > 0 ? line : { ...line, ...longPerson },
      );
      scripted.leads.more = { 'lead-0': { attachments: threeFiles } };
      scripted.destinationScript = someDestinations();
      await page.evaluate(`location.hash = '#/staff?lead=lead-0'`);
    },
  },
  at('staff-numbers', '#/staff/numbers', '.columns', 128),
  at('staff-numbers-few', '#/staff/numbers', '.columns', 12),
  at('staff-numbers-many', '#/staff/numbers', '.columns', 50_000),
  at('staff-numbers-none', '#/staff/numbers', '.staff-empty h2', 0),
  at('staff-delivery-none', '#/staff/delivery', '.sum', 0),
  at('staff-sheet', '#/staff/sheet', '.sheet tbody', 128),
  at('staff-sheet-none', '#/staff/sheet', '.sheet h3', 0),
  at('staff-sheet-many', '#/staff/sheet', '.sheet tbody', 50_000),
  at('staff-handover', '#/staff/handover?hot=1', '.choice-line strong', 128),
  at('staff-handover-none', '#/staff/handover', '.choice-line strong', 0),
  at('staff-handover-many', '#/staff/handover', '.choice-line strong', 50_000),
  at('staff-team', '#/staff/team', '.work-line', 0),
  {
    name: 'staff-pairing',
    ready: '.pairing-code .qr',
    prepare: async (scripted, page) => {
      scripted.phones = somePhones();
      await page.evaluate(`location.hash = '#/staff/team'`);
      await page.locator('.staff-card .filters button').first().click();
      await page.locator('.pairing-code .qr').scrollIntoViewIfNeeded();
    },
  },
  setup('staff-setup', 0, '.setup-rights'),
  setup('staff-setup-stand', 1, '.choice-line[data-selected]'),
  setup('staff-setup-reader', 2, '.setup-reader'),
  setup('staff-setup-screen', 3, '.setup-display .headline'),
  setup('staff-setup-notice', 4, '.setup-display [data-view="notice"]'),
  setup('staff-setup-questions', 5, '.setup-display [data-view="question"]'),
  setup('staff-setup-done', 6, '.setup-main'),
  {
    ...setup('staff-setup-hub', 0, '.hub-file'),
    prepare: async (scripted, page) => {
      await setup('', 0, '').prepare(scripted, page);
      const devices = [
        { id: 'D07', name: 'B17 robots, on the left of the long table' },
        { id: 'D08', name: 'B17 robots, at the door' },
      ];
      const fingerprint = '9f2c 11d0 7a44 e3b8 5c60 02fd 8e1b 47aa';
      scripted.setSetup({ taken: { kind: 'hub', upload: 'u', hub: 'Hall 7', fingerprint, devices } });
      const file = { name: 'devices.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.locator('.hub-file').scrollIntoViewIfNeeded();
    },
  },
  {
    ...setup('staff-setup-sharing', 0, '.sharing-code .qr'),
    prepare: async (scripted, page) => {
      scripted.setSetup({ sharing: someSharing() });
      await setup('', 0, '').prepare(scripted, page);
      await page.locator('.sharing-code').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'staff-setup-first',
    ready: '.setup-first .setup-form',
    prepare: (scripted) => {
      const { setup } = someSetup;
      scripted.entry.set({ pin: 'unset', session: null });
      scripted.setSetup({
        state: { mode: 'needed', failed: null, given: null },
        setup: { ...setup, access: null, version: 'none', pins: { team: false, technician: false } },
      });
    },
  },
];

/** A step of the set-up, for the technician. */
function setup(name: string, step: number, ready: string): Screen {
  return {
    name,
    ready,
    prepare: async (scripted, page) => {
      scripted.entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } });
      await page.evaluate(`location.hash = '#/staff/setup'`);
      await page.locator('.setup-rights').waitFor();
      await page.locator('.setup-step').nth(step).click();
    },
  };
}

/** A section, by its address, with this many leads. */
function at(name: string, address: string, ready: string, count: number): Screen {
  return {
    name,
    ready,
    prepare: async (scripted, page) => {
      scripted.leads.all = demoLeads(count);
      scripted.leads.worklist = count > 0 ? demoWorklist(scripted.leads.all) : { unknown: [], refused: [] };
      scripted.setState({ leads: count });
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    },
  };
}

/** The worklist of these leads, which is no longer than that of a device. */
function demoWorklist(all: readonly LeadLine[]): Worklist {
  const refused = {
    id: 'r1',
    at: Date.now() - 900_000,
    source: 'wedge' as const,
    text: '04A1B2C3D4E5F604A1B2C3D4E5F6',
    reason: 'garbledScan',
    settled: false,
  };
  const unknown = all.filter((lead) => lead.unknown && !lead.undone).slice(0, 500);
  return { unknown, refused: [refused] };
}
