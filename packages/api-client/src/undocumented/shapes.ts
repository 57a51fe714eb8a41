/**
 * Fields of the resources whose fields are not published: our reading (docs/interface/undocumented.md#shapes), in one
 * place.
 *
 * Invariant: undocumented. A platform that names a field differently changes this file and nothing else; until then
 * the field is absent and stands in the record's `body`.
 * Source: docs/interface/resources.md#fields-that-are-not-published (not shown); the shapes are ours.
 */
import {
  anything,
  flag,
  instant,
  listOf,
  number,
  shape,
  text,
  whole,
  word,
} from '../../../../src-main/core/foundations/api/fields.ts';

const badges = listOf(shape({ type: word('nfc', 'qr'), code: text }));

export const visitorShape = {
  expoID: text,
  contactID: text,
  contactReference: text,
  partnerID: text,
  registrationState: word('registered', 'incomplete', 'denied', 'cancelled'),
  registrationType: text,
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  company: text,
  jobTitle: text,
  country: text,
  language: text,
  badges,
  labels: listOf(text),
  created: instant,
  updated: instant,
} as const;

/** Attendance summary, named by `visitorID`. */
export const participantShape = {
  visitorID: text,
  expoID: text,
  firstSeen: instant,
  lastSeen: instant,
  present: flag,
  activities: listOf(shape({ activityID: text, entered: instant, left: instant })),
  actions: whole,
  connections: whole,
} as const;

/** List form and, from `description` on, what the detailed form adds. */
export const partnerShape = {
  expoID: text,
  contactID: text,
  contactReference: text,
  name: text,
  stand: text,
  registrationType: text,
  description: text,
  website: text,
  email: text,
  phone: text,
  address: text,
  country: text,
  logo: text,
  labels: listOf(text),
} as const;

/** What a single read adds to a content item ("additional properties": not shown). */
export const contentDetailShape = {
  description: text,
  url: text,
  image: text,
  labels: listOf(text),
} as const;

export const activityShape = {
  expoID: text,
  name: text,
  type: word('session', 'seminar', 'workshop', 'presentation', 'other'),
  start: instant,
  end: instant,
  location: text,
  access: word('open', 'signup', 'restricted'),
  description: text,
  speakers: listOf(text),
  capacity: whole,
  labels: listOf(text),
} as const;

export const touchpointShape = {
  expoID: text,
  name: text,
  partnerID: text,
  contentID: text,
  activityID: text,
  locationID: text,
  purpose: word('lead', 'content', 'checkin'),
  serial: text,
} as const;

/** `clientID` is the id of the fact that was written (see `write-extension.ts`). */
export const actionShape = {
  expoID: text,
  type: word('scan', 'print', 'manual'),
  at: instant,
  touchpointID: text,
  locationID: text,
  partnerID: text,
  visitorID: text,
  contentID: text,
  activityID: text,
  badge: text,
  source: word('nfc', 'qr', 'wedge', 'manual'),
  clientID: text,
} as const;

export const connectionShape = {
  expoID: text,
  type: word('visitor', 'partner'),
  visitorID: text,
  partnerID: text,
  first: instant,
  last: instant,
  count: whole,
  contents: listOf(text),
  notes: text,
  rating: number,
  labels: listOf(text),
  answers: anything,
  consent: anything,
} as const;

export const labelShape = {
  expoID: text,
  name: text,
  color: text,
  types: listOf(word('profile', 'product')),
} as const;

export const licenseShape = {
  expoID: text,
  partnerID: text,
  type: word('touchpoint', 'scan', 'badge', 'app'),
  activationMax: whole,
  activations: whole,
} as const;

/** The states are documented ("Order states"), the rest is not. */
export const orderShape = {
  expoID: text,
  visitorID: text,
  partnerID: text,
  state: word('paying', 'paymentPending', 'completed', 'timeout', 'cancelled'),
  total: number,
  currency: text,
  items: listOf(shape({ name: text, quantity: whole, price: number })),
  created: instant,
} as const;

/** The states paid, denied and pending are documented ("Payment states"), the rest is not. */
export const paymentShape = {
  expoID: text,
  orderID: text,
  visitorID: text,
  partnerID: text,
  amount: number,
  currency: text,
  method: word('card', 'invoice', 'manual', 'free'),
  state: word('pending', 'paid', 'denied', 'refunded', 'cancelled'),
} as const;

export const registrationTypeShape = {
  expoID: text,
  name: text,
  for: word('visitor', 'partner'),
} as const;

/** The types and the two states are documented ("Events", "Webhook state"), the rest is not. */
export const webhookShape = {
  expoID: text,
  type: word('action', 'connection', 'content', 'order', 'participant', 'partner', 'payment', 'visitor'),
  url: text,
  enabled: flag,
  state: word('wait', 'error'),
  attempts: whole,
  lastAttempt: instant,
  lastError: text,
} as const;

/** What the detailed read adds to an event ("extra properties of the detailed expo": not shown). */
export const expoDetailShape = {
  venue: text,
  logo: text,
  labels: listOf(text),
  discoverUrl: text,
} as const;
