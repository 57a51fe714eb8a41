/**
 * The team of this stand: names, badges, phones, the PIN, and the end of a shift.
 *
 * Invariant: when a lost badge or a former member is removed, that takes effect at once.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button, FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { Member, Team } from '../../../src-main/contract/staff.ts';
import type { DeviceClient, Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { PinField } from '../../widgets/pin-field.tsx';
import type { Entry } from '../entry/entry.ts';
import { PhonesCard } from './phones-card.tsx';

type TeamSectionProps = { readonly link: Link; readonly entry: Entry };

/** The section. */
export function TeamSection({ link, entry }: TeamSectionProps) {
  const queries = useQueryClient();
  const team = useQuery({
    queryKey: ['team'],
    queryFn: () => link.call((client, signal) => client.staff.team(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  // A badge that is tapped for a team member arrives with the sign-in state.
  useEffect(
    () => entry.subscribe(() => void queries.invalidateQueries({ queryKey: ['team'] })),
    [entry, queries],
  );
  const change = useMutation({
    mutationFn: (ask: (client: DeviceClient) => Promise<unknown>) => link.call(ask),
    onSettled: () => queries.invalidateQueries({ queryKey: ['team'] }),
  });
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.team" />
          </h1>
          <Button className="staff-button line-button title-end" onPress={() => entry.lock(true)}>
            <Text id="team.signOff" />
          </Button>
        </div>
        <p className="counts" role="status">
          {change.isError ? <Text id="delivery.failed" /> : <Text id="team.hint" />}
        </p>
      </header>
      <div className="cards-page">
        <section className="staff-card">
          <h2>
            <Text id="team.members" />
          </h2>
          <ul className="work-lines">
            {(team.data?.members ?? []).map((member) => (
              <MemberLine
                key={member.id}
                member={member}
                awaits={team.data?.awaits === member.id}
                onChange={change.mutate}
              />
            ))}
          </ul>
          <NewMember onAdd={(name) => change.mutate((client) => client.staff.addMember({ name }))} />
        </section>
        <div className="cards-column">
          <PhonesCard link={link} members={team.data?.members ?? []} />
          <NewPin link={link} />
        </div>
      </div>
    </>
  );
}

type MemberLineProps = {
  readonly member: Member;
  readonly awaits: boolean;
  readonly onChange: (ask: (client: DeviceClient) => Promise<Team>) => void;
};

function MemberLine({ member, awaits, onChange }: MemberLineProps) {
  const text = useText();
  const { id, name, email, badges } = member;
  return (
    <li>
      <div className="work-line">
        <span className="lead-cell">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span>
            {awaits ? <Text id="team.tapNow" /> : <Text id="team.badges" values={{ count: badges.length }} />}
          </span>
        </span>
        <Button
          className="staff-button line-button"
          onPress={() => onChange((client) => client.staff.awaitBadge({ member: awaits ? null : id }))}
        >
          <Text id={awaits ? 'staff.cancel' : 'team.addBadge'} />
        </Button>
        <Button
          className="mini-button"
          aria-label={text('team.removeName', { name })}
          onPress={() => onChange((client) => client.staff.removeMember({ member: id }))}
        >
          <Text id="team.remove" />
        </Button>
      </div>
      <EmailField
        key={email}
        name={name}
        email={email}
        onSave={(typed) => onChange((client) => client.staff.setEmail({ member: id, email: typed }))}
      />
      {badges.map((badge) => (
        <div key={badge.id} className="work-line">
          <span className="code">
            <Text id="lead.badgeTail" values={{ tail: badge.tail }} />
          </span>
          <Button
            className="mini-button"
            onPress={() => onChange((client) => client.staff.removeBadge({ badge: badge.id }))}
          >
            <Text id="team.lostBadge" />
          </Button>
        </div>
      ))}
    </li>
  );
}

type EmailProps = {
  readonly name: string;
  readonly email: string;
  readonly onSave: (email: string) => void;
};

/**
 * The e-mail address of the member's user in the CRM. It is saved when the user leaves the field. An invalid address
 * is marked and not saved.
 */
function EmailField({ name, email, onSave }: EmailProps) {
  const text = useText();
  const [typed, setTyped] = useState(email);
  const [isWrong, setWrong] = useState(false);
  return (
    <TextField
      className="team-email"
      type="email"
      maxLength={254}
      autoComplete="off"
      isInvalid={isWrong}
      value={typed}
      onChange={setTyped}
      onBlur={({ target }) => {
        const isAddress = target instanceof HTMLInputElement && !target.validity.typeMismatch;
        setWrong(!isAddress);
        if (isAddress && typed.trim() !== email) onSave(typed.trim());
      }}
    >
      <Label>{text('team.emailOf', { name })}</Label>
      <Input className="small-field person-field" />
      {isWrong ? <FieldError>{text('team.noEmail')}</FieldError> : null}
    </TextField>
  );
}

function NewMember({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const text = useText();
  const [name, setName] = useState('');
  return (
    <Form
      className="work-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') return;
        onAdd(name.trim());
        setName('');
      }}
    >
      <TextField className="lead-cell" maxLength={60} autoComplete="off" value={name} onChange={setName}>
        <Label className="only-heard">{text('team.newName')}</Label>
        <Input className="small-field person-field" placeholder={text('team.newName')} />
      </TextField>
      <Button type="submit" className="staff-button" isDisabled={name.trim() === ''}>
        <Text id="team.add" />
      </Button>
    </Form>
  );
}

function NewPin({ link }: { readonly link: Link }) {
  const text = useText();
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const change = useMutation({
    mutationFn: () => link.call((client, signal) => client.staff.changePin({ pin }, { signal })),
    onSuccess: () => {
      setPin('');
      setAgain('');
    },
  });
  const ready = pin.length >= 4 && pin === again;
  return (
    <section className="staff-card">
      <h2>
        <Text id="team.newPin" />
      </h2>
      <p>
        <Text id="team.newPinHint" />
      </p>
      <Form
        className="entry-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) change.mutate();
        }}
      >
        <PinField label={text('entry.newPin')} value={pin} onChange={setPin} />
        <PinField label={text('entry.newPinAgain')} value={again} onChange={setAgain} />
        <p className="entry-answer" data-good={change.isSuccess} role="status">
          {change.isSuccess ? <Text id="team.pinChanged" /> : null}
          {change.isError ? <Text id="delivery.failed" /> : null}
        </p>
        <Button type="submit" className="staff-button" isDisabled={!ready}>
          <Text id="entry.choose" />
        </Button>
      </Form>
    </section>
  );
}
