/**
 * The note of a lead: saved after a pause, on leaving the field, and before the page locks.
 *
 * Invariants:
 * - Text in progress is never replaced by an update from the device.
 * - A text that looks like the beginning of a code is saved later, so that half a scan on a slow machine is not
 *   saved.
 * - A template is appended and saved at once.
 * - On a phone, text that the device has not confirmed stays in memory when the lead closes (`entry/unsent.ts`).
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button, Label, TextArea, TextField } from 'react-aria-components';
import type { LeadEdit } from '../../../src-main/contract/lead-fields.ts';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import type { Entry } from '../entry/entry.ts';
import type { Edits } from './edits.ts';

const longest = 200_000;
const templates = ['note.call', 'note.quote', 'note.sheet', 'note.demo', 'note.decides'] as const;

/** The edit that sets a note; an empty note removes it. */
function noteChange(note: string): LeadEdit {
  return { note: note.trim() === '' ? null : note };
}

type NoteFieldProps = { readonly entry: Entry; readonly lead: LeadDetail; readonly edits: Edits };

/** The field and its templates. */
export function NoteField({ entry, lead, edits }: NoteFieldProps) {
  const text = useText();
  const { edit } = edits;
  const { id } = lead;
  const { unsent } = entry;
  const [draft, setDraft] = useState<string | null>(unsent?.changes().get(id)?.note ?? null);
  const pending = useRef<string | null>(draft);

  const save = useCallback(async () => {
    const note = pending.current;
    if (note === null) return;
    pending.current = null;
    const edited = await edit(id, noteChange(note));
    // An unsaved note stays pending.
    if (edited === null || edited.kind === 'failed') pending.current ??= note;
  }, [edit, id]);
  const change = (note: string) => {
    pending.current = note;
    unsent?.hold(id, noteChange(note));
    setDraft(note);
  };
  useEffect(() => {
    if (draft === null) return;
    const { savePause, codePause } = staffTimes;
    const timer = setTimeout(() => void save(), /\d\S*$/.test(draft) ? codePause : savePause);
    return () => clearTimeout(timer);
  }, [draft, save]);
  useEffect(() => entry.saveFirst(save), [entry, save]);
  useEffect(() => () => void save(), [save]);

  const shown = draft ?? lead.note ?? '';
  return (
    <div className="note">
      <TextField
        className="note-field"
        value={shown}
        maxLength={longest}
        onChange={change}
        onBlur={() => {
          void save().then(() => setDraft(pending.current));
        }}
      >
        <Label className="only-heard">{text('lead.note')}</Label>
        <TextArea className="note-input" rows={3} placeholder={text('lead.noteHint')} />
      </TextField>
      <div className="note-templates">
        {templates.map((template) => (
          <Button
            key={template}
            className="mini-button"
            onPress={() => {
              change([shown.trimEnd(), text(template)].filter(Boolean).join('\n'));
              void save();
            }}
          >
            <Text id={`${template}.short`} />
          </Button>
        ))}
      </div>
    </div>
  );
}
