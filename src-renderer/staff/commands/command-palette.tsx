/**
 * One field that finds people and runs the commands of the pages. Ctrl+K opens it on every staff page.
 *
 * Invariants:
 * - Only its field has the focus; leaving the field closes it, so that it never covers a visitor's screen.
 * - People come before commands. The first match is selected until the user selects another.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useState } from 'react';
import type { LeadLine } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf, goTo, sections } from '../address/address.ts';
import { LeadName } from '../parts/lead-parts.tsx';

type CommandPaletteProps = {
  readonly link: Link;
  /** Locks the pages. */
  readonly onLeave: () => void;
  readonly onKeys: () => void;
};

/** Opens the palette on Ctrl+K and Command+K. */
export function CommandPalette(props: CommandPaletteProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  return isOpen ? <Palette {...props} onClose={() => setOpen(false)} /> : null;
}

type Choice = { readonly key: string; readonly shown: React.ReactNode; readonly run: () => void };

const mostPeople = 6;
const filters = ['hot', 'unrated', 'unknown', 'undelivered', 'parked', 'undone'] as const;

function Palette(props: CommandPaletteProps & { readonly onClose: () => void }) {
  const { link, onClose } = props;
  const text = useText();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const people = usePeople(link, typed);
  const commands = useCommands(props).filter(({ words }) => matches(words, typed));
  const choices: readonly Choice[] = [
    ...people.map((lead) => ({
      key: lead.id,
      shown: <Person lead={lead} />,
      run: () => goTo(addressOf('leads', new URLSearchParams({ lead: lead.id }))),
    })),
    ...commands.map(({ words, run }) => ({ key: words, shown: words, run })),
  ];
  const chosen = Math.min(at, choices.length - 1);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const hearKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + choices.length) % Math.max(choices.length, 1));
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) take(choices[chosen]);
  };
  useEffect(() => {
    document.getElementById(`choice-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div className="palette" role="dialog" aria-label={text('palette.title')}>
      <input
        className="search-input"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-choices"
        aria-activedescendant={chosen < 0 ? undefined : `choice-${chosen}`}
        aria-label={text('palette.title')}
        placeholder={text('palette.title')}
        maxLength={200}
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={hearKey}
        onBlur={onClose}
      />
      <div id="palette-choices" className="palette-choices" role="listbox" aria-label={text('palette.title')}>
        {choices.map(({ key, shown }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field listens to the keys
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field (aria-activedescendant)
          <div
            key={key}
            id={`choice-${index}`}
            className="palette-choice"
            role="option"
            aria-selected={index === chosen}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(choices[index])}
          >
            {shown}
          </div>
        ))}
      </div>
      {choices.length === 0 ? (
        <p role="status">
          <Text id="staff.noneFound" />
        </p>
      ) : null}
    </div>
  );
}

function Person({ lead }: { readonly lead: LeadLine }) {
  return (
    <>
      <strong>
        <LeadName lead={lead} />
      </strong>
      <bdi>{[lead.jobTitle, lead.company].filter(Boolean).join(' · ')}</bdi>
    </>
  );
}

/** The first people that match the typed text. */
function usePeople(link: Link, typed: string): readonly LeadLine[] {
  const search = useDeferredValue(typed.trim());
  const { data } = useQuery({
    queryKey: ['leads', 'palette', search],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page(
          { filter: { search }, sort: 'latest', from: { position: 0 }, limit: mostPeople },
          { signal },
        ),
      ),
  });
  return typed.trim() === '' ? [] : (data?.leads ?? []);
}

/** The commands, each with its title. */
function useCommands({ onLeave, onKeys }: CommandPaletteProps) {
  const text = useText();
  return [
    ...sections
      .filter((section) => section !== 'about')
      .map((section) => ({ words: text(`staff.${section}`), run: () => goTo(addressOf(section)) })),
    ...filters.map((filter) => ({
      words: `${text('staff.leads')}: ${text(`filter.${filter}`)}`,
      run: () => goTo(addressOf('leads', new URLSearchParams({ [filter]: '1' }))),
    })),
    { words: text('keys.title'), run: onKeys },
    { words: text('staff.lock'), run: onLeave },
  ];
}

function matches(words: string, typed: string): boolean {
  const lower = words.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/u)
    .every((part) => lower.includes(part));
}
