/**
 * A keyboard on the screen for whoever has none: letters of the page's language, capitals, accents, signs.
 *
 * Invariants: it never takes the focus, what it writes goes in where the caret of its field stands; a press writes at once, on the
 * way down, as a key does; it is no stop for the Tab key, whoever has one has letters, too.
 */
import { type MouseEvent, type PointerEvent, type RefObject, useState } from 'react';
import { useIntl } from 'react-intl';
import { Text, useText } from '../../messages/text.tsx';
import { type KeyLayer, keyRows } from './keyboard-layouts.ts';

/** The keyboard for `field`, which gets the focus back if it went elsewhere. */
export function ScreenKeyboard({ field }: { readonly field: RefObject<HTMLInputElement | null> }) {
  const text = useText();
  const { locale } = useIntl();
  const [layer, setLayer] = useState<KeyLayer>('letters');
  const [capital, setCapital] = useState(false);
  const shown = (key: string) => (capital && key !== 'ß' ? key.toLocaleUpperCase(locale) : key);
  const write = (key: string) => {
    field.current?.focus();
    document.execCommand('insertText', false, shown(key));
    setCapital(false);
  };
  const erase = () => {
    field.current?.focus();
    document.execCommand('delete');
  };
  const turn = (next: KeyLayer) => setLayer(layer === next ? 'letters' : next);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is no set of fields
    <div className="keyboard" role="group" aria-label={text('question.keyboard')} dir="ltr">
      {keyRows(locale, layer).map((row) => (
        <div key={row} className="key-row">
          {[...row].map((key) => (
            <Key key={key} label={shown(key)} press={() => write(key)} />
          ))}
        </div>
      ))}
      <div className="key-row">
        <Key
          wide
          name={text('question.keyShift')}
          label="⇧"
          on={capital}
          press={() => setCapital(!capital)}
        />
        <Key
          wide
          name={text(layer === 'accents' ? 'question.keyLetters' : 'question.keyAccents')}
          label="áß"
          on={layer === 'accents'}
          press={() => turn('accents')}
        />
        <Key
          wide
          name={text(layer === 'signs' ? 'question.keyLetters' : 'question.keySigns')}
          label="12#"
          on={layer === 'signs'}
          press={() => turn('signs')}
        />
        <button type="button" className="key key-space" tabIndex={-1} {...pressing(() => write(' '))}>
          <Text id="question.keySpace" />
        </button>
        <Key wide name={text('question.keyDelete')} label="⌫" press={erase} />
      </div>
    </div>
  );
}

type KeyProps = {
  readonly label: string;
  /** What it is called where its label is a sign. */
  readonly name?: string;
  readonly wide?: boolean;
  readonly on?: boolean;
  readonly press: () => void;
};

function Key({ label, name, wide = false, on, press }: KeyProps) {
  return (
    <button
      type="button"
      className={wide ? 'key key-wide' : 'key'}
      tabIndex={-1}
      // What can be read on it is part of its name, for whoever says it (WCAG 2.5.3).
      aria-label={name && /[\p{L}\p{N}]/u.test(label) ? `${label} ${name}` : name}
      aria-pressed={on}
      {...pressing(press)}
    >
      {label}
    </button>
  );
}

/** Presses on the way down without taking the focus from the field; a reader's click has no way down. */
function pressing(press: () => void) {
  return {
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault();
      press();
    },
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) press();
    },
  };
}
