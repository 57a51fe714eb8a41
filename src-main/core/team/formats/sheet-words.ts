/**
 * Texts of the headers and cells of a sheet, in the languages of the staff pages.
 *
 * Invariant: every language other than German gets English, as on the staff pages.
 */

const en = {
  sheet: 'Leads',
  name: 'Name',
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  companyGroup: 'Company (grouped)',
  jobTitle: 'Job title',
  email: 'E-mail',
  phone: 'Phone',
  mobile: 'Mobile',
  street: 'Street',
  postalCode: 'Postal code',
  city: 'City',
  country: 'Country',
  language: 'Language',
  rating: 'Rating (1–5)',
  hot: 'Hot',
  hotWhy: 'Why hot',
  labels: 'Labels',
  note: 'Note',
  otherAnswers: 'Other answers',
  contents: 'Contents taken',
  files: 'Photos and voice notes',
  visits: 'Visits',
  firstVisit: 'First visit',
  lastVisit: 'Last visit',
  consent: 'Agreed',
  otherConsents: 'Other consents',
  consentNotice: 'Notice shown',
  consentAt: 'Consent given',
  staff: 'Met by',
  followUpOn: 'Follow up on',
  followUpBy: 'Follow up by',
  followUpTime: 'Follow up at',
  followUpKind: 'Next step',
  followUp: 'Follow-up',
  call: 'Call',
  meeting: 'Meeting',
  badges: 'Badge',
  unknown: 'Unknown badge',
  takenBack: 'Taken back',
  delivery: 'Delivery',
  id: 'Lead ID',
  yes: 'yes',
  no: 'no',
  waiting: 'waiting',
  atHub: 'at the hub in the hall',
  sent: 'sent',
  confirmed: 'confirmed',
  parked: 'refused',
};

export type SheetWords = Readonly<Record<keyof typeof en, string>>;

const de: SheetWords = {
  sheet: 'Leads',
  name: 'Name',
  firstName: 'Vorname',
  lastName: 'Nachname',
  company: 'Firma',
  companyGroup: 'Firma (zusammengefasst)',
  jobTitle: 'Position',
  email: 'E-Mail',
  phone: 'Telefon',
  mobile: 'Mobil',
  street: 'Straße',
  postalCode: 'PLZ',
  city: 'Ort',
  country: 'Land',
  language: 'Sprache',
  rating: 'Bewertung (1–5)',
  hot: 'Heiß',
  hotWhy: 'Warum heiß',
  labels: 'Labels',
  note: 'Notiz',
  otherAnswers: 'Weitere Antworten',
  contents: 'Mitgenommene Inhalte',
  files: 'Fotos und Sprachnotizen',
  visits: 'Besuche',
  firstVisit: 'Erster Besuch',
  lastVisit: 'Letzter Besuch',
  consent: 'Zugestimmt',
  otherConsents: 'Weitere Einwilligungen',
  consentNotice: 'Gezeigter Hinweis',
  consentAt: 'Einwilligung am',
  staff: 'Getroffen von',
  followUpOn: 'Nachfassen am',
  followUpBy: 'Nachfassen durch',
  followUpTime: 'Nachfassen um',
  followUpKind: 'Nächster Schritt',
  followUp: 'Nachfassen',
  call: 'Anruf',
  meeting: 'Treffen',
  badges: 'Badge',
  unknown: 'Unbekannter Badge',
  takenBack: 'Zurückgenommen',
  delivery: 'Übertragung',
  id: 'Lead-ID',
  yes: 'ja',
  no: 'nein',
  waiting: 'wartet',
  atHub: 'beim Hub in der Halle',
  sent: 'gesendet',
  confirmed: 'bestätigt',
  parked: 'abgelehnt',
};

/** The texts for a BCP 47 tag. */
export function sheetWords(language: string): SheetWords {
  return primary(language) === 'de' ? de : en;
}

/** Languages in which Excel separates CSV cells by a semicolon, because the comma is the decimal separator. */
const SEMICOLON = new Set(['de', 'fr', 'it', 'es', 'nl', 'pt']);

/** The separator that Excel expects in a CSV file of this language. */
export function separatorOf(language: string): ',' | ';' {
  return SEMICOLON.has(primary(language)) ? ';' : ',';
}

function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/u, 1)[0] ?? '';
}
