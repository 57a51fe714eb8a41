/**
 * One row per person, for receivers that would count two leads with the same e-mail address as two people.
 *
 * Invariants:
 * - Leads with the same normalised e-mail address are merged. The values of the lead with the latest visit win, the
 *   others fill gaps, and their remaining texts go to the note.
 * - A refusal in one of the leads is a refusal of the merged lead.
 * - A lead without a name, company, e-mail address and phone number, or with every tap undone, gets no row.
 */
import { type ExportConsent, type ExportLead, emailKey, lastVisit } from './export-lead.ts';
import type { Counting, LeadSource } from './profile.ts';

/** People for a CRM, in the order of the leads. Omitted and merged leads are counted. */
export function* oneRowPerPerson(leads: LeadSource, counting: Counting): Generator<ExportLead> {
  const sharing = sharingAnAddress(leads);
  for (const lead of leads.all()) {
    if (lead.takenBack) counting.takenBack += 1;
    else if (!isContact(lead)) counting.unknown += 1;
    else {
      const ids = sharing.get(emailKey(lead.email) ?? '');
      if (ids === undefined) yield lead;
      else if (ids[0] !== lead.id) counting.merged += 1;
      else yield mergedLead(ids.flatMap((id) => leads.one(id) ?? []));
    }
  }
}

/** Whether a CRM or an address book can use the lead, because it has a name or a way to reach the person. */
export function isContact({ name, lastName, firstName, email, phone, mobile, company }: ExportLead): boolean {
  return [name, lastName, firstName, email, phone, mobile, company].some((said) => said !== null);
}

/** Ids of the leads for each address that several leads share. Only addresses and ids are in memory. */
function sharingAnAddress(leads: LeadSource): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const lead of leads.all()) {
    const key = emailKey(lead.email);
    if (key === null || lead.takenBack) continue;
    const found = ids.get(key);
    if (found === undefined) ids.set(key, [lead.id]);
    else found.push(lead.id);
  }
  for (const [key, found] of ids) if (found.length === 1) ids.delete(key);
  return ids;
}

/** Merges several leads into one. */
function mergedLead(leads: readonly ExportLead[]): ExportLead {
  const [first, ...others] = leads.toSorted((one, other) => (lastVisit(other) ?? 0) - (lastVisit(one) ?? 0));
  if (first === undefined) throw new RangeError('Expected at least one lead');
  return others.reduce(joined, first);
}

/** Names every property, so that the compiler requires a merge rule for a new one. */
function joined(first: ExportLead, other: ExportLead): ExportLead {
  const isSamePerson = first.name === other.name || other.name === null;
  const gap = isSamePerson ? other : first;
  return {
    id: first.id,
    visitor: first.visitor,
    firstName: first.firstName,
    lastName: first.lastName,
    name: first.name,
    company: first.company ?? gap.company,
    jobTitle: first.jobTitle ?? gap.jobTitle,
    email: first.email,
    phone: first.phone ?? gap.phone,
    mobile: first.mobile ?? gap.mobile,
    street: first.street ?? gap.street,
    postalCode: first.postalCode ?? gap.postalCode,
    city: first.city ?? gap.city,
    country: first.country ?? gap.country,
    language: first.language ?? gap.language,
    rating: first.rating ?? other.rating,
    hot: first.hot || other.hot,
    hotWhy: first.hot ? first.hotWhy : other.hotWhy,
    labels: [...new Set([...first.labels, ...other.labels])],
    note: noteOf(first, other, isSamePerson),
    answers: [
      ...first.answers,
      ...other.answers.filter(({ id }) => first.answers.every((said) => said.id !== id)),
    ],
    contents: [
      ...first.contents,
      ...other.contents.filter(({ id }) => first.contents.every((taken) => taken.id !== id)),
    ],
    files: [...first.files, ...other.files],
    visits: [...first.visits, ...other.visits].toSorted((one, two) => one.at - two.at),
    // A consent applies to one person. A refusal applies to the address.
    consents: joinedConsents([
      ...first.consents,
      ...other.consents.filter(({ agreed }) => isSamePerson || !agreed),
    ]),
    staff: [...new Set([...first.staff, ...other.staff])],
    companyGroup: first.companyGroup ?? gap.companyGroup,
    ...nextStep(first, other),
    form: { ...other.form, ...first.form },
    badges: [...new Set([...first.badges, ...other.badges])],
    unknown: first.unknown,
    takenBack: first.takenBack,
    delivery: first.delivery,
  };
}

/** The next step of the first lead that has one. Day and time of different leads are never combined. */
function nextStep(
  first: ExportLead,
  other: ExportLead,
): Pick<ExportLead, 'followUpOn' | 'followUpBy' | 'followUpTime' | 'followUpKind'> {
  const { followUpOn, followUpTime, followUpKind } = first.followUpOn === null ? other : first;
  return { followUpOn, followUpTime, followUpKind, followUpBy: first.followUpBy ?? other.followUpBy };
}

function noteOf(first: ExportLead, other: ExportLead, isSamePerson: boolean): string | null {
  const who = [other.name, other.jobTitle, other.company, other.phone ?? other.mobile];
  const beside = isSamePerson ? null : who.filter((said) => said !== null).join(', ');
  const parts = [first.note, beside, other.note].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? null : [...new Set(parts)].join('\n');
}

/** For each purpose a refusal if there is one, else the latest consent. */
function joinedConsents(consents: readonly ExportConsent[]): readonly ExportConsent[] {
  const byPurpose = new Map<string, ExportConsent>();
  for (const consent of consents.toSorted((one, other) => one.at - other.at)) {
    const known = byPurpose.get(consent.purpose);
    if (known === undefined || known.agreed) byPurpose.set(consent.purpose, consent);
  }
  return [...byPurpose.values()];
}
