/**
 * The texts of the fleet page in English and German: one function for each sentence that contains a value. Numbers
 * and times have the format of the language.
 */
import type { Need } from './judgement.ts';

export const FLEET_LANGUAGES = ['en', 'de'] as const;
export type FleetLanguage = (typeof FLEET_LANGUAGES)[number];

const english = {
  title: 'Fleet',
  signIn: 'Sign in',
  key: 'Key of the fleet page',
  keyFrom: 'A new key comes from the hub (DIR: its data folder):',
  wrong: 'This key is wrong.',
  noKey: 'There is no key yet. Make one at the hub.',
  leave: 'Sign out',
  sections: 'Parts of this page',
  devices: 'Devices',
  needs: 'What needs a person',
  nothingNeeded: 'Nothing needs you now.',
  upstream: {
    online: 'The hub reaches the platform.',
    offline: 'The hub does not reach the platform. It keeps what it has and sends it automatically.',
    refused: 'The platform refuses the hub: check its key.',
  },
  since: (time: string) => `Since ${time}.`,
  sums: 'Where every fact is',
  sumDevices: 'Captured on the devices',
  sumHub: 'Accepted by the hub',
  waiting: 'waiting on devices',
  atHub: 'at the hub',
  sent: 'sent',
  confirmed: 'confirmed',
  setAside: 'set aside',
  receipts: 'Fingerprint of this hub’s signature under receipts and proofs:',
  asReported: 'Devices report every half minute. The hub counts now.',
  find: 'Find a device',
  all: 'All',
  none: 'No device yet.',
  noneHow: 'Add devices at the hub: npm run hub -- devices add --help',
  noneFound: 'No device matches.',
  device: 'Device',
  purposes: { lead: 'Leads', content: 'Content', checkin: 'Check-in' } as Readonly<Record<string, string>>,
  place: 'Touchpoint and partner',
  lastTap: 'Last tap',
  reader: 'Reader',
  readerOk: 'connected',
  readerOff: 'not used',
  readerGone: 'missing',
  readerStarting: 'starting',
  queue: 'Facts',
  queueWords: (waiting: string, hub: string) => `${waiting} waiting · ${hub} at the hub`,
  mirror: 'Copy',
  version: 'Version',
  battery: 'Battery',
  disk: { encrypted: 'disk encrypted', open: 'disk not encrypted', unknown: 'encryption not known' },
  plugged: 'plugged in',
  never: 'never',
  heard: (age: string) => `reported ${age} ago`,
  silentSince: (time: string) => `silent since ${time}`,
  ago: (age: string) => `${age} ago`,
  notSetUp: 'to be set up',
  revoked: 'revoked',
  select: (name: string) => `Select ${name}`,
  selectAll: (count: string) => `All ${count} found`,
  withSelected: 'Send to the selected:',
  reload: 'Reload settings',
  off: 'Out of order',
  on: 'Back in order',
  offOne: (name: string) => `Put ${name} out of order`,
  onOne: (name: string) => `Put ${name} back in order`,
  message: 'Message to the stand team',
  send: 'Send message',
  undo: 'Undo',
  told: {
    reload: (count: string) => `Asked to reload their settings: ${count}.`,
    outOfOrder: (count: string) => `Asked to go out of order: ${count}.`,
    inOrder: (count: string) => `Asked to go back in order: ${count}.`,
    message: (count: string) => `Sent the message to: ${count}.`,
    nobody: 'No device was selected.',
    noText: 'The message is empty.',
  },
  waitingFor: 'command on its way',
  previous: 'Previous',
  next: 'Next',
  page: (page: string, pages: string) => `Page ${page} of ${pages}`,
  devicesCount: (count: string) => `${count} devices`,
  andMore: (count: string) => `and ${count} more`,
  need: {
    silent: 'Silent: no report for two minutes',
    storage: 'Cannot save taps: check the disk',
    reader: 'Reader missing',
    touchpoint: 'Wrong touchpoint',
    refused: 'Delivery refused',
    setAside: 'Facts set aside',
    oldMirror: 'Copy of the event older than an hour',
    battery: 'Battery low',
    openDisk: 'Disk not encrypted: turn on BitLocker, FileVault or LUKS',
    revoked: 'Revoked, with facts still on the device',
    outOfOrder: 'Out of order',
    implausible: 'Implausible report: not in the sums',
  } satisfies Readonly<Record<Need, string>>,
  hubRefused: 'The platform refuses the hub',
};

type FleetTexts = typeof english;

