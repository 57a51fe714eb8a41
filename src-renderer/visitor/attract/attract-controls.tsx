/**
 * Controls below the prompt to tap: the notice, the activity, and the choice of contents before a tap.
 *
 * Invariant: if the stand has a notice, it is here, because visitors tap on this screen.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { NoticeBrief } from '../notice/notice-brief.tsx';
import { ActivityFacts } from '../outcome/activity-facts.tsx';
import { mayChooseFirst } from '../state/offers.ts';
import { screensFor } from '../state/purposes.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';

type ControlsProps = { readonly snapshot: Snapshot; readonly runtime: DisplayRuntime };

/** The controls of the attract screen. */
export function AttractControls({ snapshot, runtime }: ControlsProps) {
  const { device, stand } = snapshot;
  const screens = device && screensFor(device.purpose);
  const checksIn = screens?.attract === 'activity';
  return (
    <>
      {checksIn && stand?.activity ? (
        <ActivityFacts activity={stand.activity} snapshot={snapshot} seats />
      ) : null}
      {stand?.notice ? (
        <NoticeBrief notice={stand.notice} runtime={runtime} />
      ) : checksIn ? null : (
        <ul className="chips">
          {device?.partner ? (
            <li>
              <Text id="attract.onlyPartner" values={{ partner: device.partner.name }} />
            </li>
          ) : null}
          <li>
            <Text id="attract.takeBack" />
          </li>
        </ul>
      )}
      {mayChooseFirst(stand, device) ? (
        <div className="actions">
          <Button className="pill action action-strong" onPress={() => runtime.send({ kind: 'choose' })}>
            <Text id="choose.open" />
          </Button>
        </div>
      ) : null}
    </>
  );
}
