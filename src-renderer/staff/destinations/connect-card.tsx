/**
 * Connects a destination with a token that the user types, or in the browser (OAuth with PKCE).
 *
 * Invariant: the token field is cleared as soon as the device has answered.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { DestinationKindName } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { PauseOf } from './destination-words.tsx';

const kinds: readonly DestinationKindName[] = ['hubspot', 'salesforce', 'webhook'];

/** The card. */
export function ConnectCard({ link }: { readonly link: Link }) {
  const text = useText();
  const queries = useQueryClient();
  const [kind, setKind] = useState<DestinationKindName>('hubspot');
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [inBrowser, setInBrowser] = useState(false);
  const name = text(`crm.kind.${kind}`);
  const connect = useMutation({
    mutationFn: () =>
      link.call((client, signal) => client.destinations.connect({ kind, name, address, token }, { signal })),
    onSettled: () => {
      setToken('');
      return queries.invalidateQueries({ queryKey: ['destinations'] });
    },
  });
  const authorize = useMutation({
    mutationFn: () =>
      link.call((client, signal) =>
        client.destinations.authorize({ kind, name, address, clientId: token }, { signal }),
      ),
  });
  const isOauth = kind === 'salesforce' && inBrowser;
  const url = authorize.data?.url ?? null;
  const authorized = useQuery({
    queryKey: ['destinations', 'authorized', url],
    queryFn: () => link.call((client, signal) => client.destinations.authorized(undefined, { signal })),
    refetchInterval: staffTimes.retry,
    enabled: isOauth && url !== null,
  });
  const outcome = isOauth ? authorized.data : connect.data;
  const field = (label: string, value: string, change: (value: string) => void, type = 'text') => (
    <label className="choice">
      {label}
      <input
        className="small-field"
        type={type}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
  return (
    <section className="staff-card" aria-label={text('crm.connect')}>
      <h2>
        <Text id="crm.connect" />
      </h2>
      <Form
        className="export"
        onSubmit={(event) => {
          event.preventDefault();
          if (isOauth) authorize.mutate();
          else connect.mutate();
        }}
      >
        <label className="choice">
          <Text id="crm.kind" />
          <select
            className="small-field"
            value={kind}
            onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? 'hubspot')}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {text(`crm.kind.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <p className="choice-hint">
          <Text id={`crm.prepare.${kind}`} />
        </p>
        {kind === 'salesforce' ? (
          <label className="choice-line">
            <input
              type="checkbox"
              checked={inBrowser}
              onChange={({ target }) => setInBrowser(target.checked)}
            />{' '}
            <Text id="crm.inBrowser" />
          </label>
        ) : null}
        {field(text(kind === 'hubspot' ? 'crm.addressUsual' : 'crm.address'), address, setAddress)}
        {isOauth
          ? field(text('crm.clientId'), token, setToken)
          : field(text(kind === 'webhook' ? 'crm.secret' : 'crm.token'), token, setToken, 'password')}
        <Button type="submit" className="staff-button" isDisabled={connect.isPending || token.length < 8}>
          <Text id={isOauth ? 'crm.openBrowser' : 'crm.connect'} />
        </Button>
        <p role="status">
          {outcome?.kind === 'connected' ? <Text id="crm.connected" /> : null}
          {outcome?.kind === 'refused' ? <PauseOf pause={outcome.pause} /> : null}
          {outcome?.kind === 'failed' || connect.isError || authorize.isError ? (
            <Text id="crm.failed" />
          ) : null}
          {isOauth && authorize.data?.url === null ? <PauseOf pause="address" /> : null}
          {isOauth && url !== null && outcome == null ? (
            <a className="mini-button" href={url} target="_blank" rel="noreferrer">
              <Text id="crm.openHere" />
            </a>
          ) : null}
        </p>
      </Form>
    </section>
  );
}
