/**
 * Keypads for badge codes: digits first, and the six hex letters if this event's badges have them; or digits above all
 * letters.
 *
 * Invariants:
 * - Digits are always visible. Letters are capitals, as on badges.
 * - A keypad never takes the focus and writes at the caret of its field.
 */
import type { RefObject } from 'react';
import { useIntl } from 'react-intl';
import { Text, useText } from '../../messages/text.tsx';
import { keyRows } from './keyboard-layouts.ts';

const digits = ['123', '456', '789'];
const hexLetters = 'ABCDEF';
/** The label of the key that opens the full keyboard. */
const allLetters = 'abc';

/** The keypad for `field`; `more` opens the keypad with all letters. */
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
  const { write, erase } = writingIn(field);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is not a set of fields
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
        <EraseKey erase={erase} />
      </div>
    </div>
  );
}

/** The keypad with all letters, in the order of the language's keyboard; `more` opens the full keyboard. */
export function LetterPad({
  field,
  more,
}: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly more: () => void;
}) {
  const text = useText();
  const { locale } = useIntl();
  const { write, erase } = writingIn(field);
  const letters = keyRows(locale, 'latin', 'letters').map((row) => row.replace(/[^a-z]/g, '').toUpperCase());
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is not a set of fields
    <div className="keyboard" role="group" aria-label={text('question.keyboard')} dir="ltr">
      {['1234567890', ...letters].map((row, index) => (
        <div key={row} className="key-row">
          {[...row].map((key) => (
            <PadKey key={key} label={key} press={() => write(key)} />
          ))}
          {index < letters.length ? null : (
            <>
              <PadKey label="-" press={() => write('-')} />
              <button
                type="button"
                className="key"
                tabIndex={-1}
                aria-label={`${allLetters} ${text('question.keyLetters')}`}
                onClick={more}
              >
                {allLetters}
              </button>
              <EraseKey erase={erase} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** Writes and deletes at the caret of `field`. */
function writingIn(field: RefObject<HTMLInputElement | null>) {
  return {
    write: (key: string) => {
      field.current?.focus();
      document.execCommand('insertText', false, key);
    },
    erase: () => {
      field.current?.focus();
      document.execCommand('delete');
    },
  };
}

function EraseKey({ erase }: { readonly erase: () => void }) {
  const text = useText();
  return (
    <button
      type="button"
      className="key key-wide"
      tabIndex={-1}
      aria-label={text('question.keyDelete')}
      onClick={erase}
    >
      ⌫
    </button>
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
