/**
 * The stand of this device: company, touchpoint and purpose, from the event's own lists.
 *
 * Invariants:
 * - On a new device nothing is preselected, except the company of a set-up file.
 * - A touchpoint with an unknown purpose cannot be chosen.
 * - Before anything is saved, the page says whether the key belongs to this company.
 */
import { useQuery } from '@tanstack/react-query';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { Heard, SelectField } from './fields.tsx';
import type { KnownEvent, SetupForm } from './setup-form.ts';

type PlaceStepProps = {
  readonly link: Link;
  readonly form: SetupForm;
  readonly event: KnownEvent | null;
  readonly onChange: (change: Partial<SetupForm>) => void;
};

const NOBODY = '-';

/** The step. */
export function PlaceStep({ link, form, event, onChange }: PlaceStepProps) {
  const text = useText();
  if (event === null) {
    return (
      <Heard tone="wait">
        <Text id="setup.eventFirst" />
      </Heard>
    );
  }
  const partner = partnerIn(form, event);
  const own = event.touchpoints.filter((one) => (one.partner ?? NOBODY) === partner);
  const choose = (touchpoint: string | null) => onChange({ stand: { ...form.stand, touchpoint } });
  const hasFree = event.touchpoints.some((one) => one.partner === null);
  return (
    <>
      <SelectField
        label={text('setup.partner')}
        value={partner ?? ''}
        onChange={(chosen) =>
          onChange({ partner: chosen || null, stand: { ...form.stand, touchpoint: null } })
        }
      >
        <option value="">{text('setup.choose')}</option>
        {event.partners.map(({ id, name, stand }) => (
          <option key={id} value={id}>
            {stand === null ? name : `${name} · ${stand}`}
          </option>
        ))}
        {hasFree ? <option value={NOBODY}>{text('setup.organiser')}</option> : null}
      </SelectField>
      {partner !== null && partner !== NOBODY ? <KeyOf link={link} form={form} partner={partner} /> : null}
      {partner !== null && own.length === 0 ? (
        <Heard tone="wait">
          <Text id="setup.noTouchpoints" />
        </Heard>
      ) : null}
      {own.length > 0 ? (
        <fieldset className="setup-choices">
          <legend>
            <Text id="setup.touchpoint" />
          </legend>
          {own.map(({ id, name, purpose }) => (
            <label key={id} className="choice-line" data-selected={id === form.stand.touchpoint || undefined}>
              <input
                type="radio"
                name="setup-touchpoint"
                checked={id === form.stand.touchpoint}
                disabled={purpose === null}
                onChange={() => choose(id)}
              />
              <span className="setup-mark" aria-hidden="true" />
              <strong>
                <bdi>{name}</bdi>
              </strong>
              <span className="choice-hint">
                <Text id={`setup.purpose.${purpose ?? 'unknown'}`} /> · <bdi dir="ltr">{id}</bdi>
              </span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </>
  );
}

/**
 * The company of the page: the chosen company, otherwise the company of the configured touchpoint or of the set-up
 * file.
 */
export function partnerIn({ partner, stand, alike }: SetupForm, event: KnownEvent): string | null {
  if (partner !== null) return partner;
  const set = event.touchpoints.find(({ id }) => id === (stand.touchpoint ?? alike));
  return set === undefined ? null : (set.partner ?? NOBODY);
}

function KeyOf({
  link,
  form,
  partner,
}: Pick<PlaceStepProps, 'link' | 'form'> & { readonly partner: string }) {
  const { address, key, privateHttp, expo } = form;
  const { data } = useQuery({
    queryKey: ['setup', 'partner', expo, partner],
    gcTime: 0,
    queryFn: () =>
      link.call(
        (client, signal) =>
          client.setup.checkPartner(
            { address, key: key === '' ? null : key, privateHttp, expo: expo ?? '', partner },
            { signal },
          ),
        setupTimes.ask,
      ),
  });
  if (!data || data.connections === 'unknown') return null;
  return (
    <ul className="checks setup-checks">
      <li data-ok={data.connections === 'yes'}>
        <Text id={`setup.rights.connections.${data.connections}`} />
      </li>
    </ul>
  );
}
