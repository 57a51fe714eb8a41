/**
 * Messages between the app's thread and the thread that reads leads.
 *
 * Invariant: every message can be cloned. An answer carries the number of its question.
 */
import type { LeadReader, LeadReaderSettings } from './lead-reader.ts';
import type { PersonSearch } from './persons.ts';

/** The available questions with their arguments and answers. */
export type Askable = Omit<LeadReader, 'read'> & {
  readonly persons: PersonSearch;
};

/** Paths of the databases, and the settings on which the answers depend. */
export type Opening = {
  readonly journal: string;
  readonly mirror: string;
  readonly settings: LeadReaderSettings;
};

/** To the reading thread. `open` closes the database, opens it again and reads the index from the start. */
export type Question =
  | { readonly kind: 'open'; readonly opening: Opening }
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly call: keyof Askable;
      readonly args: readonly unknown[];
    };

/** From the reading thread. `ready`: the index is complete. */
export type Reply =
  | { readonly kind: 'answer'; readonly number: number; readonly result: unknown }
  | { readonly kind: 'fault'; readonly number: number; readonly message: string }
  | { readonly kind: 'ready' };
