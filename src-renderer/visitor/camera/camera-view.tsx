/**
 * The camera on the visitor's screen: its picture inside the ring, its prompt, and its controls.
 *
 * Invariants:
 * - Present only if the stand enables it.
 * - The picture is shown only on the idle screen. A tap hides it, but the camera stays on. Opening the staff pages
 *   stops the camera.
 * - One control both starts and closes the camera, so the focus does not move.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text } from '../../messages/text.tsx';
import type { Camera, CameraFailure, CameraState } from './camera.ts';

const failures: Readonly<Record<CameraFailure, MessageId>> = {
  refused: 'camera.refused',
  missing: 'camera.missing',
  busy: 'camera.busy',
  lost: 'camera.lost',
};

/** The state of the camera. The camera is closed when it is not `wanted`, and on unmounting. */
export function useCamera(camera: Camera, wanted: boolean): CameraState {
  const state = useSyncExternalStore(camera.subscribe, camera.state);
  useEffect(() => {
    if (!wanted) return;
    return camera.close;
  }, [camera, wanted]);
  return state;
}

/** The picture inside the ring. Empty while the camera is off. */
export function CameraPicture({ state }: { readonly state: CameraState }) {
  if (state.kind !== 'on') return null;
  return (
    <div className="camera" aria-hidden="true">
      <CameraVideo state={state} className="camera-picture" />
    </div>
  );
}

/** The live picture. Empty while the camera is off. */
export function CameraVideo({
  state,
  className,
}: {
  readonly state: CameraState;
  readonly className: string;
}) {
  const stream = state.kind === 'on' ? state.stream : null;
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  if (state.kind !== 'on') return null;
  return (
    <video ref={video} className={className} data-mirrored={state.mirrored} autoPlay muted playsInline />
  );
}

/** The prompt, or the reason why there is no picture. */
export function CameraNote({ state }: { readonly state: CameraState }) {
  const id = noteOf(state);
  return (
    <p className="camera-note" role="status" data-failed={state.kind === 'failed'}>
      {id ? <Text id={id} /> : null}
    </p>
  );
}

function noteOf(state: CameraState): MessageId | null {
  switch (state.kind) {
    case 'off':
      return null;
    case 'starting':
      return 'camera.starting';
    case 'on':
      return 'camera.hold';
    case 'failed':
      return failures[state.why];
  }
}

/** The control to start or close, and the one to switch to another camera if there is one. */
export function CameraControls({ camera, state }: { readonly camera: Camera; readonly state: CameraState }) {
  const running = state.kind === 'on' || state.kind === 'starting';
  const label = running ? 'camera.close' : state.kind === 'failed' ? 'camera.again' : 'camera.start';
  return (
    <>
      <Button className="pill tool" onPress={running ? camera.close : camera.start}>
        <svg className="tool-icon" viewBox="0 0 24 24" aria-hidden="true">
          {running ? (
            <path d="M6 6l12 12M18 6L6 18" />
          ) : (
            <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9 9h6v6H9z" />
          )}
        </svg>
        <Text id={label} />
      </Button>
      {state.kind === 'on' && state.cameras > 1 ? (
        <Button className="pill tool" onPress={camera.other}>
          <Text id="camera.other" />
        </Button>
      ) : null}
    </>
  );
}
