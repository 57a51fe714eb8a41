/**
 * Asks who is signing in, after a PIN that several people share. Every later action is recorded with that name.
 *
 * Invariants:
 * - A name is chosen by touch or by its number on the keyboard.
 * - If the team has no names yet (the PIN was set on a terminal), the user types one.
 * - If the device refuses a name, the page says so.
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { NameField } from './name-field.tsx';

type WhoIsThereProps = { readonly link: Link; readonly onLeave: () => void };

/** The names of the team. */
export function WhoIsThere({ link, onLeave }: WhoIsThereProps) {
  const team = useQuery({
    queryKey: ['team'],
    queryFn: () => link.call((client, signal) => client.staff.team(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const members = team.data?.members ?? [];
  const [failed, setFailed] = useState(false);
  /** The device confirms a name by the session that it reports. */
  const sign = useCallback(
    (member: () => Promise<string>) => {
      setFailed(false);
      member()
        .then((id) => link.call((client, signal) => client.staff.identify({ member: id }, { signal })))
        .catch(() => setFailed(true));
    },
    [link],
  );
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const member = members[Number(event.key) - 1];
      if (member) sign(() => Promise.resolve(member.id));
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [members, sign]);
  return (
    <main className="entry">
      <div className="entry-card">
        <h1>
          <Text id="entry.who" />
        </h1>
        <p className="entry-hint">
          <Text id="entry.whoHint" />
        </p>
        {team.data?.members.length === 0 ? <FirstName link={link} onGiven={sign} /> : null}
        <ul className="entry-names">
          {members.map(({ id, name }, index) => (
            <li key={id}>
              <Button className="entry-name" onPress={() => sign(() => Promise.resolve(id))}>
                <bdi>{name}</bdi>
                {index < 9 ? <kbd>{index + 1}</kbd> : null}
              </Button>
            </li>
          ))}
        </ul>
        <p className="entry-answer" role="status">
          {failed ? <Text id="delivery.failed" /> : null}
        </p>
      </div>
      <Button className="quiet-button entry-leave" onPress={onLeave}>
        <Text id="staff.leave" />
      </Button>
    </main>
  );
}

type FirstNameProps = {
  readonly link: Link;
  /** Signs in with the name in the form in which the device stored it. */
  readonly onGiven: (member: () => Promise<string>) => void;
};

/** The form for the first name of the team. */
function FirstName({ link, onGiven }: FirstNameProps) {
  const [name, setName] = useState('');
  const given = name.trim();
  return (
    <Form
      className="entry-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (given === '') return;
        onGiven(async () => {
          const made = await link.call((client, signal) =>
            client.staff.addMember({ name: given }, { signal }),
          );
          return made.id;
        });
      }}
    >
      <NameField value={name} onChange={setName} />
      <Button type="submit" className="staff-button entry-go" isDisabled={given === ''}>
        <Text id="entry.signIn" />
      </Button>
    </Form>
  );
}
