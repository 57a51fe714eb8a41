/**
 * A day or a time in the words of the page.
 *
 * Invariants:
 * - The browser's own field, which is in the language of the machine, is visible only while it has the focus.
 * - One touch opens the picker.
 * - Typed text stays in the field until the user leaves it, also while it is not a valid value yet.
 */
import { type ComponentProps, useState } from 'react';

/** `words`: the value, or the name of the field while it is empty. */
export function MomentField({ words, ...field }: { readonly words: string } & ComponentProps<'input'>) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <label className="small-field moment-field">
      <span aria-hidden="true">{words}</span>
      <input
        {...field}
        value={draft ?? field.value}
        onChange={(event) => {
          setDraft(event.target.value);
          field.onChange?.(event);
        }}
        onBlur={() => setDraft(null)}
        // Chromium itself opens it only on a touch of the small sign at the end of the field.
        onClick={({ currentTarget }) => {
          if (navigator.userActivation.isActive) currentTarget.showPicker();
        }}
      />
    </label>
  );
}
