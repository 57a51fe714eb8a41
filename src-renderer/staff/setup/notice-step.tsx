/**
 * The notice that a visitor reads before tapping, and the consents, each on its own.
 *
 * Invariant: consents require a notice that says who gets the data and why.
 */
import { Button } from 'react-aria-components';
import type { StandDraft } from '../../../src-main/contract/setup.ts';
import { Text, useText } from '../../messages/text.tsx';
import { CheckField } from '../parts/check-field.tsx';
import { LanguageField, LineField, SelectField } from './fields.tsx';
import { newId, type SetupForm } from './setup-form.ts';

type NoticeStepProps = {
  readonly form: SetupForm;
  readonly onChange: (change: Partial<SetupForm>) => void;
};

type Notice = NonNullable<StandDraft['notice']>;
type NoticeText = Notice['texts'][string];

const MOST_CONSENTS = 5;
const channels = ['email', 'phone', 'post'] as const;

/** The step. */
export function NoticeStep({ form, onChange }: NoticeStepProps) {
  const text = useText();
  const { stand, languages } = form;
  const { notice, consents } = stand;
  const change = (next: Partial<StandDraft>) => onChange({ stand: { ...stand, ...next } });
  const ofNotice = (next: Partial<Notice>) => {
    if (notice !== null) change({ notice: { ...notice, ...next } });
  };
  const begin = () => {
    const version = new Date().toISOString().slice(0, 7);
    const nothing = { who: '', why: '', howLong: '' };
    change({
      notice: { version, link: null, texts: Object.fromEntries(languages.map((tag) => [tag, nothing])) },
    });
  };
  return (
    <>
      <CheckField
        label={text('setup.noticeOn')}
        checked={notice !== null}
        onChange={(on) => (on ? begin() : change({ notice: null, consents: [] }))}
      />
      {notice === null ? (
        <p className="setup-hint">
          <Text id="setup.noticeHint" />
        </p>
      ) : (
        <>
          <NoticeField name="who" {...{ notice, languages }} onChange={ofNotice} />
          <NoticeField name="why" {...{ notice, languages }} onChange={ofNotice} />
          <NoticeField name="howLong" {...{ notice, languages }} onChange={ofNotice} />
          <div className="setup-row">
            <LineField
              label={text('setup.noticeLink')}
              type="url"
              hint="https://"
              value={notice.link ?? ''}
              onChange={(link) => ofNotice({ link: link === '' ? null : link })}
            />
            <LineField
              label={text('setup.noticeVersion')}
              most={100}
              value={notice.version}
              onChange={(version) => ofNotice({ version })}
            />
          </div>
          <h3>
            <Text id="setup.consents" />
          </h3>
          {consents.map((consent, index) => (
            <ConsentPart
              key={consent.id}
              number={index + 1}
              consent={consent}
              languages={languages}
              onChange={(next) => change({ consents: replaced(consents, index, next) })}
              onRemove={() => change({ consents: consents.filter((one) => one !== consent) })}
            />
          ))}
          <Button
            className="staff-button line-button setup-go"
            isDisabled={consents.length >= MOST_CONSENTS}
            onPress={() =>
              change({ consents: [...consents, { id: newId('consent', Math.random()), text: {} }] })
            }
          >
            <Text id="setup.consentAdd" />
          </Button>
        </>
      )}
    </>
  );
}

type ConsentPartProps = {
  readonly number: number;
  readonly consent: StandDraft['consents'][number];
  readonly languages: readonly string[];
  readonly onChange: (consent: StandDraft['consents'][number]) => void;
  readonly onRemove: () => void;
};

/** One consent. */
function ConsentPart({ number, consent, languages, onChange, onRemove }: ConsentPartProps) {
  const text = useText();
  return (
    <div className="setup-part">
      <LanguageField
        label={text('setup.consent', { number })}
        languages={languages}
        texts={consent.text}
        most={2_000}
        onChange={(next) => onChange({ ...consent, text: next })}
      />
      <div className="setup-row">
        <SelectField
          label={text('setup.channel')}
          value={consent.channel ?? ''}
          onChange={(chosen) => {
            const channel = channels.find((one) => one === chosen);
            const { channel: _before, ...rest } = consent;
            onChange(channel === undefined ? rest : { ...rest, channel });
          }}
        >
          <option value="">{text('setup.channel.none')}</option>
          {channels.map((channel) => (
            <option key={channel} value={channel}>
              {text(`setup.channel.${channel}`)}
            </option>
          ))}
        </SelectField>
        <Button className="mini-button" onPress={onRemove}>
          <Text id="setup.remove" />
        </Button>
      </div>
    </div>
  );
}

type NoticeFieldProps = {
  readonly name: keyof NoticeText;
  readonly notice: Notice;
  readonly languages: readonly string[];
  readonly onChange: (next: Partial<Notice>) => void;
};

function NoticeField({ name, notice, languages, onChange }: NoticeFieldProps) {
  const text = useText();
  const nothing: NoticeText = { who: '', why: '', howLong: '' };
  return (
    <LanguageField
      label={text(`setup.notice.${name}`)}
      languages={languages}
      texts={Object.fromEntries(languages.map((tag) => [tag, notice.texts[tag]?.[name] ?? '']))}
      most={600}
      rows={2}
      onChange={(texts) =>
        onChange({
          texts: Object.fromEntries(
            [...new Set([...Object.keys(notice.texts), ...languages])].map((tag) => [
              tag,
              { ...nothing, ...notice.texts[tag], ...(tag in texts ? { [name]: texts[tag] } : {}) },
            ]),
          ),
        })
      }
    />
  );
}

/** A list with one entry replaced. Pure. */
export function replaced<Entry>(list: readonly Entry[], index: number, entry: Entry): Entry[] {
  return list.map((one, at) => (at === index ? entry : one));
}
