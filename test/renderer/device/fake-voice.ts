/**
 * A voice for pages of a test, in place of the browser's: it keeps what it is to say, and has said it when the test says so.
 *
 * Invariant: it behaves as Chromium's: one utterance at a time, a cancelled one ends with an error, later.
 */
import type { BrowserContext, Page } from '@playwright/test';

/** One line as it was given to the voice. */
export type SpokenByPage = { readonly text: string; readonly lang: string; readonly volume: number };

/** Gives every page of `context` that is opened from now on a voice in `languages`, of this device or from elsewhere. */
export async function giveVoice(
  context: BrowserContext,
  languages: readonly string[],
  local = true,
): Promise<void> {
  await context.addInitScript(`(${script})(${JSON.stringify(languages)}, ${local})`);
}

const script = `(languages, localService) => {
  const voices = languages.map((lang) => ({ lang, name: lang, voiceURI: lang, localService, default: false }));
  const spoken = [];
  let speaking = null;
  const over = (event) => {
    const utterance = speaking;
    speaking = null;
    if (utterance) queueMicrotask(() => utterance[event]?.({}));
    return utterance !== null;
  };
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    speak: (utterance) => {
      speaking = utterance;
      spoken.push({ text: utterance.text, lang: utterance.lang, volume: utterance.volume });
    },
    cancel: () => over('onerror'),
  });
  Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis });
  Object.defineProperty(globalThis, 'SpeechSynthesisUtterance', {
    value: class {
      constructor(text) {
        this.text = text;
      }
    },
  });
  globalThis.fakeVoice = { spoken, end: () => over('onend'), speaks: () => speaking !== null };
}`;

/** What the page gave to its voice so far. */
export function spokenBy(page: Page): Promise<SpokenByPage[]> {
  return page.evaluate<SpokenByPage[]>('fakeVoice.spoken');
}

/** Whether the voice of the page is saying something. */
export function speaks(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('fakeVoice.speaks()');
}

/** Lets the voice say everything it was given, and what follows from that. */
export async function hearOut(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    while (fakeVoice.end()) await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  })()`);
}
