/** The way from an outcome to the content picker. */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { screensFor } from '../state/purposes.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

type OfferProps = {
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
  readonly session: Session;
};

/** There where the partner has contents that the session was not offered yet. */
export function ContentPickerOffer({ snapshot, runtime, session }: OfferProps) {
  const { stand, device } = snapshot;
  const seen = session.steps.some(({ kind }) => kind === 'contentPicker');
  const none = device !== null && screensFor(device.purpose).contentPicker === 'none';
  if (seen || none || !stand || stand.offer.count === 0) return null;
  return (
    <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'openContentPicker' })}>
      <Text id="offer.open" />
    </Button>
  );
}
