/**
 * Whether the page runs on a team phone, which offers only the work on leads.
 *
 * Invariant: days are counted by the laptop's clock, because a phone's clock may be a day off.
 */
import { createContext } from 'react';

/** `laptopAhead`: milliseconds by which the laptop's clock is ahead of the phone's. Null on the laptop itself. */
export const OnPhoneContext = createContext<{ readonly laptopAhead: number } | null>(null);
