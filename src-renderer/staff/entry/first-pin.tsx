/**
 * The first start: the person who sets up the stand chooses its PIN and enters a name.
 *
 * Invariant: the PIN is typed twice and is set only if both entries are equal.
 */
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { PinField } from '../../widgets/pin-field.tsx';
import { NameField } from './name-field.tsx';

/** The form. */
export function FirstPin({ link }: { readonly link: Link }) {
  const text = useText();
  const [name, setName] = useState('');
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const [failed, setFailed] = useState(false);
  const differs = again.length >= pin.length && again !== pin;
  const ready = name.trim() !== '' && pin.length >= 4 && again === pin;
  return (
    <Form
      className="entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        link
          .call((client, signal) => client.staff.choosePin({ pin, name: name.trim() }, { signal }))
          .then(
            ({ chosen }) => setFailed(!chosen),
            () => setFailed(true),
          );
      }}
    >
      <p className="entry-hint">
        <Text id="entry.firstHint" />
      </p>
      <NameField value={name} onChange={setName} />
      <PinField label={text('entry.newPin')} value={pin} onChange={setPin} />
      <PinField label={text('entry.newPinAgain')} value={again} onChange={setAgain} />
      <p className="entry-answer" role="status">
        {differs && again !== '' ? <Text id="entry.differs" /> : null}
        {failed ? <Text id="delivery.failed" /> : null}
      </p>
      <Button type="submit" className="staff-button entry-go" isDisabled={!ready}>
        <Text id="entry.choose" />
      </Button>
    </Form>
  );
}
