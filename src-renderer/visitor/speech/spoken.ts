/** What is said, and what it is made of. Types alone. */
import type { MessageId } from '../../messages/catalogue.ts';
import type { TextValues } from '../../messages/plain-text.ts';
import type { Known } from '../wording/wording.ts';

/** One sentence; `key` says what it is about, where its words alone do not. */
export type SpokenLine = { readonly key: string; readonly text: string };

/** How texts are made of messages in the language that is spoken. */
export type Say = {
  readonly text: (id: MessageId, values?: TextValues) => string;
  /** Several things of which one can be chosen. */
  readonly list: (items: readonly string[]) => string;
};

/** What is said is made of beside the view: `now` on the display's clock, `date` in epoch milliseconds. */
export type Heard = Known & {
  readonly interrupted: 'kept' | 'notKept' | null;
  readonly now: number;
  readonly date: number;
};
