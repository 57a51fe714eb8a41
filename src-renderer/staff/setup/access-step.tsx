/**
 * Platform, event and key: checked on request, and once when the step opens with a stored key. The result is text.
 *
 * Invariants:
 * - The event is chosen from those the key can read, never typed or guessed.
 * - A stored key is never shown.
 */
import { useMutation } from '@tanstack/react-query';
import { useContext, useEffect, useRef } from 'react';
import { Button, Form } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { EventChoice, KeyCheck } from '../../../src-main/contract/setup.ts';
import type { Link } from '../../link/link.ts';
import { dayLocale, HourCycleContext } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { CheckField } from '../parts/check-field.tsx';
import { Asking, Heard, LineField } from './fields.tsx';
import { isKeyMissing, type KnownEvent, type SetupForm, wholeAddress } from './setup-form.ts';

export type EventState =
  | { readonly kind: 'none' | 'asking' }
  | { readonly kind: 'refused'; readonly reason: Extract<KeyCheck, { kind: 'refused' }>['reason'] }
  | KnownEvent;

type AccessStepProps = {
  readonly link: Link;
  readonly form: SetupForm;
  readonly event: EventState;
  readonly onChange: (change: Partial<SetupForm>) => void;
  /** Receives the name of the chosen event. */
  readonly onName: (name: string) => void;
};

/** The step. */
export function AccessStep({ link, form, event, onChange, onName }: AccessStepProps) {
  const { address, key, privateHttp, isFixed, hasKey, expo } = form;
  const check = useMutation({
    mutationFn: (): Promise<KeyCheck> =>
      link.call(
        (client, signal) =>
          client.setup.checkKey(
            { address: wholeAddress(address), key: key === '' ? null : key, privateHttp },
            { signal },
          ),
        setupTimes.ask,
      ),
  });
  const found = check.data?.kind === 'events' ? check.data.events.find(({ id }) => id === expo) : undefined;
  useEffect(() => {
    if (found !== undefined) onName(found.name);
  }, [found, onName]);
  const begun = useRef(false);
  const { mutate } = check;
  useEffect(() => {
    if (begun.current || address === '' || !hasKey) return;
    begun.current = true;
    mutate();
  }, [address, hasKey, mutate]);
  const change = (next: Partial<SetupForm>) => {
    check.reset();
    onChange({ ...next, ...(isFixed ? {} : { expo: null }) });
  };
  const reason = check.data?.kind === 'refused' ? check.data.reason : null;
  return (
    <>
      <AccessForm
        form={form}
        asksForHttp={reason === 'privateAddress'}
        isBusy={check.isPending}
        onChange={change}
        onCheck={() => {
          if (!isFixed && address !== wholeAddress(address)) onChange({ address: wholeAddress(address) });
          check.mutate();
        }}
      />
      {check.isPending ? <Asking /> : null}
      {reason !== null ? (
        <Heard tone="stop">
          <Text id={`setup.refused.${reason}`} />
        </Heard>
      ) : null}
      {check.isError ? (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      ) : null}
      {check.data?.kind === 'events' ? (
        <EventChoices
          events={check.data.events}
          chosen={expo}
          isFixed={isFixed}
          onChoose={(id) => onChange({ expo: id, partner: null })}
        />
      ) : null}
      <Rights event={event} />
      {isFixed ? null : (
        <p className="setup-hint">
          <Text id="setup.keyPlace" values={{ kind: form.keyPlace }} />
        </p>
      )}
    </>
  );
}

type AccessFormProps = {
  readonly form: SetupForm;
  /** Whether plain http can be allowed for this address. */
  readonly asksForHttp: boolean;
  readonly isBusy: boolean;
  readonly onChange: (change: Partial<SetupForm>) => void;
  readonly onCheck: () => void;
};

