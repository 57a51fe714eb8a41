/**
 * The screens of the stand team by name, and how the page behind a scripted device is brought to them.
 *
 * Invariant: each entry leaves the page showing exactly that screen, settled.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { DeadLetter, Lead } from '../../../src-main/contract/lead.ts';
import type { StaffState } from '../../../src-main/contract/staff.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import type { Screen } from './screens.ts';

const demoParked: readonly DeadLetter[] = [
  {
    factId: 'fact-1',
    kind: 'tap',
    at: Date.now() - 600_000,
    name: 'Pieter van der Velde',
    badgeTail: '5F44',
    reason: 'touchpoint_id: not found',
    retryable: true,
  },
  {
    factId: 'fact-2',
    kind: 'tap',
    at: Date.now() - 900_000,
    name: null,
    badgeTail: '5F51',
    reason: 'visitor was erased',
    retryable: false,
  },
];

const people = [
  ['Amélie Beaumont', 'Head of Production', 'Ateliers du Rhône', 'Lyon, France'],
  ['Takeshi Kobayashi', '小林 武', 'Shinkawa Seiki', 'Nagoya, Japan'],
  [null, null, null, null],
  ['Lena Olsson-Fernández', 'Purchasing', 'Nordlager AB', 'Göteborg, Sweden'],
  ['حسن المنصوري', 'Owner', 'Gulf Motion Systems', 'Dubai, UAE'],
  ['Pieter van der Velde', 'Technical director', 'Delta Transport', 'Rotterdam, Netherlands'],
  ['Giulia Rossi', 'Student', 'Politecnico di Milano', 'Milano, Italy'],
] as const;

/** Believable leads, latest first. */
export function demoLeads(count: number): readonly Lead[] {
  const now = Date.now();
  const deliveries = [
    'waiting',
    'confirmed',
    'sent',
    'confirmed',
    'confirmed',
    'parked',
    'confirmed',
  ] as const;
  return Array.from({ length: count }, (_, index) => {
    const [name, jobTitle, company, place] = people[index % people.length] ?? people[2];
    return {
      id: `lead-${index}`,
      name,
      company,
      jobTitle,
      place,
      badgeTail: (0x5f21 + index * 7).toString(16).toUpperCase().slice(-4),
      taps: (index % 3) + 1,
      firstAt: now - index * 240_000 - 120_000,
      lastAt: now - index * 240_000,
      rating: null,
      undone: index % 11 === 6,
      delivery: deliveries[index % deliveries.length] ?? 'waiting',
    };
  });
}

function staff(name: string, leads: () => readonly Lead[], change: Partial<DeviceState>): Screen {
  return {
    name,
    ready: '.staff-body .detail-head, .staff-empty h2',
    prepare: async (scripted, page) => {
      scripted.leads = leads();
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
  staff('staff-unwell', () => demoLeads(128), {
    assignmentFault: { kind: 'unknownPurpose', touchpoint: 'B17 left', purpose: 'raffle' },
    clock: { offsetMs: -820_000_000, suspect: true },
    lostNdef: 3,
  }),
  {
    name: 'staff-delivery',
    ready: '.dead-letter-line',
    prepare: async (scripted, page) => {
      scripted.parked = demoParked;
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
      await page.locator('.rail-item').nth(1).click();
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
];
