/**
 * The button that takes a content or returns it.
 *
 * Invariant: "taken" is shown as a word, a mark and a colour.
 */
import { ToggleButton } from 'react-aria-components';
import type { OfferItem } from '../../../src-main/contract/stand.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { SelectionState } from './selection-state.ts';

const words: Readonly<Record<SelectionState, MessageId>> = {
  none: 'offer.take',
  pending: 'offer.saving',
  taken: 'offer.taken',
  chosen: 'choose.chosen',
  failed: 'offer.notSaved',
};

/** "Take it", "Taken", and the states in between. */
export function TakeButton({
  item,
  selection,
  choosing,
  toggle,
}: {
  readonly item: OfferItem;
  readonly selection: SelectionState;
  readonly choosing: boolean;
  readonly toggle: () => void;
}) {
  const text = useText();
  const word = choosing && selection === 'none' ? 'choose.choose' : words[selection];
  return (
    <ToggleButton
      className="take"
      data-selection={selection}
      isSelected={selection === 'taken' || selection === 'chosen'}
      onChange={toggle}
      aria-label={`${text(word)}: ${item.name}`}
    >
      <svg className="take-sign" viewBox="0 0 24 24" aria-hidden="true">
        <path
          d={selection === 'taken' || selection === 'chosen' ? 'M5 12.5l5 5 9-10.5' : 'M12 5v14M5 12h14'}
        />
      </svg>
      <Text id={word} />
    </ToggleButton>
  );
}
