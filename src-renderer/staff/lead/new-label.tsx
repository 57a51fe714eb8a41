/** Adds the team's own label, if the platform has no suitable one. */
import { useState } from 'react';
import { Button, Form, Input, TextField } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';

/** A button that becomes a field; `onAdd` receives the label. */
export function NewLabel({ onAdd }: { readonly onAdd: (label: string) => void }) {
  const text = useText();
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null) {
    return (
      <Button className="label-chip label-new" onPress={() => setTyped('')}>
        <Text id="lead.newLabel" />
      </Button>
    );
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onAdd(typed.trim());
        setTyped(null);
      }}
    >
      <TextField
        aria-label={text('lead.newLabelName')}
        autoFocus
        maxLength={60}
        value={typed}
        onChange={setTyped}
        onBlur={() => setTyped(null)}
      >
        <Input className="small-field" placeholder={text('lead.newLabelName')} />
      </TextField>
    </Form>
  );
}