const german: FleetTexts = {
  title: 'Flotte',
  signIn: 'Anmelden',
  key: 'Schlüssel der Flottenseite',
  keyFrom: 'Einen neuen Schlüssel gibt der Hub (DIR: sein Datenordner):',
  wrong: 'Das ist nicht der Schlüssel.',
  noKey: 'Es gibt noch keinen Schlüssel. Der Hub macht einen.',
  leave: 'Abmelden',
  sections: 'Teile dieser Seite',
  devices: 'Geräte',
  needs: 'Was einen Menschen braucht',
  nothingNeeded: 'Gerade braucht Sie nichts.',
  upstream: {
    online: 'Der Hub erreicht die Plattform.',
    offline: 'Der Hub erreicht die Plattform nicht. Er behält, was er hat, und schickt es von selbst weiter.',
    refused: 'Die Plattform weist den Hub ab: Sehen Sie nach seinem Schlüssel.',
  },
  since: (time) => `Seit ${time}.`,
  sums: 'Wo jedes Ereignis ist',
  sumDevices: 'Auf den Geräten erfasst',
  sumHub: 'Vom Hub angenommen',
  waiting: 'warten auf Geräten',
  atHub: 'beim Hub',
  sent: 'gesendet',
  confirmed: 'bestätigt',
  setAside: 'beiseitegelegt',
  receipts: 'Fingerabdruck der Unterschrift dieses Hubs unter Belegen und Nachweisen:',
  asReported: 'Geräte melden sich jede halbe Minute; der Hub zählt jetzt.',
  find: 'Gerät suchen',
  all: 'Alle',
  none: 'Noch kein Gerät.',
  noneHow: 'Geräte fügt der Hub hinzu: npm run hub -- devices add --help',
  noneFound: 'Kein Gerät passt.',
  device: 'Gerät',
  purposes: { lead: 'Leads', content: 'Inhalte', checkin: 'Check-in' },
  place: 'Touchpoint und Partner',
  lastTap: 'Letzter Tap',
  reader: 'Leser',
  readerOk: 'verbunden',
  readerOff: 'nicht gewollt',
  readerGone: 'fehlt',
  readerStarting: 'startet',
  queue: 'Ereignisse',
  queueWords: (waiting, hub) => `${waiting} warten · ${hub} beim Hub`,
  mirror: 'Kopie',
  version: 'Version',
  battery: 'Akku',
  disk: {
    encrypted: 'Platte verschlüsselt',
    open: 'Platte unverschlüsselt',
    unknown: 'Verschlüsselung unbekannt',
  },
  plugged: 'am Netz',
  never: 'nie',
  heard: (age) => `vor ${age} gehört`,
  silentSince: (time) => `still seit ${time}`,
  ago: (age) => `vor ${age}`,
  notSetUp: 'noch einzurichten',
  revoked: 'gesperrt',
  select: (name) => `${name} auswählen`,
  selectAll: (count) => `Alle ${count} gefundenen`,
  withSelected: 'Den ausgewählten sagen:',
  reload: 'Einstellungen neu laden',
  off: 'Außer Betrieb',
  on: 'Wieder in Betrieb',
  offOne: (name) => `${name} außer Betrieb nehmen`,
  onOne: (name) => `${name} wieder in Betrieb nehmen`,
  message: 'Nachricht an das Standteam',
  send: 'Nachricht senden',
  undo: 'Rückgängig',
  told: {
    reload: (count) => `Laden ihre Einstellungen neu: ${count}.`,
    outOfOrder: (count) => `Werden außer Betrieb genommen: ${count}.`,
    inOrder: (count) => `Kommen wieder in Betrieb: ${count}.`,
    message: (count) => `Nachricht geht an: ${count}.`,
    nobody: 'Kein Gerät war ausgewählt.',
    noText: 'Die Nachricht hat keine Worte.',
  },
  waitingFor: 'Befehl unterwegs',
  previous: 'Zurück',
  next: 'Weiter',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  devicesCount: (count) => `${count} Geräte`,
  andMore: (count) => `und ${count} weitere`,
  need: {
    silent: 'Stumm: seit zwei Minuten nicht gehört',
    storage: 'Kann Taps nicht sichern: nach der Platte sehen',
    reader: 'Leser fehlt',
    touchpoint: 'Touchpoint ist richtigzustellen',
    refused: 'Zustellung abgewiesen',
    setAside: 'Ereignisse beiseitegelegt',
    oldMirror: 'Kopie der Veranstaltung älter als eine Stunde',
    battery: 'Akku schwach',
    openDisk: 'Platte unverschlüsselt: BitLocker, FileVault oder LUKS einschalten',
    revoked: 'Gesperrt, mit Ereignissen auf dem Gerät',
    outOfOrder: 'Außer Betrieb',
    implausible: 'Bericht kann nicht stimmen: nicht in den Summen',
  },
  hubRefused: 'Die Plattform weist den Hub ab',
};

/** The texts of a language, with its formats of numbers, ages and times. */
export type FleetWords = FleetTexts & {
  readonly language: FleetLanguage;
  readonly number: (value: number) => string;
  readonly percent: (share: number) => string;
  /** A duration in milliseconds, in its largest unit. */
  readonly age: (ms: number) => string;
  readonly time: (at: number) => string;
};

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The texts of `language`; times of day in the time zone of the event. */
export function wordsOf(language: FleetLanguage, timezone: string): FleetWords {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent' });
  const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: timezone });
  return {
    ...(language === 'de' ? german : english),
    language,
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share),
    age: (ms) => {
      const [unit, length] = UNITS.find(([, span]) => ms >= span) ?? (['second', 1_000] as const);
      const value = Math.max(0, Math.floor(ms / length));
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
    },
    time: (at) => times.format(at),
  };
}
