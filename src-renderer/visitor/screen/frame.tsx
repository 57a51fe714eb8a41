/**
 * What stands around the outcome: whose stand this is, the marks, the footer.
 *
 * Invariants: marks say only what the device said; a long press on the brand opens the staff page, no visitor
 * finds it by accident; nothing here holds visitor data.
 */
import { useRef } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Picture } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import { progressOf } from '../state/session.ts';
import type { View } from '../state/view.ts';
import { BrandTile } from './brand-logo.tsx';
import { LanguageSwitch } from './language-switch.tsx';

/** Whose stand this is. Holding it for a moment calls `onHold`. */
export function Brand({
  device,
  logo,
  onHold,
}: {
  readonly device: DeviceState | null;
  readonly logo: Picture | null;
  readonly onHold: () => void;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = device?.partner?.name ?? device?.event?.name;
  const letGo = () => clearTimeout(timer.current);
  if (!name) return <div className="brand" />;
  return (
    <div
      className="brand"
      onPointerDown={() => {
        letGo();
        timer.current = setTimeout(onHold, staffTimes.longPress);
      }}
      onPointerUp={letGo}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
    >
      <BrandTile name={name} logo={logo} />
      <bdi className="brand-name">{name}</bdi>
    </div>
  );
}

/** Where somebody reads and nothing hurries. */
const asksForLanguage: ReadonlySet<View['kind']> = new Set(['attract', 'firstSync', 'notice', 'choosing']);

/** Upper corner: languages where there is time for them, otherwise the marks of the moment. */
export function Marks({
  snapshot,
  runtime,
}: {
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
}) {
  const { view, waiting } = snapshot;
  const progress = 'session' in view ? progressOf(view.session) : null;
  if (asksForLanguage.has(view.kind)) {
    return <LanguageSwitch onChoose={(language) => runtime.send({ kind: 'language', language })} />;
  }
  return (
    <div className="marks">
      {waiting > 0 ? (
        <span className="mark" data-tone="brand">
          <Text id="mark.queue" values={{ count: waiting }} />
        </span>
      ) : null}
      {progress ? (
        <span className="mark" data-tone="quiet">
          <Text id="question.progress" values={progress} />
        </span>
      ) : null}
      {view.kind === 'captured' ? (
        <span className="mark" data-tone="captured">
          <Text id="captured.saved" />
        </span>
      ) : null}
      {view.kind === 'outOfOrder' || view.kind === 'linkLost' ? (
        <span className="mark" data-tone="quiet">
          <Text
            id="outOfOrder.code"
            values={{ code: view.code, device: snapshot.device?.deviceName ?? '' }}
          />
        </span>
      ) : null}
    </div>
  );
}

type FootProps = {
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
  readonly onStaff: () => void;
};

/** The quiet line below. */
export function Foot({ snapshot, runtime, onStaff }: FootProps) {
  const { view, device } = snapshot;
  const idle = view.kind === 'attract' || view.kind === 'firstSync';
  return (
    <footer className="foot">
      <div className="foot-start">
        {view.kind === 'captured' ? (
          <Text id={view.session.undo === 'offered' ? 'captured.foot' : 'captured.footOver'} />
        ) : null}
        {idle ? (
          <>
            <Text id="attract.foot" />
            <Button className="quiet-button" onPress={() => runtime.send({ kind: 'typeCode' })}>
              <Text id="attract.typeCode" />
            </Button>
          </>
        ) : null}
      </div>
      <div className="foot-end">
        {device?.network === 'offline' && view.kind !== 'linkLost' ? (
          <span className="offline-mark">
            <Text id="mark.offline" />
          </span>
        ) : (
          <Where device={device} />
        )}
        {idle || view.kind === 'outOfOrder' ? (
          <Button className="quiet-button" onPress={onStaff}>
            <Text id="attract.staff" />
          </Button>
        ) : null}
      </div>
    </footer>
  );
}

function Where({ device }: { readonly device: DeviceState | null }) {
  const parts = [device?.event?.name, device?.partner?.stand].filter((part) => typeof part === 'string');
  return (
    <span className="where">
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 ? <span aria-hidden="true"> · </span> : null}
          <bdi>{part}</bdi>
        </span>
      ))}
    </span>
  );
}
