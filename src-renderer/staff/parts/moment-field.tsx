/**
 * A day or a time in the words of the page.
 *
 * Invariant: the browser's own field, which is in the language of the machine, is visible only while it has the focus.
 */
import type { ComponentProps } from 'react';

/** `words`: the value, or the name of the field while it is empty. */
export function MomentField({ words, ...field }: { readonly words: string } & ComponentProps<'input'>) {
  return (
    <label className="small-field moment-field">
      <span aria-hidden="true">{words}</span>
      <input {...field} />
    </label>
  );
}
