/**
 * The stand as screens see it.
 *
 * Invariant: nothing here is about a visitor.
 */
import type { Stand } from '../../contract/stand.ts';

/** A stand that offers nothing beyond the tap. */
export const drawStand = (): Stand => ({
  notice: null,
  consents: [],
  questions: [],
  offer: { count: 0, here: null },
  email: false,
  activity: null,
  brand: { colour: null, logo: null },
  attract: [],
  screen: { reach: 'usual', contrast: 'usual', text: 'usual', camera: false },
});
