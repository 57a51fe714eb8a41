/** The name of a team member who signs in for the first time. */
import { Input, Label, TextField } from 'react-aria-components';
import { useText } from '../../messages/text.tsx';

type NameFieldProps = { readonly value: string; readonly onChange: (name: string) => void };

/** The field, with focus. */
export function NameField({ value, onChange }: NameFieldProps) {
  const text = useText();
  return (
    <TextField
      className="entry-field"
      autoFocus
      autoComplete="off"
      maxLength={60}
      value={value}
      onChange={onChange}
    >
      <Label>{text('entry.name')}</Label>
      <Input className="entry-input" />
    </TextField>
  );
}
