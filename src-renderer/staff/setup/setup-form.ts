/**
 * The set-up form: current values, changes, and missing entries. Pure.
 *
 * Invariants:
 * - Nothing is guessed: event and touchpoint are empty until chosen; an empty text counts as missing.
 * - A set-up file does not select a touchpoint, because two devices would then have the same one.
 * - The id of a consent, question or option is assigned once and survives every change of its words.
 */

import type {
  EventCheck,
  Setup,
  SetupDraft,
  SetupTaken,
  StandDraft,
} from '../../../src-main/contract/setup.ts';
import type { Picture } from '../../../src-main/contract/stand.ts';
import { isUsed } from '../hot-rule/hot-rule-form.tsx';

export const steps = ['access', 'place', 'reader', 'look', 'notice', 'questions', 'finish'] as const;
export type Step = (typeof steps)[number];

export type FormFile = {
  readonly name: string;
  readonly upload: string | null;
  readonly picture: Picture | null;
};

export type SetupForm = {
  readonly address: string;
  /** Empty: the stored key. */
  readonly key: string;
  readonly privateHttp: boolean;
  /** Whether platform, event and key can be changed here. */
  readonly isFixed: boolean;
  readonly hasKey: boolean;
  readonly keyPlace: Setup['keyPlace'];
  readonly encryption: Setup['encryption'];
  readonly expo: string | null;
  readonly partner: string | null;
  /** The touchpoint of the device that wrote the file. The company of that touchpoint is preselected. */
  readonly alike: string | null;
  readonly stand: StandDraft;
  /** Languages of the stand's texts, the main one first. */
  readonly languages: readonly string[];
  readonly logo: FormFile | null;
  readonly logoChanged: boolean;
  readonly attract: readonly FormFile[];
  readonly attractChanged: boolean;
  readonly pins: {
    readonly needed: boolean;
    readonly name: string;
    readonly team: string;
    readonly technician: string;
    /** The set-up file whose PINs are used; null if they are typed. */
    readonly upload: string | null;
  };
};

/** The form for a set-up that was read; `language` is the page's. */
export function formOf(setup: Setup, language: string): SetupForm {
  const { access, stand } = setup;
  return {
    address: access?.address ?? '',
    key: '',
    privateHttp: access?.privateHttp ?? false,
    isFixed: access !== null && access.origin !== 'screen',
    hasKey: access !== null,
    keyPlace: setup.keyPlace,
    encryption: setup.encryption,
    expo: access?.expo ?? null,
    partner: null,
    alike: null,
    stand,
    languages: languagesOf(stand, language),
    logo: setup.logo && { name: stand.brand.logo ?? '', upload: null, picture: setup.logo },
    logoChanged: false,
    attract: setup.attract.map((file) => ({ ...file, upload: null })),
    attractChanged: false,
    pins: {
      needed: !setup.pins.team || !setup.pins.technician,
      name: '',
      team: '',
      technician: '',
      upload: null,
    },
  };
}

/** The form, filled with the content of a set-up file. */
export function withTaken(form: SetupForm, taken: Extract<SetupTaken, { kind: 'setup' }>): SetupForm {
  const access = form.isFixed
    ? {}
    : {
        address: taken.address,
        privateHttp: taken.privateHttp,
        expo: taken.expo,
        key: taken.key?.trim() ?? form.key,
      };
  return {
    ...{ ...form, ...access },
    // A stored key is not sent to a different address.
    hasKey: form.hasKey && (form.isFixed || taken.address === form.address),
    partner: null,
    alike: taken.stand.touchpoint,
    // A device keeps its own touchpoint if it is in that event.
    stand: { ...taken.stand, touchpoint: taken.expo === form.expo ? form.stand.touchpoint : null },
    pins: { ...form.pins, upload: taken.pins },
    languages: languagesOf(taken.stand, form.languages[0] ?? 'en'),
    logo: taken.logo && { name: '', ...taken.logo },
    // A logo that is a web address is part of the settings.
    logoChanged: taken.logo !== null,
    attract: taken.attract,
    attractChanged: true,
  };
}

