/**
 * Whether the page runs on a phone of the team, where only the work on leads is.
 *
 * Invariant: days are counted by the laptop's clock, because a phone's clock may be off by a day.
 */
import { createContext } from 'react';

/** `laptopAhead`: milliseconds by which the laptop's clock is ahead of the phone's. Null on the laptop itself. */
export const OnPhoneContext = createContext<{ readonly laptopAhead: number } | null>(null);