/** Address and key. */
function AccessForm({ form, asksForHttp, isBusy, onChange, onCheck }: AccessFormProps) {
  const text = useText();
  const { address, key, privateHttp, isFixed, hasKey } = form;
  return (
    <Form
      className="setup-fields"
      // A browser would silently refuse an address without a protocol.
      validationBehavior="aria"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onCheck();
      }}
    >
      <LineField
        label={text('setup.address')}
        type="url"
        hint="https://"
        value={address}
        isDisabled={isFixed}
        onChange={(next) => onChange({ address: next })}
      />
      {isFixed ? (
        <p className="setup-hint">
          <Text id="setup.fixed" />
        </p>
      ) : (
        <LineField
          label={text(hasKey ? 'setup.newKey' : 'setup.key')}
          type="password"
          value={key}
          onChange={(next) => onChange({ key: next.trim() })}
        />
      )}
      {asksForHttp || (privateHttp && !isFixed) ? (
        <CheckField
          label={text('setup.privateHttp')}
          checked={privateHttp}
          onChange={(on) => onChange({ privateHttp: on })}
        />
      ) : null}
      <Button
        type="submit"
        className="staff-button setup-go"
        isDisabled={address.trim() === '' || isKeyMissing(form) || isBusy}
      >
        <Text id="setup.check" />
      </Button>
    </Form>
  );
}

type EventChoicesProps = {
  readonly events: readonly EventChoice[];
  readonly chosen: string | null;
  readonly isFixed: boolean;
  readonly onChoose: (id: string) => void;
};

function EventChoices({ events, chosen, isFixed, onChoose }: EventChoicesProps) {
  const { locale } = useIntl();
  const hourCycle = useContext(HourCycleContext);
  if (events.length === 0) {
    return (
      <Heard tone="stop">
        <Text id="setup.noEvents" />
      </Heard>
    );
  }
  const days = ({ start, end }: EventChoice): string => {
    const [from, to] = [Date.parse(start ?? ''), Date.parse(end ?? '')];
    return Number.isFinite(from) && Number.isFinite(to)
      ? new Intl.DateTimeFormat(dayLocale(locale, hourCycle), {
          dateStyle: 'long',
          timeZone: 'UTC',
        }).formatRange(from, to)
      : '';
  };
  return (
    <fieldset className="setup-choices">
      <legend>
        <Text id="setup.events" values={{ count: events.length }} />
      </legend>
      {events.map((event) => (
        <label key={event.id} className="choice-line" data-selected={event.id === chosen || undefined}>
          <input
            type="radio"
            name="setup-event"
            checked={event.id === chosen}
            disabled={isFixed && event.id !== chosen}
            onChange={() => onChoose(event.id)}
          />
          <span className="setup-mark" aria-hidden="true" />
          <strong>
            <bdi>{event.name}</bdi>
          </strong>
          <span className="choice-hint">
            {days(event)} · <bdi dir="ltr">{event.id}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The rights of the key in the chosen event. */
function Rights({ event }: { readonly event: EventState }) {
  const text = useText();
  const { formatList } = useIntl();
  switch (event.kind) {
    case 'none':
      return null;
    case 'asking':
      return <Asking />;
    case 'refused':
      return (
        <Heard tone="stop">
          <Text id={`setup.refused.${event.reason}`} />
        </Heard>
      );
    case 'event': {
      const { rights, partners, touchpoints } = event;
      const { people, lacks, send } = rights;
      return (
        <div className="setup-rights" role="status">
          <h3>
            <Text id="setup.rights" />
          </h3>
          <ul className="checks">
            <li data-ok={touchpoints.length > 0}>
              <Text
                id="setup.rights.event"
                values={{ touchpoints: touchpoints.length, partners: partners.length }}
              />
            </li>
            <li data-ok={people}>
              <Text id={people ? 'setup.rights.people' : 'setup.rights.noPeople'} />
            </li>
            {lacks.length > 0 ? (
              <li data-ok={false}>
                <Text
                  id="setup.rights.lacks"
                  values={{ what: formatList(lacks.map((what) => text('setup.lacks', { what }))) }}
                />
              </li>
            ) : null}
            <li data-ok={send === 'yes'}>
              <Text id={`setup.rights.send.${send}`} />
            </li>
          </ul>
        </div>
      );
    }
  }
}
