/**
 * Entry of a code by hand, for a badge that no reader can read.
 *
 * Invariant: blank input is never submitted.
 */
import { useRef, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import type { CodePad } from '../../../src-main/contract/device.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import { CodePad as CodeKeys, LetterPad } from './code-pad.tsx';
import { ScreenKeyboard } from './screen-keyboard.tsx';

/** The field, its keyboard, and the way back. */
export function TypedCode({
  runtime,
  pad,
}: {
  readonly runtime: DisplayRuntime;
  /** The kind of keypad for the codes of this event. */
  readonly pad: CodePad;
}) {
  const [keys, setKeys] = useState<CodePad | 'all'>(pad);
  const text = useText();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  return (
    <Form
      className="typed-code"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim()) runtime.enter(code.trim(), 'manual');
      }}
    >
      <TextField
        className="field"
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={code}
        onChange={(value) => {
          setCode(value);
          runtime.send({ kind: 'typedKey' });
        }}
      >
        <Label className="only-heard">{text('typing.label')}</Label>
        <Input ref={field} className="field-input" autoCapitalize="characters" spellCheck="false" />
      </TextField>
      {keys === 'all' ? <ScreenKeyboard field={field} script="latin" /> : null}
      {keys === 'letters' ? <LetterPad field={field} more={() => setKeys('all')} /> : null}
      {keys === 'digits' || keys === 'hex' ? (
        <CodeKeys field={field} hex={keys === 'hex'} more={() => setKeys('letters')} />
      ) : null}
      <div className="actions">
        <Button type="submit" className="pill action action-strong" isDisabled={!code.trim()}>
          <Text id="typing.send" />
        </Button>
        <Button className="pill action" onPress={() => runtime.send({ kind: 'dismiss' })}>
          <Text id="typing.cancel" />
        </Button>
      </div>
    </Form>
  );
}
