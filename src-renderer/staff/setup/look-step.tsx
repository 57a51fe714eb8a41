/** The look of the visitor's screen: languages, headline, colour, logo, pictures, and the screen's defaults. */
import { useRef, useState } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { languages as known } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import { CheckField } from '../parts/check-field.tsx';
import { Heard, LanguageField } from './fields.tsx';
import { putFile } from './files.ts';
import type { FormFile, SetupForm } from './setup-form.ts';

type LookStepProps = {
  readonly link: Link;
  readonly form: SetupForm;
  /** The company's colour according to the platform. */
  readonly partnerColour: string | null;
  readonly onChange: (change: Partial<SetupForm>) => void;
};

/** The step. */
export function LookStep({ link, form, partnerColour, onChange }: LookStepProps) {
  const text = useText();
  const { stand, languages } = form;
  const change = (next: Partial<SetupForm['stand']>) => onChange({ stand: { ...stand, ...next } });
  return (
    <>
      <Languages chosen={languages} onChange={(next) => onChange({ languages: next })} />
      <LanguageField
        label={text('setup.headline')}
        languages={languages}
        texts={stand.headline ?? {}}
        most={80}
        rows={2}
        onChange={(headline) => change({ headline })}
      />
      <div className="setup-row">
        <label className="setup-field">
          <span>{text('setup.colour')}</span>
          <span className="setup-colour">
            <input
              type="color"
              value={stand.brand.colour ?? partnerColour ?? '#1f4bd8'}
              onChange={({ target }) => change({ brand: { ...stand.brand, colour: target.value } })}
            />
            <bdi dir="ltr">{stand.brand.colour ?? text('setup.colourUsual')}</bdi>
          </span>
        </label>
        {stand.brand.colour !== null ? (
          <Button className="mini-button" onPress={() => change({ brand: { ...stand.brand, colour: null } })}>
            <Text id="setup.colourBack" />
          </Button>
        ) : null}
      </div>
      <Files
        link={link}
        label="setup.logo"
        add="setup.logoAdd"
        files={form.logo === null ? [] : [form.logo]}
        isOne
        accept="image/*"
        onChange={(files) =>
          onChange({
            logo: files[0] ?? null,
            logoChanged: true,
            stand: { ...stand, brand: { ...stand.brand, logo: null } },
          })
        }
      />
      <Files
        link={link}
        label="setup.pictures"
        add="setup.picturesAdd"
        files={form.attract}
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif,video/mp4,video/webm"
        onChange={(attract) => onChange({ attract, attractChanged: true })}
      />
      <ScreenFields stand={stand} onChange={change} />
    </>
  );
}

type ScreenFieldsProps = {
  readonly stand: SetupForm['stand'];
  readonly onChange: (change: Partial<SetupForm['stand']>) => void;
};

/** The defaults of the screen: comfort settings, camera, and whether it shows the company and offers an e-mail. */
function ScreenFields({ stand, onChange }: ScreenFieldsProps) {
  const text = useText();
  return (
    <fieldset className="setup-languages">
      <legend>
        <Text id="setup.screen" />
      </legend>
      <CheckField
        label={text('setup.low')}
        checked={stand.screen.reach === 'low'}
        onChange={(on) => onChange({ screen: { ...stand.screen, reach: on ? 'low' : 'usual' } })}
      />
      <CheckField
        label={text('setup.large')}
        checked={stand.screen.text === 'large'}
        onChange={(on) => onChange({ screen: { ...stand.screen, text: on ? 'large' : 'usual' } })}
      />
      <CheckField
        label={text('setup.contrast')}
        checked={stand.screen.contrast === 'high'}
        onChange={(on) => onChange({ screen: { ...stand.screen, contrast: on ? 'high' : 'usual' } })}
      />
      <CheckField
        label={text('setup.camera')}
        checked={stand.screen.camera}
        onChange={(camera) => onChange({ screen: { ...stand.screen, camera } })}
      />
      <CheckField
        label={text('setup.company')}
        checked={stand.showCompany}
        onChange={(showCompany) => onChange({ showCompany })}
      />
      <CheckField
        label={text('setup.email')}
        checked={stand.email}
        onChange={(email) => onChange({ email })}
      />
    </fieldset>
  );
}

type LanguagesProps = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
};

/** The languages of the stand's texts. At least one stays selected. */
function Languages({ chosen, onChange }: LanguagesProps) {
  return (
    <fieldset className="setup-languages">
      <legend>
        <Text id="setup.languages" />
      </legend>
      <span className="rule-options">
        {known.map(({ tag, ownName }) => (
          <ToggleButton
            key={tag}
            className="filter-chip"
            isSelected={chosen.includes(tag)}
            onChange={(on) => {
              const next = on ? [...chosen, tag] : chosen.filter((one) => one !== tag);
              if (next.length > 0) onChange(next);
            }}
          >
            <bdi lang={tag}>{ownName}</bdi>
          </ToggleButton>
        ))}
      </span>
    </fieldset>
  );
}

type FilesProps = {
  readonly link: Link;
  readonly label: 'setup.logo' | 'setup.pictures';
  readonly add: 'setup.logoAdd' | 'setup.picturesAdd';
  readonly files: readonly FormFile[];
  readonly isOne?: boolean;
  readonly accept: string;
  readonly onChange: (files: readonly FormFile[]) => void;
};

function Files({ link, label, add, files, isOne = false, accept, onChange }: FilesProps) {
  const text = useText();
  const [state, setState] = useState<'idle' | 'sending' | 'refused'>('idle');
  const input = useRef<HTMLInputElement>(null);
  const take = async (given: readonly File[]) => {
    const taken: FormFile[] = [];
    for (const file of given) {
      const upload = await putFile(link, file);
      const isFilm = file.type.startsWith('video/');
      const picture =
        upload === null || isFilm
          ? null
          : await link.call((client, signal) => client.setup.picture({ upload }, { signal }), 30_000);
      if (upload === null || (!isFilm && picture === null)) return setState('refused');
      taken.push({ name: file.name, upload, picture });
    }
    setState('idle');
    onChange(isOne ? taken.slice(0, 1) : [...files, ...taken]);
  };
  return (
    <fieldset className="setup-languages">
      <legend>
        <Text id={label} />
      </legend>
      <ul className="setup-files">
        {files.map((file) => (
          <li key={file.upload ?? file.name}>
            {file.picture ? <img src={file.picture.address} alt="" /> : null}
            <bdi>{file.name}</bdi>
            <Button
              className="mini-button"
              aria-label={text('setup.removeFile', { name: file.name })}
              onPress={() => onChange(files.filter((one) => one !== file))}
            >
              <Text id="setup.remove" />
            </Button>
          </li>
        ))}
      </ul>
      <label
        className="staff-button line-button file-button"
        data-disabled={state === 'sending' || undefined}
      >
        <Text id={add} />
        <input
          ref={input}
          className="only-heard"
          type="file"
          accept={accept}
          multiple={!isOne}
          disabled={state === 'sending'}
          onChange={({ target }) => {
            setState('sending');
            take([...(target.files ?? [])])
              .catch(() => setState('refused'))
              .finally(() => {
                if (input.current !== null) input.current.value = '';
              });
          }}
        />
      </label>
      {state === 'refused' ? (
        <Heard tone="stop">
          <Text id="setup.noPicture" />
        </Heard>
      ) : null}
    </fieldset>
  );
}
