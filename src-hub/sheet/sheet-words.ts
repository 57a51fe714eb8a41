/**
 * The words of the sheet of codes in English and German.
 */

const english = {
  title: 'Set-up codes',
  open: 'Open the set-up of Touchpoint on the laptop, press “Read a code” and hold this one before its camera.',
  compare: 'The laptop must show this fingerprint of the hub:',
  device: 'Device',
  hub: 'Hub',
  until: 'Good once, until',
  keep: 'Each code sets one device up, once. Until then keep this sheet as you keep a key.',
  print: 'Print on A4, four codes a page, at 100 %.',
};

/** What a sheet says. */
export type SheetWords = typeof english;

const german: SheetWords = {
  title: 'Einrichtungscodes',
  open: 'Öffne auf dem Laptop die Einrichtung von Touchpoint, drücke „Code lesen“ und halte diesen vor die Kamera.',
  compare: 'Der Laptop muss diesen Fingerabdruck des Hubs zeigen:',
  device: 'Gerät',
  hub: 'Hub',
  until: 'Gilt einmal, bis',
  keep: 'Jeder Code richtet ein Gerät ein, einmal. Bis dahin bewahre dieses Blatt auf wie einen Schlüssel.',
  print: 'Auf A4 drucken, vier Codes je Seite, in 100 %.',
};

/** The languages a sheet can be in. */
export const SHEET_LANGUAGES = ['en', 'de'] as const;
export type SheetLanguage = (typeof SHEET_LANGUAGES)[number];

/** The words of a language. */
export function sheetWords(language: SheetLanguage): SheetWords {
  return language === 'de' ? german : english;
}
