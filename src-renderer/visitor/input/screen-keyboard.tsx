/**
 * The on-screen keyboard: letters of the page's language and script, capitals, accents, signs; kana with marks; pinyin
 * with candidates.
 *
 * Invariants:
 * - It writes at the caret of its field, through the field itself.
 * - Latin letters are available in every script.
 * - Letters of pinyin stay on the keyboard until a character is chosen.
 */
import { type RefObject, useState } from 'react';
import { useIntl } from 'react-intl';
import { Text, useText } from '../../messages/text.tsx';
import { type KanaMark, katakana, marked } from './kana.ts';
import { Key, SpaceKey } from './keyboard-key.tsx';
import { type KeyLayer, keyRows, type Script, scriptOf } from './keyboard-layouts.ts';
import { candidatesFor } from './pinyin.ts';
import { PinyinRow } from './pinyin-row.tsx';

const ownLabels: Readonly<Record<Script, string>> = {
  latin: 'abc',
  arabic: 'أبج',
  kana: 'あ',
  pinyin: '拼',
};

const kanaMarks: readonly KanaMark[] = ['゛', '゜', '小'];

type Field = RefObject<HTMLInputElement | null>;

/**
 * The keyboard for `field`, which gets the focus back if it lost it. `script` overrides the script of the page's
 * language.
 */
export function ScreenKeyboard({ field, script }: { readonly field: Field; readonly script?: Script }) {
  const text = useText();
  const { locale } = useIntl();
  const own = script ?? scriptOf(locale);
  const [layer, setLayer] = useState<KeyLayer>('letters');
  const [capital, setCapital] = useState(false);
  const [letters, setLetters] = useState('');
  const composes = own === 'pinyin' && layer === 'letters';
  const kana = own === 'kana' && layer === 'letters';
  const shown = (key: string) => {
    if (kana) return capital ? katakana(key) : key;
    return capital && key !== 'ß' ? key.toLocaleUpperCase(locale) : key;
  };
  const write = (key: string) => {
    if (composes && /^[a-z]$/.test(key)) return setLetters(letters + key);
    insert(field, shown(key));
    if (!kana) setCapital(false);
  };
  const take = (character: string | undefined) => {
    if (character === undefined) return;
    insert(field, character);
    setLetters(candidatesFor(letters).rest);
  };
  const space = () => (letters === '' ? insert(field, ' ') : take(candidatesFor(letters).characters[0]));
  const erase = () => (letters === '' ? remove(field) : setLetters(letters.slice(0, -1)));
  const turn = (next: KeyLayer) => {
    setLetters('');
    setCapital(false);
    setLayer(layer === next ? 'letters' : next);
  };
  const shifts = kana || own === 'latin' || layer === 'latin';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys is not a set of fields
    <div className="keyboard" role="group" aria-label={text('question.keyboard')} dir="ltr" data-script={own}>
      {composes ? <PinyinRow key={letters} letters={letters} take={take} /> : null}
      {keyRows(locale, own, layer).map((row) => (
        <div key={row} className="key-row">
          {[...row].map((key) => (
            <Key key={key} label={shown(key)} press={() => write(key)} />
          ))}
          {kana && row.startsWith('ら')
            ? kanaMarks.map((mark) => <Key key={mark} label={mark} press={() => mend(field, mark)} />)
            : null}
        </div>
      ))}
      <div className="key-row">
        {shifts ? (
          <Key
            wide
            {...(kana ? { label: 'カナ' } : { label: '⇧', name: text('question.keyShift') })}
            on={capital}
            press={() => setCapital(!capital)}
          />
        ) : null}
        <LayerKeys own={own} layer={layer} turn={turn} />
        <SpaceKey press={space}>
          <Text id="question.keySpace" />
        </SpaceKey>
        <Key wide name={text('question.keyDelete')} label="⌫" press={erase} />
      </div>
    </div>
  );
}

/** Switches layers: other letters, digits and signs. */
function LayerKeys({
  own,
  layer,
  turn,
}: {
  readonly own: Script;
  readonly layer: KeyLayer;
  readonly turn: (layer: KeyLayer) => void;
}) {
  const text = useText();
  const key = (to: KeyLayer, label: string, name: string) => (
    <Key
      wide
      name={layer === to ? text('question.keyLetters') : name}
      label={label}
      on={layer === to}
      press={() => turn(to)}
    />
  );
  return (
    <>
      {own === 'latin'
        ? key('accents', 'áß', text('question.keyAccents'))
        : key('latin', ownLabels[layer === 'latin' ? own : 'latin'], text('question.keyLetters'))}
      {key('signs', '12#', text('question.keySigns'))}
    </>
  );
}

function insert(field: Field, letters: string): void {
  field.current?.focus();
  document.execCommand('insertText', false, letters);
}

function remove(field: Field): void {
  field.current?.focus();
  document.execCommand('delete');
}

/** Adds `mark` to the kana before the caret. */
function mend(field: Field, mark: KanaMark): void {
  const { value = '', selectionStart = null, selectionEnd = null } = field.current ?? {};
  if (selectionStart === null || selectionStart !== selectionEnd || selectionStart === 0) return;
  const next = marked(value.charAt(selectionStart - 1), mark);
  if (next === null) return;
  remove(field);
  insert(field, next);
}
