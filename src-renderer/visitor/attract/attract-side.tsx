/**
 * The area beside the prompt to tap: the attract loop, the camera's picture, and the tools below.
 *
 * Invariants:
 * - Everything disappears as soon as there is a tap.
 * - The tools are in the lower part of the screen, within short reach.
 */
import type { Camera } from '../camera/camera.ts';
import { CameraControls, CameraNote, CameraPicture, useCamera } from '../camera/camera-view.tsx';
import type { Asking } from '../comfort/comfort-bar.tsx';
import { ComfortSwitch } from '../comfort/comfort-switch.tsx';
import { SpeechToggle } from '../speech/speech-control.tsx';
import type { Snapshot } from '../state/runtime.ts';
import { AttractLoop, LoopControl, useLoop } from './attract-loop-view.tsx';

/** The area beside the ring on the idle screen. Another view hides it, but the camera stays on. */
export function AttractSide({
  snapshot,
  camera,
  asking,
}: {
  readonly snapshot: Snapshot;
  readonly camera: Camera;
  readonly asking: Asking;
}) {
  const { view, stand } = snapshot;
  const working = view.kind !== 'linkLost' && view.kind !== 'outOfOrder' && view.kind !== 'connecting';
  const wantsCamera = working && (stand?.screen.camera ?? false);
  const cameraState = useCamera(camera, wantsCamera);
  const loop = useLoop(stand?.attract ?? []);
  if (view.kind !== 'attract' && view.kind !== 'firstSync') return null;
  const showsLoop = view.kind === 'attract' && cameraState.kind !== 'on';
  return (
    <>
      {showsLoop ? <AttractLoop state={loop} /> : null}
      <CameraPicture state={cameraState} />
      <div className="tools">
        {wantsCamera ? <CameraNote state={cameraState} /> : null}
        <div className="tool-row">
          {wantsCamera ? <CameraControls camera={camera} state={cameraState} /> : null}
          {showsLoop ? <LoopControl state={loop} /> : null}
          <SpeechToggle speech={asking.speech} short={false} />
          <ComfortSwitch asking={asking} short={false} />
        </div>
      </div>
    </>
  );
}
