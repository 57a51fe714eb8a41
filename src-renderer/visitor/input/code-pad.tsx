/**
 * A keypad for badge codes: digits first, and the six hex letters if this event's badges have them.
 *
 * Invariant: it never takes the focus; it writes at the caret of its field.
 */
import type { RefObject } from 'react';
import { Text, useText } from '../../messages/text.tsx';

const digits = ['123', '456', '789'];
const hexLetters = 'ABCDEF';

/** The keypad for `field`; `more` opens the full keyboard. */
export function CodePad({
  field,
  hex,
  more,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly hex: boolean;
  readonly more: () => void;
}) {
  const text = useText();
  const write = (key: string) => {
    field.current?.focus();
    document.execCommand('insertText', false, key);
  };
  const erase = () => {
    field.current?.focus();
    document.execCommand('delete');
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is no set of fields
    <div className="keyboard code-pad" role="group" aria-label={text('question.keyboard')} dir="ltr">
      {digits.map((row, index) => (
        <div key={row} className="key-row">
          {[...row, ...(hex ? hexLetters.slice(index * 2, index * 2 + 2) : '')].map((key) => (
            <PadKey key={key} label={key} press={() => write(key)} />
          ))}
        </div>
      ))}
      <div className="key-row">
        <button type="button" className="key key-wide" tabIndex={-1} onClick={more}>
          <Text id="question.keyLetters" />
        </button>
        <PadKey label="0" press={() => write('0')} />
        <button
          type="button"
          className="key key-wide"
          tabIndex={-1}
          aria-label={text('question.keyDelete')}
          onClick={erase}
        >
          ⌫
        </button>
      </div>
    </div>
  );
}

function PadKey({ label, press }: { readonly label: string; readonly press: () => void }) {
  return (
    <button
      type="button"
      className="key"
      tabIndex={-1}
      onPointerDown={(event) => {
        event.preventDefault();
        press();
      }}
      onClick={({ detail }) => {
        if (detail === 0) press();
      }}
    >
      {label}
    </button>
  );
}
