/**
 * The name of a destination, and when it gets leads: by hand, by rule or at once. Options: only with a consent, and
 * only after a time of day.
 */
import { useMutation } from '@tanstack/react-query';
import type { Destination, DestinationSettings } from '../../../src-main/contract/destinations.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';

type RuleProps = {
  readonly link: Link;
  readonly destination: Destination;
  readonly onSaved: () => Promise<void>;
};

const RULES: Readonly<Record<string, DestinationSettings['when']>> = {
  hand: { kind: 'hand' },
  hot: { kind: 'rule', hot: true, rating: null },
  rated: { kind: 'rule', hot: true, rating: 3 },
  all: { kind: 'all' },
};
/** The times to choose from. A browser's own time field would have the browser's language, not the page's. */
const HALF_HOURS: readonly string[] = Array.from(
  { length: 48 },
  (_, at) => `${String(Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}`,
);
const ruleNames = ['hand', 'hot', 'rated', 'all'] as const;

/** The part. Each change is saved at once, and alone: another page may have changed another setting. */
export function RulePart({ link, destination: { id, name, settings }, onSaved }: RuleProps) {
  const text = useText();
  const save = useMutation({
    mutationFn: (change: Partial<DestinationSettings>) =>
      link.call((client, signal) => client.destinations.save({ id, settings: change }, { signal })),
    onSettled: onSaved,
  });
  const rename = useMutation({
    mutationFn: (to: string) =>
      link.call((client, signal) => client.destinations.rename({ id, name: to }, { signal })),
    onSettled: onSaved,
  });
  // A change is shown at once. It is pending until the list has been read again.
  const { when, needsConsent, notBefore } = { ...settings, ...(save.isPending ? save.variables : {}) };
  const rule = when.kind === 'rule' ? (when.rating === null ? 'hot' : 'rated') : when.kind;
  return (
    <div className="crm-part crm-ways">
      <label className="choice">
        <Text id="crm.name" />
        <input
          key={name}
          className="small-field"
          maxLength={80}
          autoComplete="off"
          defaultValue={name}
          onBlur={({ target }) => {
            const typed = target.value.trim();
            if (typed === '') target.value = name;
            if (typed === '' || typed === name) rename.reset();
            else rename.mutate(typed);
          }}
        />
      </label>
      <label className="choice">
        <Text id="crm.when" />
        <select
          className="small-field"
          value={rule}
          onChange={({ target }) => save.mutate({ when: RULES[target.value] ?? { kind: 'hand' } })}
        >
          {ruleNames.map((name) => (
            <option key={name} value={name}>
              {text(`crm.when.${name}`)}
            </option>
          ))}
        </select>
      </label>
      <label className="choice">
        <Text id="crm.notBefore" />
        <select
          className="small-field"
          value={notBefore ?? ''}
          onChange={({ target }) => save.mutate({ notBefore: target.value === '' ? null : target.value })}
        >
          <option value="">{text('crm.anyTime')}</option>
          {(notBefore === null || HALF_HOURS.includes(notBefore)
            ? HALF_HOURS
            : [notBefore, ...HALF_HOURS]
          ).map((time) => (
            <option key={time} value={time}>
              {time}
            </option>
          ))}
        </select>
      </label>
      <label className="choice-line">
        <input
          type="checkbox"
          checked={needsConsent}
          onChange={({ target }) => save.mutate({ needsConsent: target.checked })}
        />{' '}
        <Text id="crm.needsConsent" />
      </label>
      <span role="status">
        {rename.data?.kept === false ? <Text id="crm.nameTaken" /> : null}
        {rename.isError ? <Text id="crm.failed" /> : null}
      </span>
      <span role="status">{save.isError || save.data?.kept === false ? <Text id="crm.failed" /> : null}</span>
    </div>
  );
}
