/**
 * The demo event "Automation Days 2026" and its smaller neighbour. They are the same on every machine, except for
 * their dates.
 *
 * Invariants:
 * - The badges that `assets/demo/badges.json` marks as `visitor` belong to visitors of this event. All of these
 *   visitors are registered except one. The other badges belong to nobody.
 * - The event and the workshop of its check-in have begun when the event is seeded, and run for four more weeks.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { addKey } from '../keys/keys.ts';
import { expos } from '../resources/expos.ts';
import { shapeOf } from '../resources/resource.ts';
import { findExpo, withContents } from '../store/expo.ts';
import type { Doc } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { type Bulk, createBulk } from './bulk.ts';
import { addPartners } from './exhibitors.ts';
import {
  addActivities,
  addLabels,
  addRegistrationTypes,
  addSales,
  addTickets,
  addTouchpoints,
  demoWorkshop,
} from './programme.ts';
import { createRandom } from './random.ts';
import { addVisitor, makeVisitor, type VisitorOptions } from './visitors.ts';

export const demoExpoId = 'AD2026';
/** The well-known key of the demo: not a secret, created only together with the demo event. */
export const demoKey = 'demo-key-touchpoint';

const demoVisitors = 400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const badgesFile = new URL('../../assets/demo/badges.json', import.meta.url);
const badgeSchema = z.array(
  z.object({
    code: z.string(),
    alias: z.string(),
    name: z.string(),
    kind: z.enum(['visitor', 'unknown', 'phone', 'unreadable']),
    says: z.string(),
  }),
);

/** A visitor who was never confirmed. It shows a refusal at the check-in. */
const unregisteredAlias = 'olga';
const unregisteredGuest: Doc = {
  registrationState: 'incomplete',
  registrationType: undefined,
  firstName: 'Olga',
  lastName: 'Marin',
  company: 'Atelier Marin',
  email: 'olga@example.org',
  country: 'RO',
  language: 'en',
};

/** Aliases of the guests with the label that admits to the workshop of the demo's check-in; see `demoWorkshop`. */
const workshopGuests: readonly string[] = ['amelie', 'takeshi', 'lena', 'hassan', 'giulia', 'max'];

/** Names and other fields of the known demo visitors, by alias. */
const knownGuests: Readonly<Record<string, Doc>> = {
  amelie: {
    firstName: 'Amélie',
    lastName: 'Beaumont',
    company: 'Ateliers du Rhône',
    jobTitle: 'Head of production',
    email: 'amelie.beaumont@example.org',
    country: 'FR',
    language: 'fr',
  },
  takeshi: {
    firstName: '武',
    lastName: '小林',
    company: '東和精機',
    jobTitle: 'Process engineer',
    email: 'takeshi.kobayashi@example.org',
    country: 'JP',
    language: 'ja',
  },
  lena: {
    firstName: 'Lena',
    lastName: 'Olsson-Fernández',
    company: 'Nordkraft',
    email: 'lena@example.org',
    country: 'SE',
    language: 'sv',
  },
  hassan: {
    firstName: 'حسن',
    lastName: 'المنصوري',
    company: 'Gulf Logistics',
    jobTitle: 'Managing director',
    email: 'hassan@example.org',
    country: 'AE',
    language: 'ar',
  },
  pieter: { firstName: 'Pieter', lastName: 'van der Velde', country: 'NL', language: 'nl' },
  giulia: {
    firstName: 'Giulia',
    lastName: 'Rossi',
    company: 'Officine Bianchi',
    jobTitle: 'Buyer',
    email: 'giulia.rossi@example.org',
    country: 'IT',
    language: 'it',
  },
  max: {
    firstName: 'Maximiliane-Alexandrine',
    lastName: 'Freifrau von und zu Schwarzenberg-Hohenlohe-Waldenburg-Schillingsfürst',
    company: 'Müller Weingarten Pressenbau und Fördertechnik Verwaltungsgesellschaft mbH & Co. KG',
    jobTitle: 'Stellvertretende Bereichsleiterin Intralogistik und Lieferantenentwicklung Mitteleuropa',
    email: 'max@example.org',
    country: 'DE',
    language: 'de',
  },
  ng: { lastName: 'Ng', company: 'Hanoi Precision', country: 'VN', language: 'vi' },
};

/** Start and end of the demo event, and the opening of its registration, seeded at `now`. */
function demoTimes(now: Date) {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return {
    start: new Date(midnight - 2 * DAY_MS + 7 * HOUR_MS),
    end: new Date(midnight + 28 * DAY_MS + 17 * HOUR_MS),
    registration: new Date(midnight - 80 * DAY_MS + 8 * HOUR_MS),
  };
}

