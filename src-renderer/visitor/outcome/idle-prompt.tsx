/**
 * "Are you still there?": the seconds left and one button.
 *
 * Invariant: the button has the focus, so that one touch or one key is enough.
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
      <p className="seconds-left" role="timer">
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
