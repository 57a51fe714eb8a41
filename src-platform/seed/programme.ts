/**
 * The rest of the demo event: labels, registration types, activities, touchpoints, licences, orders and payments.
 */

import { activities } from '../resources/activities.ts';
import { touchpoints } from '../resources/derived.ts';
import { labels } from '../resources/labels.ts';
import { licenses } from '../resources/licenses.ts';
import { orders, payments } from '../resources/orders.ts';
import { registrationTypes } from '../resources/registration-types.ts';
import { shapeOf } from '../resources/resource.ts';
import type { Bulk } from './bulk.ts';
import type { Exhibitors } from './exhibitors.ts';
import type { Random } from './random.ts';

const shapes = {
  label: shapeOf(labels),
  type: shapeOf(registrationTypes),
  activity: shapeOf(activities),
  touchpoint: shapeOf(touchpoints),
  license: shapeOf(licenses),
  order: shapeOf(orders),
  payment: shapeOf(payments),
};

const day = 86_400_000;

/** Adds labels and returns their ids. */
export async function addLabels(bulk: Bulk, expoId: string): Promise<readonly string[]> {
  const given = [
    ['Robotics', '#1f4bd8'],
    ['Logistics', '#0b7a53'],
    ['Machine vision', '#9a5b00'],
    ['Drives', '#5b3fc4'],
    ['Start-up', '#b3261e'],
  ] as const;
  const ids: string[] = [];
  for (const [index, [name, color]] of given.entries()) {
    const id = `${expoId}L${index + 1}`;
    ids.push(id);
    const types = index % 2 === 0 ? ['profile', 'product'] : ['product'];
    await bulk.add(shapes.label, expoId, { id, expoID: expoId, name, color, types });
  }
  return ids;
}

export type TypeIds = { readonly visitor: readonly string[]; readonly partner: readonly string[] };

/** Adds the types of the organisation, and one visitor type that only this event has. */
export async function addRegistrationTypes(bulk: Bulk, expoId: string): Promise<TypeIds> {
  const organisation = [
    ['RTVISITOR', 'Trade visitor', 'visitor'],
    ['RTPRESS', 'Press', 'visitor'],
    ['RTSTUDENT', 'Student', 'visitor'],
    ['RTEXHIBITOR', 'Exhibitor', 'partner'],
    ['RTSPONSOR', 'Sponsor', 'partner'],
  ] as const;
  for (const [id, name, owner] of organisation) await bulk.add(shapes.type, '', { id, name, for: owner });
  const own = `${expoId}RT1`;
  await bulk.add(shapes.type, expoId, { id: own, name: 'Workshop guest', for: 'visitor', expoID: expoId });
  return { visitor: ['RTVISITOR', 'RTPRESS', 'RTSTUDENT', own], partner: ['RTEXHIBITOR', 'RTSPONSOR'] };
}

const topics = [
  'Robots beside people',
  'From paper to data at the line',
  'Batteries in the warehouse',
  'What a sensor should cost',
  'Maintenance before it breaks',
  'Seeing scratches at 3 m/s',
] as const;

/**
 * The activity of the demo's check-in: a workshop with few places, only for guests with its label, so that each result of
 * a check-in can be seen there.
 */
export function demoWorkshop(expoId: string) {
  return { number: 1, label: `${expoId}L1` };
}

/** When the demo event starts and ends, and when it is seeded. */
type Times = { readonly start: Date; readonly end: Date; readonly now: Date };

function workshop(expoId: string, { end, now }: Times) {
  return {
    name: 'Workshop: robots beside people',
    type: 'workshop',
    location: 'Forum North',
    access: 'restricted',
    description: 'Teach an arm by hand. For guests with the label Robotics, four at a time.',
    capacity: 4,
    labels: [demoWorkshop(expoId).label],
    // A demo can be tried on any day of the event: the workshop began within the last half hour and ends with the
    // event.
    start: new Date(Math.floor(now.getTime() / 1_800_000) * 1_800_000).toISOString(),
    end: end.toISOString(),
  };
}

/** Adds `count` activities spread over the event and returns their ids. */
export async function addActivities(
  bulk: Bulk,
  random: Random,
  expoId: string,
  times: Times,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const id = `${expoId}A${String(number).padStart(2, '0')}`;
    ids.push(id);
    const from = times.start.getTime() + (number % 4) * day + (1 + random.below(8)) * 3_600_000;
    await bulk.add(shapes.activity, expoId, {
      id,
      expoID: expoId,
      name: `${random.pick(topics)} (${number})`,
      type: random.pick(['session', 'seminar', 'workshop', 'presentation', 'other']),
      start: new Date(from).toISOString(),
      end: new Date(from + 45 * 60_000).toISOString(),
      location: random.pick(['Forum North', 'Forum South', 'Room 2.11', 'Hall 4 stage']),
      access: random.pick(['open', 'signup', 'restricted']),
      description: 'Twenty minutes of talk, then questions.',
      speakers: ['Dr. Käthe Brandt', 'Tomás Araújo'].slice(0, 1 + (number % 2)),
      capacity: 40 + 10 * (number % 5),
      labels: [],
      ...(number === demoWorkshop(expoId).number ? workshop(expoId, times) : {}),
    });
  }
  return ids;
}

