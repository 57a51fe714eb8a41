/**
 * The sections of the staff page and their addresses.
 *
 * Invariant: an address that is none of these is the visitor's display.
 */
export type Section = 'leads' | 'delivery';

export const addresses: Readonly<Record<Section, string>> = {
  leads: '#/staff',
  delivery: '#/staff/delivery',
};

/** The section at `hash`, or null for the display. */
export function sectionAt(hash: string): Section | null {
  if (hash === addresses.leads) return 'leads';
  return hash === addresses.delivery ? 'delivery' : null;
}
