/**
 * Erasure on request: finds the person, shows the stored data, erases it, and creates a record of the erasure without
 * the name.
 *
 * Invariant: nothing is erased before the user has seen what will be erased.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Input, Label, SearchField } from 'react-aria-components';
import type { Erased, ForgetPreview } from '../../../src-main/contract/erasure.ts';
import type { Link } from '../../link/link.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { LeadName } from '../parts/lead-parts.tsx';
import { ProtocolLines } from './protocol.tsx';

/** The card. */
export function ForgetCard({ link, dated }: { readonly link: Link; readonly dated: Clock }) {
  const text = useText();
  const [search, setSearch] = useState('');
  const [preview, setPreview] = useState<ForgetPreview | null>(null);
  const [erased, setErased] = useState<Erased | 'lost' | null>(null);
  const found = useQuery({
    queryKey: ['leads', 'forget', search],
    enabled: search.trim() !== '',
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page(
          { filter: { search: search.trim() }, sort: 'latest', from: { position: 0 }, limit: 5 },
          { signal },
        ),
      ),
  });
  const protocol = erased !== null && erased !== 'lost' && erased.kind === 'erased' ? erased.protocol : null;
  // The protocol changes when a destination answers. The latest one stays in sight until the next search.
  const protocols = useQuery({
    queryKey: ['erasure', 'protocols'],
    queryFn: () => link.call((client, signal) => client.erasure.protocols(undefined, { signal })),
    refetchInterval: staffTimes.retry,
  });
  const latest = protocols.data?.find(({ id, kind }) =>
    protocol === null ? kind === 'person' : id === protocol.id,
  );
  const isIdle = erased === null && preview === null && search === '';
  const shown: typeof erased =
    latest !== undefined && (protocol !== null || isIdle) ? { kind: 'erased', protocol: latest } : erased;
  const show = (lead: string) => {
    setErased(null);
    link
      .call((client, signal) => client.erasure.preview({ lead }, { signal }))
      .then(setPreview, () => setErased('lost'));
  };
  const forget = (lead: string) => {
    setPreview(null);
    setSearch('');
    link
      .call((client, signal) => client.erasure.forget({ lead }, { signal }), 60_000)
      .then(setErased, () => setErased('lost'));
  };
  return (
    <section className="staff-card">
      <h2>
        <Text id="forget.title" />
      </h2>
      <p>
        <Text id="forget.hint" />
      </p>
      <SearchField value={search} maxLength={200} onChange={setSearch}>
        <Label className="only-heard">{text('forget.search')}</Label>
        <Input className="small-field person-field" placeholder={text('forget.search')} />
      </SearchField>
      {preview === null ? (
        <ul>
          {(search.trim() === '' ? [] : (found.data?.leads ?? [])).map((lead) => (
            <li key={lead.id}>
              <Button className="person" onPress={() => show(lead.id)}>
                <LeadName lead={lead} />
                <span>
                  <bdi>{lead.company}</bdi>
                </span>
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <Preview preview={preview} onForget={() => forget(preview.lead)} onCancel={() => setPreview(null)} />
      )}
      {shown === null ? null : <ErasedWords erased={shown} dated={dated} />}
    </section>
  );
}

type PreviewProps = {
  readonly preview: ForgetPreview;
  readonly onForget: () => void;
  readonly onCancel: () => void;
};

function Preview({ preview, onForget, onCancel }: PreviewProps) {
  const facts = Object.values(preview.facts).reduce((sum, count) => sum + count, 0);
  return (
    <div className="danger">
      <p>
        <strong>
          <bdi>{preview.name ?? preview.lead}</bdi>
        </strong>{' '}
        <bdi>{preview.company}</bdi>
      </p>
      <p>
        <Text id="forget.held" values={{ facts, copies: preview.copies, undelivered: preview.undelivered }} />{' '}
        {preview.registered ? <Text id="forget.registered" /> : null}
      </p>
      <div className="correct-actions">
        <Button className="staff-button danger-button" onPress={onForget}>
          <Text id="forget.do" />
        </Button>
        <Button className="mini-button" onPress={onCancel}>
          <Text id="staff.cancel" />
        </Button>
      </div>
    </div>
  );
}

type ErasedProps = { readonly erased: Erased | 'lost'; readonly dated: Clock };

/** The result of an erasure. */
export function ErasedWords({ erased, dated }: ErasedProps) {
  if (erased === 'lost') {
    return (
      <p className="notice" data-tone="stop" role="status">
        <Text id="edit.lost" />
      </p>
    );
  }
  if (erased.kind === 'erased') return <ProtocolLines protocol={erased.protocol} dated={dated} />;
  return (
    <p className="notice" data-tone="stop" role="status">
      <Text
        id={`erased.${erased.kind}`}
        values={{ count: erased.kind === 'pending' ? erased.undelivered : 0 }}
      />
    </p>
  );
}
