/**
 * Language, voice and comfort, in reach on every screen: with words at rest, as signs at the end of the foot elsewhere.
 *
 * Invariant: what it opened closes when another view comes, so that nothing lies over the next visitor's result.
 */

import type { Speech } from '../speech/speech.ts';
import { SpeechToggle } from '../speech/speech-control.tsx';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import type { Comfort } from './comfort.ts';
import { ComfortSwitch } from './comfort-switch.tsx';
import { LanguageGlobe } from './language-switch.tsx';

/** What a person asked the screen for, and the way to ask. */
export type Asking = {
  readonly comfort: Comfort;
  readonly change: (wanted: Partial<Comfort>) => void;
  readonly speech: Speech;
};

/** The signs for `view`, where nothing of it stands elsewhere. */
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
