/**
 * "Are you still there?": one button. The ring shows the seconds left.
 *
 * Invariants:
 * - The button has the focus, so that one touch or one key is enough.
 * - A screen reader can read the seconds left.
 */
import { Button } from 'react-aria-components';
import { Text, useText } from '../../messages/text.tsx';
import { useSecondsLeft } from '../../widgets/countdown.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';

/** The prompt; `left`: the time left in milliseconds. */
export function IdlePrompt({ left, runtime }: { readonly left: number; readonly runtime: DisplayRuntime }) {
  const text = useText();
  const seconds = useSecondsLeft(left);
  return (
    <>
      <p className="only-heard" role="timer">
        {text('idlePrompt.seconds', { seconds })}
      </p>
      <div className="actions">
        <Button
          className="pill action action-strong action-huge"
          autoFocus
          onPress={() => runtime.send({ kind: 'stay' })}
        >
          <Text id="idlePrompt.more" />
        </Button>
      </div>
    </>
  );
}
