/**
 * Adds a person without a badge: through a form, or from a card's text (vCard, MECARD) that is pasted or scanned into
 * the field.
 *
 * Invariants:
 * - A card only fills the form; the user checks it before it is saved.
 * - A scanned card is read when it is complete or when typing stops.
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Button, Form, Input, Label, TextArea, TextField } from 'react-aria-components';
import type { Contact, ContactCard } from '../../../src-main/contract/people.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { scannerTimes, staffTimes } from '../../times.ts';
import { addressOf, goTo } from '../address/address.ts';
import type { Edits } from '../lead/edits.ts';
import { DoubtWords, useEmailDoubt } from '../parts/email-doubt.tsx';
import { ByPicture, keepPicture } from './by-picture.tsx';

const longestNote = 200_000;
/** Maximum number of leads that are checked. The search also finds longer addresses that contain this one. */
const mostCompared = 10;

const fields = ['firstName', 'lastName', 'company', 'jobTitle', 'email', 'phone'] as const;

const empty: Contact = {
  firstName: null,
  lastName: null,
  company: null,
  jobTitle: null,
  email: null,
  phone: null,
};

type AddPersonProps = { readonly link: Link; readonly edits: Edits };

/** The card with the form. */
export function AddPerson({ link, edits }: AddPersonProps) {
  const text = useText();
  const [contact, setContact] = useState(empty);
  const [note, setNote] = useState('');
  const take = useCallback((card: ContactCard) => {
    setContact(card.contact);
    setNote((before) => [before.trim(), card.more].filter(Boolean).join('\n'));
  }, []);
  const { card, unread, change } = useCard(link, take);
  const [picture, setPicture] = useState<string | null>(null);
  /** The values read from the picture. Their fields are marked until they are changed. */
  const [read, setRead] = useState(empty);
  /** The card that filled the form, unless people of the event are suggested above it. */
  const [shown, setShown] = useState<ContactCard | null>(null);
  const firstField = useRef<HTMLInputElement>(null);
  const save = useRef<HTMLButtonElement>(null);
  const takePicture = (found: ContactCard, isOnly: boolean): void => {
    take(found);
    setRead(found.contact);
    setShown(isOnly ? found : null);
  };
  useEffect(() => {
    if (shown === null) return;
    const typed = document.activeElement?.closest('input:not([type=file]), textarea') ?? null;
    if (typed !== null && save.current?.form?.contains(typed) === true) return;
    // Brings the end of the form into view; the first field gets the next key.
    save.current?.scrollIntoView({ block: 'nearest' });
    firstField.current?.focus({ preventScroll: true });
  }, [shown]);
  const doubt = useEmailDoubt();
  const someone = [contact.firstName, contact.lastName, contact.company, contact.email].some(Boolean);
  return (
    <section className="staff-card">
      <h2>
        <Text id="worklist.add" />
      </h2>
      <Form
        className="correct add-person"
        onSubmit={(event) => {
          event.preventDefault();
          if (!someone || !doubt.allows(contact.email ?? '')) return;
          void edits
            .run((to) =>
              to.call((client, signal) =>
                client.leads.add({ contact, note: note.trim() || null }, { signal }),
              ),
            )
            .then(async (edited) => {
              if (edited?.kind !== 'kept') return;
              if (picture !== null) await keepPicture(link, edited.lead, picture);
              setPicture(null);
              setContact(empty);
              setRead(empty);
              setNote('');
              goTo(addressOf('leads', new URLSearchParams({ lead: edited.lead })));
            });
        }}
      >
        <ByPicture
          link={link}
          edits={edits}
          onCard={takePicture}
          onPicture={(upload, fills) => setPicture((before) => (fills ? upload : (before ?? upload)))}
        />
        <TextField className="add-card" value={card} onChange={change}>
          <Label>{text('worklist.card')}</Label>
          <TextArea className="note-input" rows={2} placeholder={text('worklist.cardHint')} data-scans="" />
        </TextField>
        {unread ? (
          <p role="status">
            <Text id="worklist.cardUnread" />
          </p>
        ) : null}
        {fields.map((name) => (
          <TextField
            key={name}
            className="correct-field"
            maxLength={200}
            value={contact[name] ?? ''}
            onChange={(value) => setContact({ ...contact, [name]: value === '' ? null : value })}
          >
            <Label>{text(`lead.${name}`)}</Label>
            <Input className="small-field" ref={name === 'firstName' ? firstField : null} />
            {read[name] !== null && contact[name] === read[name] ? (
              <span className="correct-read">
                <Text id="picture.readField" />
              </span>
            ) : null}
            {name === 'email' ? (
              <>
                <DoubtWords doubt={doubt} email={contact.email ?? ''} />
                <KnownByEmail link={link} email={contact.email ?? ''} />
              </>
            ) : null}
          </TextField>
        ))}
        <TextField className="correct-field" maxLength={longestNote} value={note} onChange={setNote}>
          <Label>{text('lead.note')}</Label>
          <TextArea className="note-input" rows={3} />
        </TextField>
        <div className="correct-actions">
          <Button ref={save} type="submit" className="staff-button" isDisabled={!someone}>
            <Text id="worklist.addSave" />
          </Button>
        </div>
      </Form>
    </section>
  );
}

