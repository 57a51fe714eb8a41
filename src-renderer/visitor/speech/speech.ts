/**
 * Reads the display aloud on request: every new view, changes in it, and the control that gets the focus by key.
 *
 * Invariants:
 * - It speaks only while the comfort settings of the current person say so, and stops when that session ends.
 * - A view caused by a tap or touch interrupts the current speech; the return to the idle screen waits for it.
 * - The display does not change while it is being read.
 */
import { useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { createIntl, useIntl } from 'react-intl';
import { languages, type MessageId } from '../../messages/catalogue.ts';
import { createClock, HourCycleContext } from '../../messages/clock.ts';
import { plainText } from '../../messages/plain-text.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import { focusText } from './focus-text.ts';
import type { Say, SpokenLine } from './spoken.ts';
import { spokenText } from './spoken-text.ts';
import { type Manner, spokenLanguage, type Voice } from './voice.ts';

/** The key that turns the voice on and off anywhere. */
export const speechKey = 'F8';

/** The state of the voice for its controls. */
export type Speech = {
  /** Its language (a tag of the catalogue); null if this device has no voice for this page. */
  readonly language: string | null;
  readonly on: boolean;
  /** 1 to 5. */
  readonly volume: number;
  readonly turn: (on: boolean) => void;
  readonly setVolume: (volume: number) => void;
  /** Repeats everything on the display. */
  readonly again: () => void;
  /** Says these messages while the voice is on. */
  readonly read: (ids: readonly MessageId[]) => void;
};

/** 6, 12, 16 and 20 decibels above the lowest (EN 301 549, 8.2.1: at least 18, one of the steps 12). */
const loudnesses = [0.1, 0.2, 0.4, 0.63, 1] as const;

/** The share of full amplitude at `volume`, 1 to 5. */
function loudness(volume: number): number {
  return loudnesses[volume - 1] ?? 1;
}

type Wanted = { readonly speech: boolean; readonly volume: number };

/** Makes `voice` read the display while `wanted` is set; `change` is called when a person changes the setting. */
export function useSpeech(
  voice: Voice,
  snapshot: Snapshot,
  runtime: DisplayRuntime,
  wanted: Wanted,
  change: (wanted: Partial<Wanted>) => void,
): Speech {
  const { locale } = useIntl();
  const language = spokenLanguage(locale, useSyncExternalStore(voice.subscribe, voice.languages));
  const on = wanted.speech && language !== null;
  const { say, lines } = useLines(snapshot, language ?? locale, on);
  const manner = useMemo(
    (): Manner => ({
      language: language ?? locale,
      volume: loudness(wanted.volume),
      begins: (ms) => runtime.send({ kind: 'speaking', ms }),
    }),
    [language, locale, wanted.volume, runtime],
  );
  const read = useCallback(
    (ids: readonly MessageId[]) => {
      if (!on) return;
      voice.say(
        ids.map((id) => say.text(id)),
        manner,
      );
    },
    [on, voice, say, manner],
  );
  useReading(voice, snapshot.view, on ? lines : null, manner, say);
  useFocusReading(voice, on ? manner : null, say);
  useAsking(voice, language !== null, wanted.speech, change);
  return {
    language,
    on,
    volume: wanted.volume,
    turn: (next) => change({ speech: next }),
    setVolume: (volume) => {
      change({ volume });
      voice.say([say.text('speech.volume', { mark: volume })], { ...manner, volume: loudness(volume) });
    },
    again: () =>
      voice.say(
        lines.map(({ text }) => text),
        manner,
      ),
    read,
  };
}

/** The lines for the display in `language`. Empty while the voice is off. */
function useLines(
  { view, device, stand, basket, shownItems, interrupted, now }: Snapshot,
  language: string,
  on: boolean,
): { readonly say: Say; readonly lines: readonly SpokenLine[] } {
  const hourCycle = useContext(HourCycleContext);
  const intl = useMemo(() => {
    const { messages = languages[0].messages } = languages.find(({ tag }) => tag === language) ?? {};
    return createIntl({ locale: language, messages });
  }, [language]);
  const say = useMemo(
    (): Say => ({
      text: (id, values) => plainText(intl, id, values),
      list: (items) => intl.formatList(items, { type: 'disjunction' }),
    }),
    [intl],
  );
  const timezone = device?.event?.timezone;
  const clock = useMemo(() => createClock(intl, timezone, hourCycle), [intl, timezone, hourCycle]);
  const heard = { device, stand, basket, shownItems, interrupted, language, clock, now, date: Date.now() };
  return { say, lines: on ? spokenText(view, heard, say) : [] };
}

/** Says the `lines` of a new `view`. If lines are added later, it says only the new ones. Null makes it silent. */
function useReading(
  voice: Voice,
  view: View,
  lines: readonly SpokenLine[] | null,
  manner: Manner,
  say: Say,
): void {
  const said = useRef<{ readonly scene: string; readonly keys: ReadonlySet<string> } | null>(null);
  useEffect(() => {
    const before = said.current;
    if (!lines) {
      said.current = null;
      if (before) voice.stop();
      return;
    }
    const scene = `${manner.language} ${sceneOf(view)}`;
    const same = before?.scene === scene;
    said.current = { scene, keys: new Set(lines.map(({ key }) => key)) };
    const fresh = same ? lines.filter(({ key }) => !before.keys.has(key)) : lines;
    const texts = [...(before ? [] : [say.text('speech.begin')]), ...fresh.map(({ text }) => text)];
    if (texts.length === 0) return;
    const waits = same || (before !== null && !('since' in view));
    if (waits) voice.add(texts, manner);
    else voice.say(texts, manner);
  });
  useEffect(() => voice.stop, [voice]);
}

/** A key that differs for views that sound different to a listener. */
function sceneOf(view: View): string {
  if (!('since' in view)) return view.kind;
  const session = sessionOf(view);
  return `${view.kind} ${view.since} ${session?.factId ?? ''} ${session?.at ?? ''}`;
}

const movingKeys: ReadonlySet<string> = new Set([
  ...['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'],
]);

/** Says the control that got the focus by key, and its new state. Null says nothing. */
function useFocusReading(voice: Voice, manner: Manner | null, say: Say): void {
  useEffect(() => {
    if (!manner) return;
    let byKey = false;
    const press = ({ key }: KeyboardEvent) => {
      byKey = movingKeys.has(key);
      setTimeout(() => {
        byKey = false;
      });
    };
    const tell = (element: EventTarget | null) => {
      const text = element instanceof Element ? focusText(element, say) : '';
      if (text) voice.say([text], manner);
    };
    const focus = ({ target }: FocusEvent) => {
      if (byKey) tell(target);
    };
    const turned = ({ target }: Event) => {
      const within = target instanceof Element ? target : null;
      const control = within?.closest('label')?.querySelector('input') ?? within?.closest('[aria-pressed]');
      if (control) setTimeout(() => tell(control));
    };
    window.addEventListener('keydown', press, { capture: true });
    document.addEventListener('focusin', focus);
    document.addEventListener('click', turned, { capture: true });
    return () => {
      window.removeEventListener('keydown', press, { capture: true });
      document.removeEventListener('focusin', focus);
      document.removeEventListener('click', turned, { capture: true });
    };
  }, [voice, manner, say]);
}

/** One key, or plugging headphones in or out, turns the voice on and off. */
function useAsking(
  voice: Voice,
  able: boolean,
  on: boolean,
  change: (wanted: Partial<Wanted>) => void,
): void {
  useEffect(() => {
    if (!able) return;
    const hear = (event: KeyboardEvent) => {
      if (event.key === speechKey && !event.repeat) change({ speech: !on });
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [able, on, change]);
  useEffect(
    () => (able ? voice.followHeadphones((plugged) => change({ speech: plugged })) : undefined),
    [voice, able, change],
  );
}
