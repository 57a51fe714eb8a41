/**
 * The voice of this device: says one line after another with the browser's speech synthesis (Web Speech).
 *
 * Invariants:
 * - Only local voices are used, so no spoken text about a visitor reaches a server.
 * - One line at a time. If the end of a line is never reported, a timeout ends it.
 * - After `stop` nothing more is said.
 */
import { speechTimes } from '../../times.ts';
import { followHeadphones, type OutputDevices } from './headphones.ts';

/** The parts of the browser that are used here. Tests pass others. */
export type SpeechPage = {
  readonly speechSynthesis?: Pick<SpeechSynthesis, 'getVoices' | 'speak' | 'cancel' | 'addEventListener'>;
  readonly SpeechSynthesisUtterance?: typeof SpeechSynthesisUtterance;
  readonly navigator: { readonly mediaDevices?: OutputDevices };
};

/**
 * How lines are said; `volume` from 0 to 1. `begins` is called before each line with the time in milliseconds for
 * which the screen should stay.
 */
export type Manner = {
  readonly language: string;
  readonly volume: number;
  readonly begins: (ms: number) => void;
};

export type Voice = {
  /** Languages (without regions) for which this device has a voice; the array stays the same until they change. */
  readonly languages: () => readonly string[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Says `lines` and stops the current speech. */
  readonly say: (lines: readonly string[], manner: Manner) => void;
  /** Says `lines` after the current speech. */
  readonly add: (lines: readonly string[], manner: Manner) => void;
  readonly stop: () => void;
  /** Reports headphones plugged in or out, if the browser does. Returns the function that stops it. */
  readonly followHeadphones: (hear: (plugged: boolean) => void) => () => void;
};

type Said = { readonly line: string; readonly manner: Manner };

/** The voice of `page`. It has no languages if the browser has none. */
export function createVoice(page: SpeechPage): Voice {
  const synthesis = page.speechSynthesis;
  const Utterance = page.SpeechSynthesisUtterance;
  const listeners = new Set<() => void>();
  let queue: readonly Said[] = [];
  // The utterance stays referenced until it ends, because Chromium collects an unreferenced one and never reports its
  // end.
  let speaking: SpeechSynthesisUtterance | null = null;
  let watch: ReturnType<typeof setTimeout> | undefined;
  // espeak-ng has thousands of voices, so they are searched when the list changes and not for every line.
  const own = () => (synthesis?.getVoices() ?? []).filter(({ localService }) => localService);
  let voices = own();
  let languages = languagesOf(voices);
  synthesis?.addEventListener('voiceschanged', () => {
    voices = own();
    languages = languagesOf(voices);
    for (const listener of [...listeners]) listener();
  });

  const next = () => {
    clearTimeout(watch);
    speaking = null;
    const [said, ...rest] = queue;
    if (!said || !synthesis || !Utterance) return;
    queue = rest;
    const { line, manner } = said;
    const utterance = new Utterance(line);
    const voice = voiceFor(voices, manner.language);
    Object.assign(utterance, { lang: voice?.lang ?? manner.language, volume: manner.volume });
    if (voice) utterance.voice = voice;
    // A cancelled line also ends, but only the current line leads to the next.
    const over = () => speaking === utterance && next();
    utterance.onend = over;
    utterance.onerror = over;
    const letters = [...line].length;
    speaking = utterance;
    watch = setTimeout(
      () => {
        synthesis.cancel();
        over();
      },
      speechTimes.line + speechTimes.letter * letters,
    );
    manner.begins(speechTimes.lineStays + speechTimes.letterStays * letters);
    synthesis.speak(utterance);
  };
  const stop = () => {
    const wasSpeaking = speaking !== null;
    clearTimeout(watch);
    queue = [];
    speaking = null;
    if (wasSpeaking) synthesis?.cancel();
  };
  const add: Voice['add'] = (lines, manner) => {
    queue = [...queue, ...lines.map((line) => ({ line, manner }))];
    if (!speaking) next();
  };
  return {
    languages: () => languages,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    say: (lines, manner) => {
      stop();
      add(lines, manner);
    },
    add,
    stop,
    followHeadphones: (hear) => followHeadphones(page.navigator.mediaDevices, hear),
  };
}

/** The language in which a page in `wanted` is read: its own, else English, else none. */
export function spokenLanguage(wanted: string, languages: readonly string[]): string | null {
  if (languages.includes(wanted)) return wanted;
  return languages.includes('en') ? 'en' : null;
}

function languagesOf(voices: readonly SpeechSynthesisVoice[]): readonly string[] {
  return [...new Set(voices.map(({ lang }) => baseOf(lang)))];
}

function voiceFor(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
): SpeechSynthesisVoice | undefined {
  const fitting = voices.filter(({ lang }) => baseOf(lang) === language);
  return fitting.find((voice) => voice.default) ?? fitting[0];
}

function baseOf(tag: string): string {
  const [base = ''] = tag.toLowerCase().split(/[-_]/);
  // espeak-ng has its own code for Mandarin.
  return base === 'cmn' ? 'zh' : base;
}
