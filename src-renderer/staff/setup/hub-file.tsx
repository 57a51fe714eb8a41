/**
 * A hub's set-up file: shows the hub, lets the user choose one of its devices, and enrols this device at the hub.
 *
 * Invariant: the hub is contacted only on a button press, after the fingerprint was shown for comparison.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { HubEnrolled, SetupTaken } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { Asking, Heard, SelectField } from './fields.tsx';

/** The content of a hub's file. */
export type HubOffer = Extract<SetupTaken, { kind: 'hub' }>;

type HubFileProps = { readonly link: Link; readonly offer: HubOffer; readonly onEnrolled: () => void };

/** The part. */
export function HubFile({ link, offer, onEnrolled }: HubFileProps) {
  const text = useText();
  const { upload, hub, fingerprint, devices } = offer;
  const [only] = devices.length === 1 ? devices : [];
  const [device, setDevice] = useState(only?.id ?? '');
  const enrolling = useMutation({
    mutationFn: (): Promise<HubEnrolled> =>
      link.call((client, signal) => client.setup.enrol({ upload, device }, { signal }), setupTimes.ask),
    onSuccess: (enrolled) => {
      if (enrolled.kind === 'enrolled') onEnrolled();
    },
  });
  return (
    <div className="setup-part hub-file">
      <h3>
        <Text id="setup.hub" values={{ hub }} />
      </h3>
      <p className="setup-hint">
        <Text id="setup.hubCompare" />
      </p>
      <p className="hub-fingerprint">
        <bdi dir="ltr">{fingerprint}</bdi>
      </p>
      <div className="setup-row">
        <SelectField
          label={text('setup.hubDevice')}
          value={device}
          isDisabled={only !== undefined}
          onChange={setDevice}
        >
          {only === undefined ? <option value="">{text('setup.hubChoose')}</option> : null}
          {devices.map(({ id, name }) => (
            <option key={id} value={id}>
              {id} · {name}
            </option>
          ))}
        </SelectField>
        <Button
          className="staff-button"
          isDisabled={device === '' || enrolling.isPending}
          onPress={() => enrolling.mutate()}
        >
          <Text id="setup.hubEnrol" />
        </Button>
      </div>
      {enrolling.isPending ? <Asking /> : null}
      {enrolling.data?.kind === 'refused' ? <FileRefusal refusal={enrolling.data} /> : null}
      {enrolling.isError ? (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      ) : null}
    </div>
  );
}

/** Refusals for which the remedy differs between a code and a file. */
const ofCodes = ['notOurs', 'cut', 'altered', 'newer'] as const;

type Refusal = Extract<SetupTaken, { kind: 'refused' }>;

/** The source: a file, or a code in front of the camera. */
export type Source = 'file' | 'code';

type FileRefusalProps = { readonly refusal: Refusal; readonly from?: Source };

/** Why a file or a code was refused, in words. */
export function FileRefusal({ refusal: { reason, faults }, from = 'file' }: FileRefusalProps) {
  const own = from === 'code' ? ofCodes.find((one) => one === reason) : undefined;
  return (
    <Heard tone="stop">
      <Text id={own === undefined ? `setup.file.${reason}` : `setup.code.${own}`} />{' '}
      {faults.map((fault) => (
        <bdi key={fault} lang="en">
          {fault}.{' '}
        </bdi>
      ))}
    </Heard>
  );
}
