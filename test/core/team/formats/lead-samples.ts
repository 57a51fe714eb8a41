/** Leads for export tests, and texts that a receiver may not support. */
import type { ExportConsent, ExportLead } from '../../../../src-main/core/team/formats/export-lead.ts';
import type {
  ExportSetting,
  ExportTally,
  LeadSource,
} from '../../../../src-main/core/team/formats/profile.ts';
import { createWallClock } from '../../../../src-main/core/team/formats/wall-clock.ts';

/** 17:05 in local time of the fair. */
const EVENING = Date.UTC(2026, 10, 21, 16, 5);

/** A lead with this id and these fields. */
export const leadOf = (id: string, fields: Partial<ExportLead> = {}): ExportLead => ({
  id,
  visitor: `v-${id}`,
  firstName: 'Ada',
  lastName: 'Muster',
  name: 'Ada Muster',
  company: 'Muster AG',
  jobTitle: 'Head of Buying',
  email: `${id}@example.org`,
  phone: '+41 44 668 18 00',
  mobile: null,
  street: null,
  postalCode: null,
  city: 'Zürich',
  country: 'CH',
  language: 'de',
  rating: 4,
  hot: true,
  hotWhy: 'rated 4 out of 5',
  labels: ['Partner'],
  note: null,
  answers: [],
  contents: [],
  files: [],
  visits: [{ at: EVENING, touchpoint: 'tp1' }],
  consents: [],
  staff: [],
  followUpOn: null,
  followUpBy: null,
  companyGroup: null,
  followUpTime: null,
  followUpKind: null,
  form: {},
  badges: ['04A1B2C3'],
  unknown: false,
  takenBack: false,
  delivery: 'confirmed',
  ...fields,
});

/** A consent of purpose `news`, which permits e-mail. */
export const newsConsent = (agreed: boolean, at = EVENING): ExportConsent => ({
  ...{ purpose: 'news', text: 'Send me news', agreed, channel: 'email' },
  ...{ notice: '2026-11', language: 'de', at },
});

/** These leads in this order. They can be read repeatedly. */
export const sourceOf = (leads: readonly ExportLead[]): LeadSource => ({
  all: () => leads,
  one: (id) => leads.find((lead) => lead.id === id) ?? null,
});

export const setting = (language = 'en'): ExportSetting => ({
  ...{ event: 'Autumn Fair', stand: 'Northwind', language, separator: null, at: EVENING },
  clock: createWallClock('Europe/Berlin'),
  questions: [{ id: 'when', text: 'When do you plan something new?' }],
  consents: [{ id: 'news', text: 'Send me news' }],
  letter: { subject: null, text: null, signatures: [] },
});

/** The complete output of a profile, and its tally. */
export const written = (
  pieces: Generator<Uint8Array, ExportTally>,
): { readonly bytes: Buffer; readonly text: string; readonly tally: ExportTally } => {
  const parts: Uint8Array[] = [];
  for (let step = pieces.next(); ; step = pieces.next()) {
    if (step.done === true) {
      const bytes = Buffer.concat(parts);
      return { bytes, text: bytes.toString('utf8'), tally: step.value };
    }
    parts.push(step.value);
  }
};

/** Cell contents that a spreadsheet would evaluate as a formula. */
export const DANGEROUS = [
  ...['=', '+', '-', '@', '\t', '\r', '\n'],
  ...['＝', '＋', '－', '＠', ' =', '\u200b=', '\ufeff='],
];

/** Texts that have broken importers. */
export const ODD_TEXTS = [
  'He said "soon"; maybe, or not',
  'first line\nsecond line\r\nthird',
  '🤖 robots 👩🏽‍🔧',
  'a\u0000b\u0007c',
  'half \ud83d of a character',
  'turned \u202earound',
  '_x000D_ stays',
  '<b>&amp;</b>',
  "'quoted",
];
