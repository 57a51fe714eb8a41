/**
 * The search field of the list of leads.
 *
 * Invariants:
 * - Each keystroke sends its query at once, before any rendering. The answer to the latest text is shown when it
 *   arrives.
 * - Navigation to another search replaces the text of the field. A search from this field never does, because the
 *   user may continue to type before its result is shown.
 */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Link } from '../../link/link.ts';
import { useText } from '../../messages/text.tsx';
import { currentView, type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';
import { useAskAhead } from './use-lead-pages.ts';

type SearchInputProps = {
  readonly link: Link;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The search of the current view. */
  readonly shown: string;
  readonly showFound: (view: LeadView) => void;
  /** Ends the search. */
  readonly onDone: () => void;
};

/** The field. */
export function SearchInput({ link, field, shown, showFound, onDone }: SearchInputProps) {
  const text = useText();
  const askAhead = useAskAhead(link);
  /**
   * Number of the latest search. An answer is shown only if its search still has this number. Navigation and unmounting
   * increase it too.
   */
  const turn = useRef(0);
  /** The search text of this field that `shown` will contain next. */
  const own = useRef<string | null>(null);
  useEffect(() => {
    const isOwn = shown === own.current;
    own.current = null;
    if (isOwn || field.current === null || field.current.value === shown) return;
    field.current.value = shown;
    turn.current += 1;
  }, [shown, field]);
  // A late answer does not bring a user back to the list.
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );

  const search = async (typed: string) => {
    turn.current += 1;
    const asked = turn.current;
    const narrowed = () => {
      const now = currentView();
      return viewOf(paramsOf({ ...now, filter: { ...now.filter, search: typed }, lead: null }));
    };
    await askAhead(narrowed());
    if (asked !== turn.current) return;
    if ((currentView().filter.search ?? '') !== typed) own.current = typed;
    showFound(narrowed());
  };
  const hearKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) onDone();
    if (event.key !== 'Escape' || event.currentTarget.value === '') return;
    event.preventDefault();
    event.currentTarget.value = '';
    void search('');
  };

  return (
    <div className="search">
      <input
        ref={field}
        type="search"
        className="search-input"
        aria-label={text('list.search')}
        placeholder={text('list.search')}
        maxLength={200}
        defaultValue={shown}
        onInput={({ currentTarget }) => void search(currentTarget.value)}
        onKeyDown={hearKey}
      />
      <kbd>
        {text('keys.ctrl')} {'K'}
      </kbd>
    </div>
  );
}
