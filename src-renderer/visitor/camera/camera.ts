/**
 * The camera as a reader of QR codes: started by a touch, stopped by a touch or after a minute without a code.
 *
 *   off ─start─► starting ─► on ─► off (closed, a minute without a code)
 *                   │         └──► failed: lost
 *                   └──► failed: refused | missing | busy          failed ─start─► starting
 *
 * Invariants:
 * - Pictures are taken only in the state `on`. In `off` and `failed` the camera light is off.
 * - Each code is reported once while it stays in view (camera-codes.ts). Pictures never leave the page.
 * - `state` is replaced, never mutated.
 */
import { cameraTimes } from '../../times.ts';
import { type InView, look } from './camera-codes.ts';
import type { CodeReader } from './camera-reader.ts';

/** Why there is no picture: permission denied, no camera, camera in use, or camera lost. */
export type CameraFailure = 'refused' | 'missing' | 'busy' | 'lost';

export type CameraState =
  | { readonly kind: 'off' }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'on';
      readonly stream: MediaStream;
      /** Number of cameras to choose from. */
      readonly cameras: number;
      /** The picture is mirrored if the camera faces the person. */
      readonly mirrored: boolean;
    }
  | { readonly kind: 'failed'; readonly why: CameraFailure };

export type Camera = {
  readonly state: () => CameraState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly start: () => void;
  /** Switches to the next camera of this device and stores the choice. */
  readonly other: () => void;
  readonly close: () => void;
};

export type CameraPorts = {
  readonly media: MediaDevices;
  readonly memory: Storage;
  /** Null if the picture is only shown and no code is read. */
  readonly openReader: (() => CodeReader) | null;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Receives each code that is held into view. */
  readonly found: (text: string) => void;
};

/** Preferred sizes in pixels. A code is large, but the letters of a card are small. */
const codeSides = { width: 1280, height: 720 };
const photoSides = { width: 1920, height: 1080 };

const storageKey = 'touchpoint.camera';

/** A camera in the state `off`. */
export function createCamera({ media, memory, openReader, now, found }: CameraPorts): Camera {
  const listeners = new Set<() => void>();
  let state: CameraState = { kind: 'off' };
  /** Stops the current run. A stop or another start aborts the `stop` signal of the earlier start. */
  let stop = new AbortController();

  const become = (next: CameraState) => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const end = (next: CameraState) => {
    stop.abort();
    become(next);
  };

  const start = async () => {
    end({ kind: 'starting' });
    stop = new AbortController();
    const { signal } = stop;
    try {
      const stream = await openStream(
        media,
        memory.getItem(storageKey),
        openReader === null ? photoSides : codeSides,
      );
      signal.addEventListener('abort', () => stopTracks(stream));
      if (signal.aborted) return stopTracks(stream);
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', () => signal.aborted || end({ kind: 'failed', why: 'lost' }));
      const cameras = (await camerasOf(media)).length;
      if (signal.aborted) return;
      const mirrored = track?.getSettings().facingMode !== 'environment';
      become({ kind: 'on', stream, cameras, mirrored });
      if (openReader === null) await forAMinute(signal);
      else await readCodes(stream, { openReader, now, found }, signal);
      if (!signal.aborted) end({ kind: 'off' });
    } catch (error) {
      if (!signal.aborted) end({ kind: 'failed', why: failureOf(error) });
    }
  };

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    start: () => void start(),
    other: () => {
      if (state.kind !== 'on') return;
      const used = state.stream.getVideoTracks()[0]?.getSettings().deviceId;
      camerasOf(media).then(
        (cameras) => {
          const at = cameras.findIndex(({ deviceId }) => deviceId === used);
          const next = cameras[(at + 1) % cameras.length];
          if (next) memory.setItem(storageKey, next.deviceId);
          void start();
        },
        () => end({ kind: 'failed', why: 'missing' }),
      );
    },
    close: () => end({ kind: 'off' }),
  };
}

/** Reads codes from the stream until it ends, or until no code was in view for a minute. */
async function readCodes(
  stream: MediaStream,
  { openReader, now, found }: Pick<CameraPorts, 'now' | 'found'> & { readonly openReader: () => CodeReader },
  signal: AbortSignal,
): Promise<void> {
  let shownAt = now();
  const reader = openReader();
  const video = document.createElement('video');
  signal.addEventListener('abort', () => {
    reader.end();
    video.srcObject = null;
  });
  video.muted = true;
  video.srcObject = stream;
  await video.play();
  let inView: InView = null;
  while (now() - shownAt < cameraTimes.idle) {
    // A moment without a picture is treated as one without a code. If the camera is lost, its track reports that.
    const picture = await createImageBitmap(video).catch(() => null);
    const text = picture && (await reader.read(picture));
    if (signal.aborted) return;
    const seen = look(inView, text, now());
    inView = seen.inView;
    if (inView) shownAt = inView.at;
    if (seen.shown !== null) found(seen.shown);
    await new Promise((resolve) => setTimeout(resolve, cameraTimes.pause));
    if (signal.aborted) return;
  }
}

/** Resolves after the idle time of a camera, or when `signal` aborts. */
function forAMinute(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, cameraTimes.idle);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The stored camera if it still exists, otherwise the browser's choice. */
async function openStream(
  media: MediaDevices,
  deviceId: string | null,
  sides: { readonly width: number; readonly height: number },
): Promise<MediaStream> {
  const size = { width: { ideal: sides.width }, height: { ideal: sides.height } };
  const any = () => media.getUserMedia({ audio: false, video: size });
  if (deviceId === null) return any();
  return media
    .getUserMedia({ audio: false, video: { ...size, deviceId: { exact: deviceId } } })
    .catch((error: unknown) => {
      if (failureOf(error) === 'missing') return any();
      throw error;
    });
}

async function camerasOf(media: MediaDevices): Promise<readonly MediaDeviceInfo[]> {
  return (await media.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Error names as in Media Capture and Streams, section 10.2 (getUserMedia). */
export function failureOf(error: unknown): CameraFailure {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing';
  return 'busy';
}