/** The address, with `https://` in front if it has no protocol. */
export function wholeAddress(typed: string): string {
  const address = typed.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`;
}

/** Whether there is a key for requests to the platform. */
export function isKeyMissing({ key, hasKey }: Pick<SetupForm, 'key' | 'hasKey'>): boolean {
  return key === '' && !hasKey;
}

function languagesOf(
  { headline, notice, consents, questions, form, letter }: StandDraft,
  language: string,
): readonly string[] {
  const texts = [
    headline ?? {},
    letter.subject ?? {},
    letter.text ?? {},
    notice?.texts ?? {},
    ...consents.map(({ text }) => text),
    ...[...questions, ...form].flatMap(({ text, options }) => [
      text,
      ...options.map((option) => option.text),
    ]),
  ];
  const found = new Set(texts.flatMap((text) => Object.keys(text)));
  return found.size > 0 ? [...found] : [...new Set(['en', language])];
}

/** The draft to be saved. */
export function draftOf(form: SetupForm): SetupDraft {
  const { address, key, privateHttp, expo, pins } = form;
  const chosen =
    form.isFixed || expo === null
      ? null
      : { address: wholeAddress(address), key: key || null, privateHttp, expo };
  return {
    access: chosen,
    stand: writtenStand(form),
    logo: form.logoChanged ? { upload: form.logo?.upload ?? null } : null,
    attract: form.attractChanged ? form.attract.map(({ name, upload }) => ({ name, upload })) : null,
    pins: pins.needed ? chosenPins(pins) : null,
  };
}

function chosenPins({ name, team, technician, upload }: SetupForm['pins']): SetupDraft['pins'] {
  return upload === null ? { name: name.trim(), team, technician } : { upload };
}

/** The stand without empty texts, and only in the chosen languages. */
export function writtenStand({ stand, languages }: SetupForm): StandDraft {
  const written = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(languages.flatMap((tag) => (texts[tag]?.trim() ? [[tag, texts[tag].trim()]] : [])));
  const headline = written(stand.headline ?? {});
  const notices = Object.entries(stand.notice?.texts ?? {}).filter(
    ([tag, text]) => languages.includes(tag) && (text.who.trim() !== '' || text.why.trim() !== ''),
  );
  return {
    ...stand,
    headline: writtenOrNone(headline),
    notice: stand.notice && {
      ...stand.notice,
      link: stand.notice.link?.trim() || null,
      texts: Object.fromEntries(notices),
    },
    consents: stand.notice === null ? [] : stand.consents.map((one) => ({ ...one, text: written(one.text) })),
    questions: stand.questions.map((one) => writtenQuestion(one, written)),
    form: stand.form.map((one) => writtenQuestion(one, written)),
    letter: {
      subject: writtenOrNone(written(stand.letter.subject ?? {})),
      text: writtenOrNone(written(stand.letter.text ?? {})),
      signatures: stand.letter.signatures.flatMap(({ name, text }) =>
        name.trim() === '' ? [] : [{ name: name.trim(), text: text.trim() }],
      ),
    },
    hot: { ...stand.hot, answers: stand.hot.answers.filter(isUsed) },
  };
}

function writtenOrNone(texts: Record<string, string>): Record<string, string> | null {
  return isEmpty(texts) ? null : texts;
}

function writtenQuestion<Question extends StandDraft['questions' | 'form'][number]>(
  question: Question,
  written: (texts: Readonly<Record<string, string>>) => Record<string, string>,
): Question {
  const options = question.options.map((option) => ({ ...option, text: written(option.text) }));
  return { ...question, text: written(question.text), options };
}

/** The text id for what is missing in a step. Null if the step is complete. */
export type Missing =
  | 'event'
  | 'touchpoint'
  | 'colour'
  | 'notice'
  | 'link'
  | 'consent'
  | 'question'
  | 'options'
  | 'pins';

/** What is missing in `step`, without which the set-up cannot be saved. */
export function missingIn(step: Step, form: SetupForm): Missing | null {
  const stand = writtenStand(form);
  switch (step) {
    case 'access':
      return form.expo === null || isKeyMissing(form) ? 'event' : null;
    case 'place':
      return stand.touchpoint === null ? 'touchpoint' : null;
    case 'reader':
      return null;
    case 'look':
      return stand.brand.colour !== null && !/^#[0-9a-f]{6}$/i.test(stand.brand.colour) ? 'colour' : null;
    case 'notice':
      return missingInNotice(stand);
    case 'questions': {
      const questions = [...stand.questions, ...stand.form];
      if (questions.some(({ text }) => isEmpty(text))) return 'question';
      const choices = questions.filter(({ kind }) => hasOptions(kind));
      const isShort = choices.some(
        ({ options }) => options.length < 2 || options.some(({ text }) => isEmpty(text)),
      );
      return isShort ? 'options' : null;
    }
    case 'finish': {
      const { needed, name, team, technician, upload } = form.pins;
      const areSet = name.trim() !== '' && team.length >= 4 && technician.length >= 4 && team !== technician;
      return needed && upload === null && !areSet ? 'pins' : null;
    }
  }
}

function missingInNotice({ notice, consents }: StandDraft): Missing | null {
  if (notice === null) return null;
  const texts = Object.values(notice.texts);
  if (texts.length === 0 || texts.some(({ who, why }) => who.trim() === '' || why.trim() === ''))
    return 'notice';
  if (notice.version.trim() === '') return 'notice';
  if (notice.link !== null && !/^https?:\/\/\S+$/.test(notice.link)) return 'link';
  return consents.some(({ text }) => isEmpty(text)) ? 'consent' : null;
}

/** Whether a question of this kind has options. */
export function hasOptions(kind: StandDraft['questions' | 'form'][number]['kind']): boolean {
  return kind === 'choice' || kind === 'several';
}

function isEmpty(text: Readonly<Record<string, string>>): boolean {
  return Object.keys(text).length === 0;
}

/** A new random id; `random` in [0, 1). */
export function newId(kind: string, random: number): string {
  return `${kind}-${Math.floor(random * 36 ** 5)
    .toString(36)
    .padStart(5, '0')}`;
}

/** What is known about the event: the key's rights, and its partners and touchpoints. */
export type KnownEvent = Extract<EventCheck, { kind: 'event' }>;
