/**
 * Chooses the language of the next session: a few at once, all of them behind one more touch.
 *
 * Invariants: every language names itself, in its own script and direction; the one in use is always in sight.
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
import { Text, useText } from '../../messages/text.tsx';

const inSight = 4;

/** A row of languages; `onChoose` gets the tag of the chosen one. */
export function LanguageSwitch({ onChoose }: { readonly onChoose: (tag: string) => void }) {
  const text = useText();
  const { locale } = useIntl();
  const [open, setOpen] = useState(false);
  const used = languages.findIndex(({ tag }) => tag === locale);
  const first = languages.filter((_, index) =>
    used < inSight ? index < inSight : index < inSight - 1 || index === used,
  );
  return (
    <div className="languages">
      <Choice offered={first} locale={locale} onChoose={onChoose} className="language-row" />
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Button className="pill">
          <Text id="language.more" />
        </Button>
        <Popover className="language-popover" placement="bottom end">
          <Dialog aria-label={text('language.label')}>
            <Choice
              offered={languages}
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
    </div>
  );
}

type ChoiceProps = {
  readonly offered: readonly Language[];
  readonly locale: string;
  readonly className: string;
  readonly onChoose: (tag: string) => void;
};

function Choice({ offered, locale, className, onChoose }: ChoiceProps) {
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
      {offered.map(({ tag, ownName, direction }) => (
        <ToggleButton key={tag} id={tag} className="pill language">
          <span lang={tag} dir={direction}>
            {ownName}
          </span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
