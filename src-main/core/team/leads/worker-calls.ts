/**
 * What goes between the app's thread and the one that reads leads.
 *
 * Invariant: everything can be cloned; an answer bears the number of its question.
 */
import type { LeadReader, LeadReaderSettings } from './lead-reader.ts';
import type { PersonSearch } from './persons.ts';

/** What can be asked, with its arguments and answers. */
export type Askable = Omit<LeadReader, 'read'> & { readonly persons: PersonSearch };

/** Where the databases are, and what the answers depend on. */
export type Opening = {
  readonly journal: string;
  readonly mirror: string;
  readonly settings: LeadReaderSettings;
};

/** To the reading thread. `open` begins anew. */
export type Question =
  | { readonly kind: 'open'; readonly opening: Opening }
  | {
      readonly kind: 'ask';
      readonly number: number;
      readonly call: keyof Askable;
      readonly args: readonly unknown[];
    };

/** From the reading thread. `ready`: the index is read. */
export type Reply =
  | { readonly kind: 'answer'; readonly number: number; readonly result: unknown }
  | { readonly kind: 'fault'; readonly number: number; readonly message: string }
  | { readonly kind: 'ready' };
