/**
 * Finds a visitor of the event, or a person whom the team added, to whom a badge can be assigned.
 *
 * Invariant: searches only after sign-in, and never for an empty text.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import type { Person } from '../../../src-main/contract/people.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { usePlaceWords } from '../parts/place-words.ts';

type PersonSearchProps = { readonly link: Link; readonly onChoose: (person: Person) => void };

/** The field and its results. */
export function PersonSearch({ link, onChoose }: PersonSearchProps) {
  const text = useText();
  const placeWords = usePlaceWords();
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['persons', search],
    queryFn: () => link.call((client, signal) => client.leads.persons({ search }, { signal })),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <div className="person-search">
      <SearchField value={typed} maxLength={200} autoFocus onChange={setTyped}>
        <Label className="only-heard">{text('worklist.person')}</Label>
        <Input className="small-field person-field" placeholder={text('worklist.person')} />
      </SearchField>
      <ul>
        {(search === '' ? [] : (found.data ?? [])).map((person) => (
          <li key={person.visitor ?? person.lead}>
            <Button className="person" onPress={() => onChoose(person)}>
              <bdi>{person.name}</bdi>
              <span>
                <bdi>
                  {[person.jobTitle, person.company, placeWords(person.place)].filter(Boolean).join(' · ')}
                </bdi>
                {person.lead === null ? null : (
                  <>
                    {' · '}
                    <Text id={person.visitor === null ? 'event.added' : 'worklist.isLead'} />
                  </>
                )}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {search !== '' && found.data?.length === 0 ? (
        <p role="status">
          <Text id="worklist.nobody" />
        </p>
      ) : null}
    </div>
  );
}
