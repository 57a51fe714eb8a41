/** Parts of the set-up: a line of text, a text per language, a choice, a message, and progress. */
import type { ReactNode } from 'react';
import { Input, Label, TextArea, TextField } from 'react-aria-components';
import { languages as known } from '../../messages/catalogue.ts';
import { Text } from '../../messages/text.tsx';

type LineProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'url';
  readonly hint?: string;
  readonly most?: number;
  readonly isDisabled?: boolean;
};

/** One line of text. */
export function LineField({
  label,
  value,
  onChange,
  type = 'text',
  hint,
  most,
  isDisabled = false,
}: LineProps) {
  return (
    <TextField
      className="setup-field"
      autoComplete="off"
      type={type}
      value={value}
      onChange={onChange}
      isDisabled={isDisabled}
      {...(most === undefined ? {} : { maxLength: most })}
    >
      <Label>{label}</Label>
      <Input
        className="setup-input"
        spellCheck={false}
        {...(hint === undefined ? {} : { placeholder: hint })}
      />
    </TextField>
  );
}

type LanguageProps = {
  readonly label: string;
  readonly languages: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  readonly onChange: (texts: Record<string, string>) => void;
  readonly most: number;
  readonly rows?: number;
};

/** One field for each language. */
export function LanguageField({ label, languages, texts, onChange, most, rows = 1 }: LanguageProps) {
  return (
    <fieldset className="setup-languages">
      <legend>{label}</legend>
      {languages.map((tag) => {
        const language = known.find((one) => one.tag === tag);
        const name = language?.ownName ?? tag;
        return (
          <TextField
            key={tag}
            className="setup-language"
            aria-label={`${label}, ${name}`}
            autoComplete="off"
            maxLength={most}
            value={texts[tag] ?? ''}
            onChange={(value) => onChange({ ...texts, [tag]: value })}
          >
            <span className="setup-tag" aria-hidden="true">
              {tag}
            </span>
            {rows === 1 ? (
              <Input className="setup-input" lang={tag} dir={language?.direction ?? 'auto'} />
            ) : (
              <TextArea className="setup-input" rows={rows} lang={tag} dir={language?.direction ?? 'auto'} />
            )}
          </TextField>
        );
      })}
    </fieldset>
  );
}

type SelectProps = {
  readonly label: string;
  readonly value: string | number;
  readonly onChange: (value: string) => void;
  readonly isDisabled?: boolean;
  /** The options. */
  readonly children: ReactNode;
};

/** A choice; `value` is the value of the chosen option. */
export function SelectField({ label, value, onChange, isDisabled = false, children }: SelectProps) {
  return (
    <label className="setup-field">
      <span>{label}</span>
      <select
        className="setup-input"
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {children}
      </select>
    </label>
  );
}

/** A message about this step. */
export function Heard({
  tone,
  children,
}: {
  readonly tone: 'stop' | 'wait' | 'captured';
  readonly children: ReactNode;
}) {
  return (
    <p className="notice" data-tone={tone} role="status">
      {children}
    </p>
  );
}

/** Progress of a request to the platform. */
export function Asking() {
  return (
    <p className="setup-hint" role="status">
      <Text id="setup.asking" />
    </p>
  );
}
