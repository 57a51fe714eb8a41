/**
 * Language, voice and comfort controls on every screen: with labels on the idle screen, as icons at the end of the
 * footer elsewhere.
 *
 * Invariant: an open panel closes when the view changes, so that nothing covers the next visitor's result.
 */

import type { Speech } from '../speech/speech.ts';
import { SpeechToggle } from '../speech/speech-control.tsx';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import type { Comfort } from './comfort.ts';
import { ComfortSwitch } from './comfort-switch.tsx';
import { LanguageGlobe } from './language-switch.tsx';

/** The current settings and the functions that change them. */
export type Asking = {
  readonly comfort: Comfort;
  readonly change: (wanted: Partial<Comfort>) => void;
  readonly speech: Speech;
};

/** The icons beside `view`. */
export function ComfortBar({
  view,
  asking,
  onLanguage,
}: {
  readonly view: View;
  readonly asking: Asking;
  readonly onLanguage: (tag: string) => void;
}) {
  const session = 'since' in view ? sessionOf(view) : null;
  return (
    <div className="comfort-bar" key={`${view.kind} ${session?.factId ?? ''}`}>
      <LanguageGlobe onChoose={onLanguage} placement="top" />
      <SpeechToggle speech={asking.speech} short />
      <ComfortSwitch asking={asking} short />
    </div>
  );
}
