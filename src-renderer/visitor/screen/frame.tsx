/**
 * The frame around the outcome: the stand's brand, the status marks, the footer.
 *
 * Invariants:
 * - The mark "saved" is shown only for a captured tap.
 * - A long press on the brand opens the staff pages. Nothing on the screen mentions this.
 * - In the frame, the visitor's name appears only beside the number of contents that the visitor takes.
 */
import { useRef } from 'react';
import { Button } from 'react-aria-components';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Picture } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { type Asking, ComfortBar } from '../comfort/comfort-bar.tsx';
import { LanguageSwitch } from '../comfort/language-switch.tsx';
import { UndoOffer } from '../session/undo-offer.tsx';
import type { DisplayRuntime, Snapshot } from '../state/runtime.ts';
import { progressOf } from '../state/session.ts';
import { sessionOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';
import { saysOffline } from '../wording/wording.ts';
import { BrandSign } from './brand-logo.tsx';
import { ClosingTime } from './closing-time.tsx';

/** The stand's brand. A long press calls `onHold`. */
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
      <BrandSign name={name} logo={logo} />
    </div>
  );
}

/** Views in which the visitor reads a text. */
const asksForLanguage: ReadonlySet<View['kind']> = new Set(['attract', 'firstSync', 'notice', 'choosing']);

/** The upper corner: the languages if there is time to choose one, otherwise the current status marks. */
export function Marks({
  snapshot,
  runtime,
}: {
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
}) {
  const { view, basket, interrupted, waiting } = snapshot;
  const bag =
    view.kind === 'choosing'
      ? (basket?.length ?? 0)
      : 'session' in view
        ? view.session.selections.filter(({ taken }) => taken).length
        : 0;
  // The name is in the headline of an outcome and of the goodbye, and no screen shows it twice.
  const inHeadline = view.kind === 'captured' || view.kind === 'goodbye';
  const whose = 'session' in view && !inHeadline ? view.session.name : null;
  const progress = 'session' in view ? progressOf(view.session) : null;
  if (asksForLanguage.has(view.kind) && view.kind !== 'choosing') {
    return <LanguageSwitch onChoose={(language) => runtime.send({ kind: 'language', language })} />;
  }
  return (
    <div className="marks">
      {interrupted ? (
        <span className="mark mark-note" data-tone={interrupted === 'kept' ? 'quiet' : 'wait'}>
          <Text id={`mark.${interrupted}`} />
        </span>
      ) : null}
      {bag > 0 ? (
        <span className="mark" data-tone="captured">
          {whose ? (
            <>
              <bdi className="mark-name" dir="auto">
                {whose}
              </bdi>
              <span aria-hidden="true"> · </span>
            </>
          ) : null}
          <Text id={view.kind === 'choosing' ? 'choose.count' : 'offer.count'} values={{ count: bag }} />
        </span>
      ) : null}
      {progress ? (
        <span className="mark" data-tone="quiet">
          <Text id="question.progress" values={progress} />
        </span>
      ) : null}
      {/* The next visitor sees that their tap arrived; nothing says whose it is. */}
      {waiting > 0 ? (
        <span className="mark mark-queue" data-tone="brand">
          <Text id="mark.queue" />
        </span>
      ) : null}
      {view.kind === 'captured' && bag === 0 && !interrupted && waiting === 0 ? (
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

/** Views that the visitor may end at once, without waiting for their timeout. */
const endsAtOnce: ReadonlySet<View['kind']> = new Set<View['kind']>([
  'captured',
  'goodbye',
  'choosing',
  'notAdmitted',
  'notRead',
  'refused',
  'failed',
  'undone',
]);

/** The button that ends a session or an outcome, in the same corner on every screen. */
export function WayOut({ view, runtime }: { readonly view: View; readonly runtime: DisplayRuntime }) {
  const inSteps = view.kind === 'consent' || view.kind === 'question' || view.kind === 'contentPicker';
  if (!inSteps && !endsAtOnce.has(view.kind)) return null;
  return (
    <Button className="pill way-out" onPress={() => runtime.send({ kind: inSteps ? 'leave' : 'dismiss' })}>
      <Text id={view.kind === 'choosing' ? 'typing.cancel' : 'common.done'} />
    </Button>
  );
}

type FootProps = {
  readonly snapshot: Snapshot;
  readonly runtime: DisplayRuntime;
  readonly asking: Asking;
  readonly onStaff: () => void;
};

/**
 * The footer: "take it back" in the same place from the tap to the goodbye, and the comfort icons, except on the idle
 * screen.
 */
export function Foot({ snapshot, runtime, asking, onStaff }: FootProps) {
  const { view, device, now, stand } = snapshot;
  const session = 'since' in view ? sessionOf(view) : null;
  const idle = view.kind === 'attract' || view.kind === 'firstSync';
  return (
    <footer className="foot">
      <div className="foot-start">
        {session ? <UndoOffer session={session} runtime={runtime} now={now} /> : null}
        {session?.undo === 'offered' && view.kind === 'captured' ? <Text id="captured.foot" /> : null}
        {session?.undo === 'expired' ? (
          // The sentence with the address is one message.
          <span>
            <Text id="undo.over" values={withdrawal(stand?.notice?.link ?? null)} />
          </span>
        ) : null}
        {idle ? (
          <>
            <Text id={device?.cardService === 'off' ? 'attract.footScan' : 'attract.foot'} />
            <Button className="quiet-button" onPress={() => runtime.send({ kind: 'typeCode' })}>
              <Text id="attract.typeCode" />
            </Button>
          </>
        ) : null}
      </div>
      <div className="foot-end">
        <ClosingTime view={view} now={now} />
        {saysOffline(view, device) ? (
          <span className="offline-mark">
            <Text id="mark.offline" />
          </span>
        ) : session || view.kind === 'choosing' || view.kind === 'notice' ? null : (
          <Where device={device} />
        )}
        {idle || view.kind === 'outOfOrder' ? (
          <Button className="quiet-button" onPress={onStaff}>
            <Text id="attract.staff" />
          </Button>
        ) : null}
        {idle ? null : (
          <ComfortBar
            view={view}
            asking={asking}
            onLanguage={(language) => runtime.send({ kind: 'language', language })}
          />
        )}
      </div>
    </footer>
  );
}

/** The written address of the stand's privacy page, if there is one. */
function withdrawal(link: string | null): { readonly withLink: 'yes' | 'no'; readonly link: string } {
  const host = link === null ? '' : (URL.parse(link)?.host.replace(/^www\./, '') ?? '');
  return { withLink: host === '' ? 'no' : 'yes', link: host };
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
