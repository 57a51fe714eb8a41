/**
 * The list of keyboard shortcuts beside the staff page. The shortcuts work while it is open.
 *
 * Invariant: `?` shows and hides it; Escape hides it.
 */
import { Button } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';
import { useKeys } from '../parts/keys.ts';

const keys = [
  { keys: ['↑', '↓'], id: 'keys.move' },
  { keys: ['1–5'], id: 'keys.rate' },
  { keys: ['0'], id: 'keys.unrate' },
  { keys: ['N'], id: 'keys.next' },
  { keys: ['E'], id: 'keys.note' },
  { keys: ['U'], id: 'edit.undoLast' },
  { keys: ['X'], id: 'keys.select' },
  { keys: ['/'], id: 'keys.search' },
  { keys: ['Ctrl', 'K'], id: 'palette.title' },
  { keys: ['Esc'], id: 'keys.leave' },
  { keys: ['?'], id: 'keys.show' },
] as const;

/** The list. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  useKeys({ Escape: onClose });
  return (
    <aside className="key-list" aria-label={text('keys.title')}>
      <header>
        <h2>
          <Text id="keys.title" />
        </h2>
        <Button className="mini-button" onPress={onClose}>
          <Text id="common.close" />
        </Button>
      </header>
      <dl>
        {keys.map(({ keys: pressed, id }) => (
          <div key={id}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key === 'Ctrl' ? text('keys.ctrl') : key}</kbd>
              ))}
            </dt>
            <dd>
              <Text id={id} />
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
