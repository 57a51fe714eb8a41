/**
 * Chooses the language of the next transaction.
 *
 * Invariant: every language names itself, in its own script and direction.
 */

import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { languages } from '../messages/catalogue.ts';
import { useText } from '../messages/text.tsx';

/** A row of languages. */
export function LanguageSwitch({ onChoose }: { readonly onChoose: (tag: string) => void }) {
  const text = useText();
  const { locale } = useIntl();
  return (
    <ToggleButtonGroup
      className="languages"
      aria-label={text('language.label')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[locale]}
      onSelectionChange={(keys) => {
        const [tag] = [...keys];
        if (typeof tag === 'string') onChoose(tag);
      }}
    >
      {languages.map(({ tag, ownName, direction }) => (
        <ToggleButton key={tag} id={tag} className="pill language">
          <span lang={tag} dir={direction}>
            {ownName}
          </span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
