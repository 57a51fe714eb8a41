/**
 * The stand's own letters to hot leads: subject and text by language, and signatures by member of the team.
 *
 * Invariant: if a letter has no text, the built-in text is used.
 */
import { Button, Input, Label, TextArea, TextField } from 'react-aria-components';
import { LETTER_PLACES } from '../../../src-main/contract/letter-places.ts';
import type { StandDraft } from '../../../src-main/contract/setup.ts';
import { Text, useText } from '../../messages/text.tsx';
import { LanguageField } from './fields.tsx';
import { replaced } from './notice-step.tsx';

type Letter = StandDraft['letter'];

type LettersPartProps = {
  readonly letter: Letter;
  readonly languages: readonly string[];
  readonly onChange: (letter: Letter) => void;
};

const MOST_SIGNATURES = 50;

/** The part of the step. */
export function LettersPart({ letter, languages, onChange }: LettersPartProps) {
  const text = useText();
  const { signatures } = letter;
  const places = LETTER_PLACES.map((place) => `{${place}}`).join(' ');
  return (
    <section className="setup-own" aria-labelledby="setup-letters">
      <h3 id="setup-letters">
        <Text id="setup.letter" />
      </h3>
      <p className="setup-hint">
        <Text id="setup.letter.hint" values={{ places }} />
      </p>
      <LanguageField
        label={text('setup.letter.subject')}
        languages={languages}
        texts={letter.subject ?? {}}
        most={200}
        onChange={(subject) => onChange({ ...letter, subject })}
      />
      <LanguageField
        label={text('setup.letter.text')}
        languages={languages}
        texts={letter.text ?? {}}
        most={5_000}
        rows={6}
        onChange={(own) => onChange({ ...letter, text: own })}
      />
      {signatures.map((signature, index) => {
        const change = (next: Partial<typeof signature>) =>
          onChange({ ...letter, signatures: replaced(signatures, index, { ...signature, ...next }) });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a signature has no identity except its position
          <div key={index} className="setup-part">
            <TextField
              className="setup-field"
              autoComplete="off"
              maxLength={200}
              value={signature.name}
              onChange={(name) => change({ name })}
            >
              <Label>{text('setup.letter.member')}</Label>
              <Input className="setup-input" />
            </TextField>
            <TextField
              className="setup-field"
              maxLength={1_000}
              value={signature.text}
              onChange={(own) => change({ text: own })}
            >
              <Label>{text('setup.letter.signature')}</Label>
              <TextArea className="setup-input" rows={3} dir="auto" />
            </TextField>
            <Button
              className="mini-button"
              aria-label={text('setup.letter.remove', { name: signature.name })}
              onPress={() =>
                onChange({ ...letter, signatures: signatures.filter((one) => one !== signature) })
              }
            >
              <Text id="setup.remove" />
            </Button>
          </div>
        );
      })}
      <Button
        className="staff-button line-button setup-go"
        isDisabled={signatures.length >= MOST_SIGNATURES}
        onPress={() => onChange({ ...letter, signatures: [...signatures, { name: '', text: '' }] })}
      >
        <Text id="setup.letter.add" />
      </Button>
    </section>
  );
}
