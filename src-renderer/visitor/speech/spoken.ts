/** Types for speech: the sentences to say and their inputs. */
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import type { TextValues } from '../../messages/plain-text.ts';
import type { Known } from '../wording/wording.ts';

/** One sentence; `key`: what the sentence is about, if its words alone do not show that. */
export type SpokenLine = { readonly key: string; readonly text: string };

/** Creates texts from messages in the spoken language. */
export type Say = {
  readonly text: (id: MessageId, values?: TextValues) => string;
  /** Alternatives of which one can be chosen. */
  readonly list: (items: readonly string[]) => string;
};

/** Inputs besides the view: `now` on the display's clock, `date` in epoch milliseconds. */
export type Heard = Known & {
  readonly interrupted: 'kept' | 'notKept' | null;
  /** Contents that the content picker shows. */
  readonly shownItems: readonly OfferItem[];
  readonly now: number;
  readonly date: number;
};
