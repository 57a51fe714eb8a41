/**
 * Connects a destination, or replaces its access: with a token that the user types, or in the browser (OAuth with
 * PKCE).
 *
 * Invariant: the token field is cleared as soon as the device has stored the token. After a refusal the token stays in
 * the field, so that the user can correct it.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { HUBSPOT_SCOPES, SHORTEST_TOKEN } from '../../../src-main/contract/destination-access.ts';
import type { Destination, DestinationKindName } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { destinationTimes, staffTimes } from '../../times.ts';
import { refreshDestinations } from './destination-counts.tsx';
import { RefusalOf } from './destination-words.tsx';

const kinds: readonly DestinationKindName[] = ['hubspot', 'salesforce', 'webhook'];

/** The card that connects another destination. */
export function ConnectCard({ link }: { readonly link: Link }) {
  const text = useText();
  return (
    <section className="staff-card card-wide connect-card" aria-label={text('crm.connect')}>
      <h2>
        <Text id="crm.connect" />
      </h2>
      <AccessForm link={link} replaced={null} />
    </section>
  );
}

type FormProps = {
  readonly link: Link;
  /** The destination whose access is replaced. Null to connect another destination. */
  readonly replaced: Destination | null;
};

/** The form for the access to a destination. */
export function AccessForm({ link, replaced }: FormProps) {
  const text = useText();
  const queries = useQueryClient();
  const [chosen, setKind] = useState<DestinationKindName>('hubspot');
  const kind = replaced?.kind ?? chosen;
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [inBrowser, setInBrowser] = useState(false);
  const [isShort, setShort] = useState(false);
  // Several webhooks are told apart by their hosts.
  const [, host] = kind === 'webhook' ? (/^(?:\w+:\/\/)?([^\s/?#]+)/u.exec(address.trim()) ?? []) : [];
  const name = (host ?? text(`crm.kind.${kind}`)).slice(0, 80);
  const connect = useMutation({
    mutationFn: () =>
      link.call(
        ({ destinations }, signal) =>
          replaced === null
            ? destinations.connect({ kind, name, address, token }, { signal })
            : destinations.replaceToken({ id: replaced.id, token }, { signal }),
        destinationTimes.ask,
      ),
    onSuccess: (answer) => {
      if (answer.kind === 'connected') setToken('');
    },
    onSettled: () => refreshDestinations(queries),
  });
  const authorize = useMutation({
    mutationFn: () =>
      link.call((client, signal) =>
        client.destinations.authorize(
          { kind, name, address, clientId: token, ...(replaced === null ? {} : { replaces: replaced.id }) },
          { signal },
        ),
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
    <Form
      className="export"
      onSubmit={(event) => {
        event.preventDefault();
        const isTooShort = token.trim().length < SHORTEST_TOKEN;
        setShort(isTooShort);
        if (isTooShort) connect.reset();
        else if (isOauth) authorize.mutate();
        else connect.mutate();
      }}
    >
      {replaced === null ? (
        <>
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
          <div className="crm-prepare">
            <p>
              <Text id={`crm.prepare.${kind}`} />
            </p>
            {kind === 'hubspot' ? (
              <ul className="code">
                {HUBSPOT_SCOPES.map((scope) => (
                  <li key={scope}>{scope}</li>
                ))}
              </ul>
            ) : null}
          </div>
        </>
      ) : null}
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
      {replaced === null
        ? field(text(kind === 'hubspot' ? 'crm.addressUsual' : 'crm.address'), address, setAddress)
        : null}
      {isOauth
        ? field(text('crm.clientId'), token, setToken)
        : field(text(kind === 'webhook' ? 'crm.secret' : 'crm.token'), token, setToken, 'password')}
      <Button type="submit" className="staff-button" isDisabled={connect.isPending}>
        <Text id={isOauth ? 'crm.openBrowser' : replaced === null ? 'crm.connect' : 'crm.replace'} />
      </Button>
      <p role="status">
        {connect.isPending ? <Text id="crm.asking" /> : null}
        {isShort ? <Text id={kind === 'webhook' ? 'crm.refused.secret' : 'crm.tokenShort'} /> : null}
        {outcome?.kind === 'connected' ? (
          <Text id={replaced === null ? 'crm.connected' : 'crm.replaced'} />
        ) : null}
        {outcome?.kind === 'refused' ? <RefusalOf pause={outcome.pause} /> : null}
        {outcome?.kind === 'failed' || connect.isError || authorize.isError ? <Text id="crm.failed" /> : null}
        {isOauth && authorize.data?.url === null ? <RefusalOf pause="address" /> : null}
        {isOauth && url !== null && outcome == null ? (
          <a className="mini-button" href={url} target="_blank" rel="noreferrer">
            <Text id="crm.openHere" />
          </a>
        ) : null}
      </p>
    </Form>
  );
}