/** Adds the touchpoints: three at the demo stand, two check-ins, and one at each tenth other partner. */
export async function addTouchpoints(
  bulk: Bulk,
  expoId: string,
  { partnerIds, northwindProducts }: Exhibitors,
  activityIds: readonly string[],
): Promise<void> {
  const [home, ...others] = partnerIds;
  const list = [
    { name: 'B17 left', purpose: 'lead', partnerID: home, locationID: 'HALL4' },
    { name: 'B17 right', purpose: 'lead', partnerID: home, locationID: 'HALL4' },
    {
      name: 'B17 take-away',
      purpose: 'content',
      partnerID: home,
      contentID: northwindProducts[0],
      locationID: 'HALL4',
    },
    { name: 'Forum North door', purpose: 'checkin', activityID: activityIds[0], locationID: 'FORUM' },
    { name: 'Main entrance', purpose: 'checkin', locationID: 'ENTRANCE' },
    ...others
      .filter((_id, index) => index % 10 === 0)
      .map((partnerID, index) => ({ name: `Stand ${index + 1}`, purpose: 'lead', partnerID })),
  ];
  for (const [index, touchpoint] of list.entries()) {
    const serial = `TP-26-${String(index + 1).padStart(4, '0')}`;
    const id = `${expoId}T${String(index + 1).padStart(2, '0')}`;
    await bulk.add(shapes.touchpoint, expoId, { id, expoID: expoId, ...touchpoint, serial });
  }
}

type Sale = {
  /** The last part of the ids of order and payment. */
  readonly number: string;
  readonly owner: { readonly partnerID: string } | { readonly visitorID: string };
  readonly item: string;
  readonly price: number;
  readonly created: number;
};

/** Adds an order and its payment. The payment's state fits the order's state. */
async function addSale(bulk: Bulk, random: Random, expoId: string, sale: Sale): Promise<void> {
  const { number, owner, item, price } = sale;
  const orderID = `${expoId}O${number}`;
  const state = random.pick(['paying', 'paymentPending', 'completed', 'completed', 'timeout', 'cancelled']);
  await bulk.add(shapes.order, expoId, {
    id: orderID,
    expoID: expoId,
    ...owner,
    state,
    total: price,
    currency: 'CHF',
    items: [{ name: item, quantity: 1, price }],
    created: new Date(sale.created).toISOString(),
  });
  const unpaid = state === 'cancelled' ? 'cancelled' : 'pending';
  await bulk.add(shapes.payment, expoId, {
    id: `${expoId}Y${number}`,
    expoID: expoId,
    orderID,
    ...owner,
    amount: price,
    currency: 'CHF',
    method: random.pick(['card', 'invoice', 'manual']),
    state: state === 'completed' ? 'paid' : unpaid,
  });
}

/** Adds a workshop ticket for each of these visitors. */
export async function addTickets(
  bulk: Bulk,
  random: Random,
  expoId: string,
  visitorIds: readonly string[],
  created: number,
): Promise<void> {
  for (const [index, visitorID] of visitorIds.entries()) {
    const number = `V${String(index + 1).padStart(3, '0')}`;
    await addSale(bulk, random, expoId, {
      number,
      owner: { visitorID },
      item: 'Workshop ticket',
      price: 45,
      created: created + index * 90_000,
    });
  }
}

/** Adds a license for each partner, and an order with its payment for every second partner. */
export async function addSales(
  bulk: Bulk,
  random: Random,
  expoId: string,
  partnerIds: readonly string[],
  created: number,
): Promise<void> {
  for (const [index, partnerID] of partnerIds.entries()) {
    const number = String(index + 1).padStart(3, '0');
    await bulk.add(shapes.license, expoId, {
      id: `${expoId}X${number}`,
      expoID: expoId,
      partnerID,
      type: index === 0 ? 'touchpoint' : random.pick(['touchpoint', 'scan', 'badge', 'app']),
      activationMax: 2 + random.below(4),
      activations: 0,
    });
    if (index % 2 === 1) continue;
    await addSale(bulk, random, expoId, {
      number,
      owner: { partnerID },
      item: 'Touchpoint license',
      price: 120 * (1 + random.below(4)),
      created: created + index * 60_000,
    });
  }
}
