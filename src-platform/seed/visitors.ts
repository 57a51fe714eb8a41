/** Realistic visitors: many scripts, long and short names, missing fields, several badges. */
import { deriveParticipant } from '../interactions/derive.ts';
import { visitors } from '../registration/visitors.ts';
import { participants } from '../resources/derived.ts';
import { shapeOf } from '../resources/resource.ts';
import type { Doc } from '../store/records.ts';
import type { Bulk } from './bulk.ts';
import { companies, jobTitles, namePools } from './names.ts';
import type { Random } from './random.ts';

const visitorShape = shapeOf(visitors);
const participantShape = shapeOf(participants);

export type VisitorOptions = {
  readonly expoId: string;
  /** Registration types of visitors to choose from. */
  readonly types: readonly string[];
  readonly labels: readonly string[];
  /** When registration began, in Unix milliseconds. Each visitor registers a second after the previous one. */
  readonly created: number;
};

/** Visitor number `number`, from 1; the badge's serial number contains it, so all are different. */
export function makeVisitor(random: Random, number: number, options: VisitorOptions): Doc {
  const pool = random.pick(namePools);
  const state = random.chance(0.95) ? 'registered' : random.pick(['incomplete', 'denied', 'cancelled']);
  const padded = String(number).padStart(6, '0');
  const code = `04${number.toString(16).toUpperCase().padStart(6, '0')}${random.hex(6)}`;
  const when = new Date(options.created + number * 1000).toISOString();
  const id = `${options.expoId}V${padded}`;
  return {
    id,
    expoID: options.expoId,
    contactID: `C${padded}${options.expoId}`,
    contactReference: `CRM-${options.expoId}-${padded}`,
    registrationState: state,
    ...(state === 'registered' ? { registrationType: random.pick(options.types) } : {}),
    ...(random.chance(0.97) ? { firstName: random.pick(pool.first) } : {}),
    lastName: random.pick(pool.last),
    ...(random.chance(0.9) ? { email: `visitor${padded}@example.org` } : {}),
    ...(random.chance(0.4) ? { phone: `+41 44 ${padded.slice(0, 3)} ${padded.slice(3)}` } : {}),
    ...(random.chance(0.85) ? { company: random.pick(companies) } : {}),
    ...(random.chance(0.7) ? { jobTitle: random.pick(jobTitles) } : {}),
    ...(random.chance(0.95) ? { country: pool.country } : {}),
    ...(random.chance(0.95) ? { language: pool.language } : {}),
    badges: [
      { type: 'nfc', code },
      ...(random.chance(0.3) ? [{ type: 'qr', code: `${options.expoId}-${padded}` }] : []),
    ],
    labels: options.labels.length > 0 && random.chance(0.2) ? [random.pick(options.labels)] : [],
    created: when,
    updated: when,
  };
}

/** Adds a visitor with badges. A registered visitor also gets an attendance summary that shows no arrival yet. */
export async function addVisitor(bulk: Bulk, visitor: Doc): Promise<void> {
  const expoId = String(visitor.expoID);
  const visitorId = String(visitor.id);
  await bulk.add(visitorShape, expoId, visitor);
  for (const { code } of visitor.badges as readonly { readonly code: string }[]) {
    await bulk.addBadge(expoId, code, visitorId);
  }
  if (visitor.registrationState === 'registered') {
    await bulk.add(participantShape, expoId, {
      visitorID: visitorId,
      expoID: expoId,
      ...deriveParticipant([]),
    });
  }
}
