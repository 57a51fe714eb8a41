/**
 * Where a PIN is asked for: digits that come as fast as a scanner's are the PIN there, and no badge.
 *
 * Invariants: a page that a visitor's screen covers asks for none; one that waits after wrong PINs still does, and takes none.
 */

type Place = { readonly asked: () => boolean; readonly field: () => HTMLInputElement | null };

/** The place on `page`: whether a PIN is asked for, and the field digits belong into, the first that is empty. */
export function pinPlace(page: Document): Place {
  const fields = () =>
    [...page.querySelectorAll<HTMLInputElement>('.entry .entry-pin')].filter((field) =>
      field.checkVisibility(),
    );
  return {
    asked: () => fields().length > 0 || page.activeElement?.matches('.entry-pin') === true,
    field: () => {
      const open = fields().filter(({ disabled }) => !disabled);
      return open.find(({ value }) => value === '') ?? open[0] ?? null;
    },
  };
}
