/**
 * The field in which leads are searched.
 *
 * Invariants: a key is asked for at once, and nothing is drawn before; what was typed last is shown as soon as its answer
 * is here; an address that searches something else is what stands in the field from then on.
 */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import type { Link } from '../../link/link.ts';
import { useText } from '../../messages/text.tsx';
import { currentView, type LeadView, paramsOf, viewOf } from '../address/lead-view.ts';
import { useAskAhead } from './use-lead-pages.ts';

type SearchInputProps = {
  readonly link: Link;
  readonly field: RefObject<HTMLInputElement | null>;
  /** What is searched in the view on show. */
  readonly shown: string;
  readonly showFound: (view: LeadView) => void;
  /** The search is done with. */
  readonly onDone: () => void;
};

/** The field. */
export function SearchInput({ link, field, shown, showFound, onDone }: SearchInputProps) {
  const text = useText();
  const askAhead = useAskAhead(link);
  /** The latest search that is to be shown. */
  const turn = useRef(0);
  useEffect(() => {
    if (field.current === null || field.current.value === shown) return;
    field.current.value = shown;
    turn.current += 1;
  }, [shown, field]);
  // Whoever has left the list is not brought back to it by an answer.
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );

  const search = async (typed: string) => {
    turn.current += 1;
    const own = turn.current;
    const narrowed = () => {
      const now = currentView();
      return viewOf(paramsOf({ ...now, filter: { ...now.filter, search: typed }, lead: null }));
    };
    await askAhead(narrowed());
    if (own === turn.current) showFound(narrowed());
  };
  const hearKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) onDone();
    if (event.key !== 'Escape' || event.currentTarget.value === '') return;
    event.preventDefault();
    event.currentTarget.value = '';
    void search('');
  };

  return (
    <input
      ref={field}
      type="search"
      className="search search-input"
      aria-label={text('list.search')}
      placeholder={text('list.search')}
      maxLength={200}
      defaultValue={shown}
      onInput={({ currentTarget }) => void search(currentTarget.value)}
      onKeyDown={hearKey}
    />
  );
}
