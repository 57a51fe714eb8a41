/** A device at a stand without faults. Tests change what they need. */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Stand } from '../../../src-main/contract/stand.ts';

/** A stand that offers only the tap. */
export const plainStand: Stand = {
  notice: null,
  consents: [],
  questions: [],
  offer: { count: 0, here: null },
  email: false,
  activity: null,
  brand: { colour: null, logo: null },
  attract: [],
  screen: { reach: 'usual', contrast: 'usual', text: 'usual', camera: false },
};

/** A healthy device at a stand, with everything fetched and delivered. */
export const healthyDevice: DeviceState = {
  version: '0.1.0',
  demo: false,
  deviceName: 'B17 left',
  event: { id: '4711', name: 'Automation Days 2026', timezone: 'Europe/Berlin' },
  partner: { id: '7', name: 'Northwind Robotics', stand: 'Hall 4, B17' },
  purpose: 'lead',
  cardService: 'up',
  readers: [{ name: 'ACR1252U' }],
  mirror: { complete: true, resources: [], remaining: null, asks: [], lastPassAt: 1_790_000_000_000 },
  delivery: {
    captured: 128,
    due: 0,
    inFlight: 0,
    uncertain: 0,
    sent: 4,
    confirmed: 124,
    parked: 0,
    pause: null,
  },
  network: 'online',
  storage: 'ok',
  clock: { offsetMs: 0, suspect: false, platformDoubted: false },
  busyShare: 0,
  leads: 128,
};
