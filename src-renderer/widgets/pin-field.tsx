/**
 * A PIN field that shows dots, and a keypad for screens without a keyboard.
 *
 * Invariants:
 * - Digits only, at most twelve.
 * - The PIN is never shown.
 */
import type { RefObject } from 'react';
import { Button, Group, Input, Label, TextField } from 'react-aria-components';
import { Text, useText } from '../messages/text.tsx';

const longest = 12;
const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

type PinFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A reference to the input. If it is given, the input takes the focus when it appears. */
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly isDisabled?: boolean;
};

/** The field without a keypad. */
export function PinField({ label, value, onChange, field, isDisabled = false }: PinFieldProps) {
  return (
    <TextField
      className="entry-field"
      type="password"
      inputMode="numeric"
      autoComplete="off"
      autoFocus={field !== undefined}
      isDisabled={isDisabled}
      value={value}
      onChange={(next) => onChange(next.replace(/\D/g, '').slice(0, longest))}
    >
      <Label>{label}</Label>
      <Input className="entry-input entry-pin" {...(field ? { ref: field } : {})} />
    </TextField>
  );
}

/** The keypad, for a screen without a keyboard. */
export function DigitPad({ value, onChange, isDisabled }: Omit<PinFieldProps, 'label' | 'field'>) {
  const text = useText();
  const add = (digit: string) => onChange(`${value}${digit}`.slice(0, longest));
  return (
    <Group className="digit-pad" aria-label={text('entry.digits')}>
      {digits.map((digit) => (
        <Digit key={digit} digit={digit} onPress={add} isDisabled={isDisabled === true} />
      ))}
      <Button
        className="digit digit-word"
        isDisabled={isDisabled === true || value === ''}
        onPress={() => onChange('')}
      >
        <Text id="entry.clear" />
      </Button>
      <Digit digit="0" onPress={add} isDisabled={isDisabled === true} />
      <Button
        className="digit"
        aria-label={text('entry.backspace')}
        isDisabled={isDisabled === true || value === ''}
        onPress={() => onChange(value.slice(0, -1))}
      >
        <span aria-hidden="true">⌫</span>
      </Button>
    </Group>
  );
}

type DigitProps = {
  readonly digit: string;
  readonly onPress: (digit: string) => void;
  readonly isDisabled: boolean;
};

function Digit({ digit, onPress, isDisabled }: DigitProps) {
  return (
    <Button className="digit" isDisabled={isDisabled} onPress={() => onPress(digit)}>
      {digit}
    </Button>
  );
}
