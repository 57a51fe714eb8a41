/**
 * The language choice: a row of a few languages, and a list behind the globe icon. In landscape, the list omits the
 * languages of the row (`screen/header.css`).
 *
 * Invariants:
 * - Every language is named in its own script and direction.
 * - The current one is always visible in the row.
 */
import { useState } from 'react';
import {
  Button,
  Dialog,
  DialogTrigger,
  Popover,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import { type Language, languages } from '../../messages/catalogue.ts';
import { useText } from '../../messages/text.tsx';

const inSight = 4;

type SwitchProps = {
  /** Receives the tag of the chosen language. */
  readonly onChoose: (tag: string) => void;
};

/** A row of languages and the globe. */
export function LanguageSwitch({ onChoose }: SwitchProps) {
  const { locale } = useIntl();
  const used = languages.findIndex(({ tag }) => tag === locale);
  const first = languages.filter((_, index) =>
    used < inSight ? index < inSight : index < inSight - 1 || index === used,
  );
  return (
    <div className="languages">
      <Choice offered={first} locale={locale} onChoose={onChoose} className="language-row" />
      <LanguageGlobe onChoose={onChoose} placement="bottom end" direct={first} />
    </div>
  );
}

/** The globe and its list. */
export function LanguageGlobe({
  onChoose,
  placement,
  direct = [],
}: SwitchProps & {
  /** Where the list opens on the screen. */
  readonly placement: 'bottom end' | 'top';
  /** The languages in the row beside it. */
  readonly direct?: readonly Language[];
}) {
  const text = useText();
  const { locale } = useIntl();
  const [open, setOpen] = useState(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <Button className="pill tool globe" aria-label={text('language.label')}>
        <svg className="tool-icon" viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="9" />
          <path d="M3 12h18M12 3c5.4 5.4 5.4 12.6 0 18M12 3c-5.4 5.4-5.4 12.6 0 18" />
        </svg>
      </Button>
      <Popover className="language-popover" placement={placement}>
        <Dialog aria-label={text('language.label')}>
          <Choice
            offered={languages}
            direct={direct}
            locale={locale}
            className="language-grid"
            onChoose={(tag) => {
              setOpen(false);
              onChoose(tag);
            }}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type ChoiceProps = SwitchProps & {
  readonly offered: readonly Language[];
  readonly direct?: readonly Language[];
  readonly locale: string;
  readonly className: string;
};

function Choice({ offered, direct = [], locale, className, onChoose }: ChoiceProps) {
  const text = useText();
  return (
    <ToggleButtonGroup
      className={className}
      aria-label={text('language.label')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[locale]}
      onSelectionChange={(keys) => {
        const [tag] = [...keys];
        if (typeof tag === 'string') onChoose(tag);
      }}
    >
      {offered.map((language) => (
        <ToggleButton
          key={language.tag}
          id={language.tag}
          className="pill language"
          data-direct={direct.includes(language)}
        >
          <span lang={language.tag} dir={language.direction}>
            {language.ownName}
          </span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
