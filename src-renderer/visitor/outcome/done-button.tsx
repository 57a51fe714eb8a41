/** Ends what is shown. */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';

/** "Done". */
export function DoneButton({ runtime }: { readonly runtime: DisplayRuntime }) {
  return (
    <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'dismiss' })}>
      <Text id="common.done" />
    </Button>
  );
}
