/**
 * The control that turns the voice on, and the controls of the voice.
 *
 * Invariants:
 * - It is offered only if this device has a voice.
 * - If the voice does not speak the language of the page, the control names the language of the voice.
 */
import { Button, ToggleButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { languages } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { Speech } from './speech.ts';

/** Turns the voice on and off. `short` shows only the icon. */
export function SpeechToggle({ speech, short }: { readonly speech: Speech; readonly short: boolean }) {
  const label = useLabel(speech);
  if (speech.language === null) return null;
  return (
    <ToggleButton
      className="pill tool speech-toggle"
      isSelected={speech.on}
      onChange={speech.turn}
      {...(short ? { 'aria-label': label } : {})}
    >
      <svg className="tool-icon" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" />
        <path d="M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />
      </svg>
      {short ? null : label}
    </ToggleButton>
  );
}

/** The voice among the comfort settings: on or off and, while it is on, volume and repeat. */
export function SpeechChoices({ speech }: { readonly speech: Speech }) {
  const label = useLabel(speech);
  const { volume } = speech;
  if (speech.language === null) {
    return (
      <p className="comfort-hint">
        <Text id="speech.none" />
      </p>
    );
  }
  return (
    <div className="tool-row">
      <ToggleButton className="pill comfort-choice" isSelected={speech.on} onChange={speech.turn}>
        {label}
      </ToggleButton>
      {speech.on ? (
        <>
          <Button
            className="pill comfort-choice comfort-part"
            isDisabled={volume <= 1}
            onPress={() => speech.setVolume(volume - 1)}
          >
            <Text id="speech.softer" />
          </Button>
          <span className="speech-volume" role="status">
            <Text id="speech.volume" values={{ mark: volume }} />
          </span>
          <Button
            className="pill comfort-choice comfort-part"
            isDisabled={volume >= 5}
            onPress={() => speech.setVolume(volume + 1)}
          >
            <Text id="speech.louder" />
          </Button>
          <Button className="pill comfort-choice comfort-whole" onPress={speech.again}>
            <Text id="speech.again" />
          </Button>
        </>
      ) : null}
    </div>
  );
}

function useLabel({ language }: Speech): string {
  const text = useText();
  const { locale } = useIntl();
  if (language === null || language === locale) return text('speech.open');
  const { ownName } = languages.find(({ tag }) => tag === language) ?? languages[0];
  return text('speech.in', { language: ownName });
}
