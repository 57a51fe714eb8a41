/**
 * A voice for pages of a test, in place of the browser's. It keeps its utterances and ends them when the test says
 * so.
 *
 * Invariant: it behaves like Chromium's: one utterance at a time, and a cancelled one ends with an error, later.
 */
import type { BrowserContext, Page } from '@playwright/test';

/** One utterance. */
export type SpokenByPage = { readonly text: string; readonly lang: string; readonly volume: number };

/** Gives every later page of `context` a voice in `languages`, local or remote. */
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

/** All utterances of the page so far. */
export function spokenBy(page: Page): Promise<SpokenByPage[]> {
  return page.evaluate<SpokenByPage[]>('fakeVoice.spoken');
}

/** Whether the page's voice is speaking. */
export function speaks(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('fakeVoice.speaks()');
}

/** Finishes all utterances, including those that follow. */
export async function hearOut(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    while (fakeVoice.end()) await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
  })()`);
}
