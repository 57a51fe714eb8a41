/**
 * The comfort settings behind one control: switches and the voice.
 *
 * Invariants:
 * - Each switch takes effect at once and shows its state.
 * - The control is in the lower part of every screen and opens upwards over the ring, never over the words beside it.
 * - The panel ends where the row of its control ends: at the page's margin, or in the middle of the ring's column.
 */
import { useRef, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover, ToggleButton } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';
import type { Speech } from '../speech/speech.ts';
import { SpeechChoices } from '../speech/speech-control.tsx';
import type { Comfort } from './comfort.ts';
import { Statement } from './statement.tsx';

type SwitchProps = {
  readonly asking: {
    readonly comfort: Comfort;
    readonly change: (wanted: Partial<Comfort>) => void;
    readonly speech: Speech;
  };
  /** Whether only the icon is shown. */
  readonly short: boolean;
};

/** With low reach, the panel opens over the control itself: lower by at most this share of the page's height. */
const deeper = 0.12;

/** Distance to the edge of the screen in px. */
const edge = 12;

/** The control and its panel. */
export function ComfortSwitch({ asking, short }: SwitchProps) {
  const { comfort } = asking;
  const text = useText();
  const [reads, setReads] = useState(false);
  const control = useRef<HTMLButtonElement>(null);
  const row = useRef<Element>(null);
  const [depth, setDepth] = useState(0);
  const opens = () => {
    setReads(false);
    row.current = control.current?.parentElement ?? null;
    const below = window.innerHeight - edge - (control.current?.getBoundingClientRect().top ?? 0);
    setDepth(Math.min(window.innerHeight * deeper, below));
  };
  return (
    <DialogTrigger onOpenChange={opens}>
      <Button ref={control} className="pill tool" {...(short ? { 'aria-label': text('comfort.open') } : {})}>
        <svg className="tool-icon" viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="4.6" r="1.9" />
          <path d="M4.5 9.2c5 1.7 10 1.7 15 0M12 10.4v4.2M12 14.6L8.4 21M12 14.6l3.6 6.4" />
        </svg>
        {short ? null : <Text id="comfort.open" />}
      </Button>
      <Popover
        className="comfort-popover"
        triggerRef={row}
        placement={short ? 'top end' : 'top'}
        offset={comfort.reach === 'low' ? -depth : 8}
      >
        <Dialog className="comfort-choices" aria-label={text('comfort.open')}>
          {reads ? (
            <Statement speech={asking.speech} back={() => setReads(false)} />
          ) : (
            <ComfortChoices asking={asking} onStatement={() => setReads(true)} />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** The settings, and the link to the statement. */
function ComfortChoices({
  asking,
  onStatement,
}: Pick<SwitchProps, 'asking'> & { readonly onStatement: () => void }) {
  const { comfort, change: onChange, speech } = asking;
  return (
    <>
      <div className="tool-row">
        <ToggleButton
          className="pill comfort-choice"
          isSelected={comfort.reach === 'low'}
          onChange={(on) => onChange({ reach: on ? 'low' : 'usual' })}
        >
          <Text id="comfort.reach" />
        </ToggleButton>
        <ToggleButton
          className="pill comfort-choice"
          isSelected={comfort.contrast === 'high'}
          onChange={(on) => onChange({ contrast: on ? 'high' : 'usual' })}
        >
          <Text id="comfort.contrast" />
        </ToggleButton>
        <ToggleButton
          className="pill comfort-choice"
          isSelected={comfort.text === 'large'}
          onChange={(on) => onChange({ text: on ? 'large' : 'usual' })}
        >
          <Text id="comfort.text" />
        </ToggleButton>
      </div>
      <SpeechChoices speech={speech} />
      <div className="tool-row comfort-end">
        <p className="comfort-hint">
          <Text id="comfort.hint" />
        </p>
        <Button className="quiet-button" onPress={onStatement}>
          <Text id="statement.open" />
        </Button>
      </div>
    </>
  );
}