function addExpo(
  bulk: Bulk,
  expoId: string,
  { start, end }: ReturnType<typeof demoTimes>,
  doc: Doc,
): Promise<void> {
  return bulk.add(shapeOf(expos), expoId, {
    id: expoId,
    timezone: 'Europe/Zurich',
    start: start.toISOString(),
    end: end.toISOString(),
    labels: [],
    discoverUrl: 'https://discover.example.org',
    ...doc,
  });
}

function badgeOf({ code }: { readonly code: string }) {
  return { type: 'nfc', code };
}

/** The badges of the demo tray. */
export async function demoBadges() {
  return badgeSchema.parse(JSON.parse(await readFile(badgesFile, 'utf8')));
}

async function addKnownVisitors(bulk: Bulk, options: VisitorOptions): Promise<readonly string[]> {
  const guests = (await demoBadges()).filter(
    ({ kind, alias }) => kind === 'visitor' && alias !== unregisteredAlias,
  );
  for (const [index, badge] of guests.entries()) {
    const number = String(index + 1).padStart(6, '0');
    const when = new Date(options.created).toISOString();
    await addVisitor(bulk, {
      id: `${options.expoId}V${number}`,
      expoID: options.expoId,
      contactID: `C${number}${options.expoId}`,
      contactReference: `CRM-${options.expoId}-${number}`,
      registrationState: 'registered',
      registrationType: 'RTVISITOR',
      ...knownGuests[badge.alias],
      badges: [
        badgeOf(badge),
        ...(badge.alias === 'lena' ? [{ type: 'qr', code: `${options.expoId}-${number}` }] : []),
      ],
      labels: workshopGuests.includes(badge.alias) ? [demoWorkshop(options.expoId).label] : [],
      created: when,
      updated: when,
    });
  }
  return guests.map((_badge, index) => `${options.expoId}V${String(index + 1).padStart(6, '0')}`);
}

/** Fills an empty database with the demo and its key. */
export async function seedDemo(store: Store, now: Date, visitorCount = demoVisitors): Promise<void> {
  await store.write(async (write) => {
    // Another process may have seeded it in the meantime. From here on no other write transaction runs.
    if (await findExpo(write.db, demoExpoId)) return;
    const random = createRandom(2026);
    const bulk = createBulk(write);
    const times = demoTimes(now);
    const registered = times.registration.getTime();
    await addExpo(bulk, demoExpoId, times, {
      name: 'Automation Days 2026',
      description: 'Four halls of robots, drives, sensors and software.',
      contactEmail: 'Automation Days <hello@automation-days.example>',
      reference: 'AD-26',
      venue: 'Messe Basel, Halls 1 to 6',
      contentManagement: withContents,
    });
    const types = await addRegistrationTypes(bulk, demoExpoId);
    const labels = await addLabels(bulk, demoExpoId);
    const exhibitors = await addPartners(bulk, random, 40, {
      expoId: demoExpoId,
      types: types.partner,
      labels,
    });
    const activities = await addActivities(bulk, random, demoExpoId, { ...times, now }, 30);
    await addTouchpoints(bulk, demoExpoId, exhibitors, activities);
    await addSales(bulk, random, demoExpoId, exhibitors.partnerIds, registered);
    const options = { expoId: demoExpoId, types: types.visitor, labels, created: registered };
    const known = await addKnownVisitors(bulk, options);
    await addTickets(bulk, random, demoExpoId, known, registered);
    const unregistered = (await demoBadges()).find(({ alias }) => alias === unregisteredAlias);
    for (let number = known.length + 1; number <= visitorCount; number += 1) {
      const visitor = makeVisitor(random, number, options);
      const isHer = number === known.length + 1 && unregistered !== undefined;
      await addVisitor(
        bulk,
        isHer ? { ...visitor, ...unregisteredGuest, badges: [badgeOf(unregistered)] } : visitor,
      );
    }
    // A second event without content management, to try out scopes and that rule.
    await addExpo(bulk, 'PN2027', times, {
      name: 'Packaging Nights 2027',
      contactEmail: 'hello@packaging-nights.example',
      reference: 'PN-27',
    });
    await bulk.flush();
    const about = {
      expos: null,
      addresses: null,
      canWrite: true,
      connections: true,
      partnerId: null,
      expires: null,
    };
    await addKey(write, demoKey, { name: 'Demo', ...about }, now);
  });
}
