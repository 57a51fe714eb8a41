/**
 * Corrects wrong or missing data of a person. The lead keeps the platform's value beside the correction.
 *
 * Invariants:
 * - Only changed fields are sent.
 * - Clearing a field restores the platform's value.
 */
import { useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import type { Correction, LeadDetail } from '../../../src-main/contract/leads.ts';
import { Text, useText } from '../../messages/text.tsx';
import { DoubtWords, useEmailDoubt } from '../parts/email-doubt.tsx';
import { intoView } from '../parts/into-view.ts';
import type { Edits } from './edits.ts';

const fields = ['firstName', 'lastName', 'company', 'jobTitle', 'email', 'phone'] as const;
type Name = (typeof fields)[number];

/** A button that opens the form. */
export function CorrectPart({ lead, edits }: { readonly lead: LeadDetail; readonly edits: Edits }) {
  const text = useText();
  const [typed, setTyped] = useState<Readonly<Partial<Record<Name, string>>> | null>(null);
  const doubt = useEmailDoubt();
  const shown = (name: Name) => lead.person[name].corrected ?? lead.person[name].original ?? '';
  if (typed === null) {
    return (
      <Button className="mini-button" onPress={() => setTyped({})}>
        <Text id="lead.correct" />
      </Button>
    );
  }
  return (
    <Form
      className="correct"
      ref={intoView}
      onSubmit={(event) => {
        event.preventDefault();
        const change: Correction = {};
        for (const name of fields) {
          const value = typed[name]?.trim();
          if (value !== undefined && value !== shown(name)) change[name] = value === '' ? null : value;
        }
        if (!doubt.allows(change.email ?? '')) return;
        setTyped(null);
        if (Object.keys(change).length > 0) void edits.correct(lead.id, change);
      }}
    >
      <h3>
        <Text id="lead.correct" />
      </h3>
      {fields.map((name, index) => (
        <TextField
          key={name}
          className="correct-field"
          autoFocus={index === 0}
          maxLength={200}
          value={typed[name] ?? shown(name)}
          onChange={(value) => setTyped({ ...typed, [name]: value })}
        >
          <Label>{text(`lead.${name}`)}</Label>
          <Input className="small-field" />
          {name === 'email' ? <DoubtWords doubt={doubt} email={typed.email ?? ''} /> : null}
        </TextField>
      ))}
      <div className="correct-actions">
        <Button type="submit" className="staff-button">
          <Text id="lead.correctSave" />
        </Button>
        <Button className="mini-button" onPress={() => setTyped(null)}>
          <Text id="staff.cancel" />
        </Button>
      </div>
    </Form>
  );
}