/**
 * The lead that already has this address, with a link to it. Two people may share an address, so nothing is refused.
 */
function KnownByEmail({ link, email }: { readonly link: Link; readonly email: string }) {
  const search = useDeferredValue(email.trim().toLowerCase());
  const found = useQuery({
    queryKey: ['leads', 'email', search],
    enabled: /^[^@]+@[^@]+\.[^@]+$/.test(search),
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page(
          { filter: { search }, sort: 'latest', from: { position: 0 }, limit: mostCompared },
          { signal },
        ),
      ),
  });
  const known = found.data?.leads.find((lead) => lead.email?.toLowerCase() === search);
  if (known === undefined) return null;
  return (
    <span className="correct-doubt" role="status">
      <Text id="worklist.emailKnown" values={{ name: known.name ?? known.badgeTail }} />{' '}
      <Button
        className="mini-button"
        onPress={() => goTo(addressOf('leads', new URLSearchParams({ lead: known.id })))}
      >
        <Text id="worklist.emailOpen" />
      </Button>
    </span>
  );
}

type CardField = {
  readonly card: string;
  readonly unread: boolean;
  readonly change: (typed: string) => void;
};

/** The field for a card's text. `onCard` receives the content, and then the field is cleared. */
function useCard(link: Link, onCard: (card: ContactCard) => void): CardField {
  const [card, setCard] = useState('');
  const [unread, setUnread] = useState(false);
  const shown = useRef(card);
  const change = (typed: string) => {
    shown.current = typed;
    setCard(typed);
    setUnread(false);
  };
  const read = useCallback(
    (typed: string) => {
      link
        .call((client, signal) => client.leads.readContact({ text: typed.slice(0, 20_000) }, { signal }))
        .then(
          (found) => {
            // More text arrived in the meantime and is read too.
            if (shown.current.trim() !== typed.trim()) return;
            setUnread(found === null);
            if (found === null) return;
            onCard(found);
            setCard('');
          },
          () => setUnread(true),
        );
    },
    [link, onCard],
  );
  useEffect(() => {
    if (!/^\s*(BEGIN:VCARD|MECARD:)/i.test(card)) return;
    const timer = setTimeout(() => read(card), isWhole(card) ? scannerTimes.silence : staffTimes.cardPause);
    return () => clearTimeout(timer);
  }, [card, read]);
  return { card, unread, change };
}

/** Whether the card is complete: it ends with the last line of a vCard, or with the two semicolons of a MECARD. */
function isWhole(card: string): boolean {
  return /^\s*MECARD:/i.test(card) ? /;;\s*$/.test(card) : /^END:VCARD\s*$/im.test(card);
}
