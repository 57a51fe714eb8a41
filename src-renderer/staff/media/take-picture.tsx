/**
 * A picture from the camera of this device or from a file.
 *
 * Invariants:
 * - The camera starts only on a button press, and stops after the picture, on close, and after a minute.
 * - The picture goes only to the device.
 */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from 'react-aria-components';
import { LARGEST_PHOTO_BYTES } from '../../../src-main/contract/attachment-limits.ts';
import type { Link } from '../../link/link.ts';
import type { MessageId } from '../../messages/catalogue.ts';
import { Text } from '../../messages/text.tsx';
import type { Camera } from '../../visitor/camera/camera.ts';
import { CameraVideo } from '../../visitor/camera/camera-view.tsx';

/** Creates a camera that only shows its picture. Null if the page has no camera. */
export const PhotoCameraContext = createContext<(() => Camera) | null>(null);

type TakePictureProps = {
  readonly link: Link;
  readonly isBusy: boolean;
  readonly takeLabel: MessageId;
  readonly chooseLabel: MessageId;
  readonly onPicture: (picture: Blob) => void;
  /** The file is too large to be read. */
  readonly onTooLarge: () => void;
  /** Further buttons in the same row. */
  readonly children?: ReactNode;
};

/** The two buttons, and the open camera. */
export function TakePicture({
  link,
  isBusy,
  takeLabel,
  chooseLabel,
  onPicture,
  onTooLarge,
  children,
}: TakePictureProps) {
  const make = useContext(PhotoCameraContext);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="media-buttons">
        {make === null ? null : (
          <Button className="staff-button line-button" isDisabled={isBusy} onPress={() => setOpen(!isOpen)}>
            <Text id={isOpen ? 'media.close' : takeLabel} />
          </Button>
        )}
        <label className="staff-button line-button file-button" data-disabled={isBusy || undefined}>
          <Text id={chooseLabel} />
          <input
            ref={input}
            className="only-heard"
            type="file"
            accept="image/*"
            disabled={isBusy}
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file === undefined) return;
              if (file.size > LARGEST_PHOTO_BYTES) onTooLarge();
              else onPicture(file);
              target.value = '';
            }}
          />
        </label>
        {children}
      </div>
      {isOpen && make !== null ? (
        <OpenCamera
          link={link}
          make={make}
          onPicture={(picture) => {
            setOpen(false);
            onPicture(picture);
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

type OpenCameraProps = {
  readonly link: Link;
  readonly make: () => Camera;
  readonly onPicture: (picture: Blob) => void;
  readonly onClose: () => void;
};

function OpenCamera({ link, make, onPicture, onClose }: OpenCameraProps) {
  const close = useRef(onClose);
  close.current = onClose;
  const [camera] = useState(make);
  const state = useSyncExternalStore(camera.subscribe, camera.state);
  const view = useRef<HTMLDivElement>(null);
  const began = useRef(false);
  useEffect(() => {
    // The shell allows the camera after the device reported that a user wants to take a picture.
    const leave = link.follow(
      (client, signal) => client.leads.attachments.use({ device: 'camera' }, { signal }),
      camera.start,
    );
    return () => {
      leave();
      camera.close();
    };
  }, [link, camera]);
  useEffect(() => {
    if (state.kind === 'off' && began.current) close.current();
    began.current = state.kind === 'on';
  }, [state]);
  // On a phone the button below the picture would be outside the screen.
  useEffect(() => {
    if (state.kind === 'on') view.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [state.kind]);
  const shoot = async (): Promise<void> => {
    const video = view.current?.querySelector('video');
    const picture = video ? await pictureOf(video) : null;
    if (picture !== null) onPicture(picture);
  };
  if (state.kind === 'failed')
    return (
      <div className="media-open">
        <p className="notice" data-tone="wait" role="status">
          <Text id={`media.camera.${state.why}`} />
        </p>
        <Button className="staff-button line-button" onPress={camera.start}>
          <Text id="camera.again" />
        </Button>
      </div>
    );
  return (
    <div className="media-open">
      <div className="media-view" ref={view}>
        <CameraVideo state={state} className="media-picture" />
      </div>
      <div className="media-buttons">
        <Button className="staff-button" isDisabled={state.kind !== 'on'} onPress={() => void shoot()}>
          <Text id="media.shoot" />
        </Button>
        {state.kind === 'on' && state.cameras > 1 ? (
          <Button className="staff-button line-button" onPress={camera.other}>
            <Text id="camera.other" />
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const QUALITY = 0.92;

/** The current frame of a video as JPEG. Null until there is a frame. */
async function pictureOf(video: HTMLVideoElement): Promise<Blob | null> {
  if (video.videoWidth === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
