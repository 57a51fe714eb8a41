/**
 * Reads the code on a hub's sheet, or on a laptop that shares, with the camera of this device.
 *
 * Invariants:
 * - The camera starts only on a button press. It stops after a minute without a code, when a code was accepted, and
 *   when the part is closed.
 * - The code goes only to the device.
 * - Without a camera, the page says what to do instead.
 */
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import type { Link } from '../../link/link.ts';
import { Text } from '../../messages/text.tsx';
import type { Camera, CameraState } from '../../visitor/camera/camera.ts';
import { CameraVideo } from '../../visitor/camera/camera-view.tsx';
import { Heard } from './fields.tsx';

/** Creates a camera that reports each code. */
export type MakeCamera = (found: (code: string) => void) => Camera;

/** The camera of the page; null if there is none. */
export const CameraContext = createContext<MakeCamera | null>(null);

type CodeCameraProps = {
  readonly link: Link;
  readonly make: MakeCamera;
  /** Receives each code. */
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
};

/** The button that opens and closes the camera, and the camera while it is open. Both are null if the page has none. */
export function useCodeCamera(
  link: Link,
  onCode: (code: string) => void,
  label: 'setup.codeRead' | 'setup.sharing.scan' = 'setup.codeRead',
) {
  const make = useContext(CameraContext);
  const [isOpen, setOpen] = useState(false);
  if (make === null) return { button: null, camera: null, close: () => undefined };
  const close = () => setOpen(false);
  return {
    close,
    button: (
      <Button className="staff-button line-button" onPress={() => setOpen(!isOpen)}>
        <Text id={isOpen ? 'setup.codeClose' : label} />
      </Button>
    ),
    camera: isOpen ? <CodeCamera {...{ link, make, onCode }} onClose={close} /> : null,
  };
}

function CodeCamera({ link, make, onCode, onClose }: CodeCameraProps) {
  const hear = useRef({ onCode, onClose });
  hear.current = { onCode, onClose };
  const [camera] = useState(() => make((code) => hear.current.onCode(code)));
  const state = useSyncExternalStore(camera.subscribe, camera.state);
  const began = useRef(false);
  useEffect(() => {
    // The shell allows the camera after the device reported that a user wants to read a code.
    const leave = link.follow((client, signal) => client.setup.camera(undefined, { signal }), camera.start);
    return () => {
      leave();
      camera.close();
    };
  }, [link, camera]);
  useEffect(() => {
    // The camera stops after one minute without a code.
    if (state.kind === 'off' && began.current) hear.current.onClose();
    began.current = state.kind === 'on';
  }, [state]);
  return (
    <div className="code-camera">
      {state.kind === 'failed' ? null : (
        <div className="code-view" aria-hidden="true">
          <CameraVideo state={state} className="code-picture" />
        </div>
      )}
      {state.kind === 'failed' ? (
        <Heard tone="wait">
          <Text id={`setup.code.${state.why}`} />
        </Heard>
      ) : (
        <p className="setup-hint" role="status">
          <Text id={noteOf(state)} />
        </p>
      )}
      <div className="setup-row">
        {state.kind === 'failed' ? (
          <Button className="staff-button" onPress={camera.start}>
            <Text id="camera.again" />
          </Button>
        ) : null}
        {state.kind === 'on' && state.cameras > 1 ? (
          <Button className="staff-button line-button" onPress={camera.other}>
            <Text id="camera.other" />
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function noteOf({ kind }: CameraState) {
  return kind === 'on' ? ('setup.code.hold' as const) : ('camera.starting' as const);
}
