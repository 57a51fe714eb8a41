/**
 * The page: visitor display or staff pages, in the language that is called for.
 *
 * Invariants: the staff page never shares the screen with a visitor's result; the document always says its
 * language and direction.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components';
import { pickLanguage } from './messages/catalogue.ts';
import { Speaking } from './messages/text.tsx';
import { DisplayScreen } from './visitor/display.tsx';
import type { DisplayRuntime } from './visitor/runtime.ts';
import type { SoundBox } from './visitor/sounds.ts';

export type AppProps = {
  readonly runtime: DisplayRuntime;
  readonly sounds: SoundBox;
  /** Languages of this device, best first. */
  readonly deviceLanguages: readonly string[];
};

/** The whole renderer. */
export function App({ runtime, sounds, deviceLanguages }: AppProps) {
  const view = useSyncExternalStore(runtime.subscribe, runtime.view);
  const language = pickLanguage([...view.wishes, ...deviceLanguages]);
  useEffect(() => {
    document.documentElement.lang = language.tag;
    document.documentElement.dir = language.direction;
  }, [language]);
  return (
    <I18nProvider locale={language.tag}>
      <Speaking language={language}>
        <DisplayScreen view={view} runtime={runtime} sounds={sounds} onStaff={() => undefined} />
      </Speaking>
    </I18nProvider>
  );
}
