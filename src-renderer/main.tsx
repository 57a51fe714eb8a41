/** Entry point of the renderer: creates link, display, sound and page, or the page of a phone. Contains no rules. */
import './styles.ts';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createLink, isOnPhone } from './link/link.ts';
import { languages } from './messages/catalogue.ts';
import { PhoneApp } from './phone/phone-app.tsx';
import { createSoundPlayer } from './sound/sound-player.ts';
import { addressOf, goTo, keepPlaceInMemory } from './staff/address/address.ts';
import { followEntry } from './staff/entry/entry.ts';
import { pinPlace } from './staff/entry/pin-place.ts';
import { PhotoCameraContext } from './staff/media/take-picture.tsx';
import { CameraContext } from './staff/setup/code-camera.tsx';
import { lookUpFallbackFonts } from './theme/fallback-fonts.ts';
import { followRoom } from './theme/show-room.ts';
import { followTheme } from './theme/theme.ts';
import { createCamera } from './visitor/camera/camera.ts';
import { codeReaders } from './visitor/camera/camera-reader.ts';
import { listenForScanner } from './visitor/input/scanner.ts';
import { createVoice } from './visitor/speech/voice.ts';
import { runDisplay } from './visitor/state/runtime.ts';

const now = () => performance.now();
const link = createLink(window);
const openReader = codeReaders(window);
const makePhotoCamera = () =>
  createCamera({
    ...{ media: navigator.mediaDevices, memory: window.localStorage, openReader: null, now },
    found: () => undefined,
  });
followTheme(window);
followRoom(window);
if (isOnPhone(window)) showPhone();
else showDisplay();

function showPhone(): void {
  keepPlaceInMemory(window);
  const entry = followEntry({ link, now, isPhone: true, open: () => undefined, leave: () => undefined });
  render(<PhoneApp link={link} entry={entry} languages={navigator.languages} />);
}

function showDisplay(): void {
  const entry = followEntry({
    link,
    now,
    isPhone: false,
    open: () => goTo(addressOf('leads')),
    leave: () => goTo(''),
  });
  const runtime = runDisplay(link, now, entry.hearTap);
  const makeCamera = (found: (code: string) => void) =>
    createCamera({ media: navigator.mediaDevices, memory: window.localStorage, openReader, now, found });
  listenForScanner(window, now, (code) => runtime.enter(code, 'wedge'), pinPlace(document));
  render(
    <CameraContext value={makeCamera}>
      <App
        link={link}
        runtime={runtime}
        camera={makeCamera((code) => runtime.enter(code, 'qr'))}
        sounds={createSoundPlayer(window.localStorage)}
        voice={createVoice(window)}
        entry={entry}
        deviceLanguages={navigator.languages}
      />
    </CameraContext>,
  );
  lookUpFallbackFonts(
    window,
    languages.map(({ tag }) => tag),
  );
}

function render(app: ReactNode): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no root element');
  createRoot(root).render(
    <StrictMode>
      <PhotoCameraContext value={makePhotoCamera}>{app}</PhotoCameraContext>
    </StrictMode>,
  );
}
