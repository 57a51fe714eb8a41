/**
 * Detects whether a page expects a PIN. On such a page, digits that arrive at the speed of a scanner are a PIN and
 * not a badge.
 *
 * Invariants:
 * - A page covered by a visitor's screen expects no PIN.
 * - After wrong PINs the page still expects a PIN, but accepts none until the delay is over.
 */

type Place = { readonly asked: () => boolean; readonly field: () => HTMLInputElement | null };

/** Whether `page` expects a PIN, and the first empty field for its digits. */
export function pinPlace(page: Document): Place {
  const fields = () =>
    [...page.querySelectorAll<HTMLInputElement>(':is(.entry, .stand-pin) .entry-pin')].filter((field) =>
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
