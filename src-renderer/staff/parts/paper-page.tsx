/**
 * A page made for printing: its title, its actions, and the sheet.
 *
 * Invariant: the head is never printed (`print.css`).
 */
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';

/** The page. `back`: the link back, if there is one; `hasPaper`: whether there is something to print. */
export function PaperPage({
  heading,
  back = null,
  hasPaper = true,
  children,
}: {
  readonly heading: 'staff.sheet' | 'rehearsal.title';
  readonly back?: { readonly word: 'rehearsal.back'; readonly go: () => void } | null;
  readonly hasPaper?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="sheet-page">
      <header className="staff-head sheet-tools">
        <div className="staff-title">
          <h1>
            <Text id={heading} />
          </h1>
          {back === null ? null : (
            <Button className="staff-button line-button title-end" onPress={back.go}>
              <Text id={back.word} />
            </Button>
          )}
          {hasPaper ? (
            <Button
              className={`staff-button${back === null ? ' title-end' : ''}`}
              onPress={() => window.print()}
            >
              <Text id="staff.print" />
            </Button>
          ) : null}
        </div>
      </header>
      {children}
    </div>
  );
}
