/**
 * A short text answer: a field with the on-screen keyboard below. A real keyboard works as well.
 *
 * Invariant: both keyboards write through the field itself, so that caret, selection and undo are the browser's.
 */
import { useRef } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import { useText } from '../../messages/text.tsx';
import { ScreenKeyboard } from '../input/screen-keyboard.tsx';

const longest = 300;

/** The field; `change` receives every change, `give` the full text on Enter. */
export function TextAnswer({
  value,
  change,
  give,
}: {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly give: (value: string) => void;
}) {
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  return (
    <Form
      className="text-answer"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim()) give(value);
      }}
    >
      <TextField
        className="field"
        autoFocus
        autoComplete="off"
        maxLength={longest}
        value={value}
        onChange={change}
      >
        <Label className="only-heard">{text('question.label')}</Label>
        <Input ref={field} className="field-input field-words" dir="auto" />
      </TextField>
      <ScreenKeyboard field={field} />
    </Form>
  );
}
