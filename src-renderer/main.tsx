/** Entry point of the renderer: creates link, display, sound and page. Contains no rules. */
import './styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createLink } from './link/link.ts';
import { languages } from './messages/catalogue.ts';
import { createSoundPlayer } from './sound/sound-player.ts';
import { addressOf, goTo } from './staff/address/address.ts';
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

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root element');

const now = () => performance.now();
const link = createLink(window);
const entry = followEntry({ link, now, open: () => goTo(addressOf('leads')), leave: () => goTo('') });
const runtime = runDisplay(link, now, entry.hearTap);
followTheme(window);
followRoom(window);
const openReader = codeReaders(window);
const makeCamera = (found: (code: string) => void) =>
  createCamera({ media: navigator.mediaDevices, memory: window.localStorage, openReader, now, found });
const makePhotoCamera = () =>
  createCamera({
    ...{ media: navigator.mediaDevices, memory: window.localStorage, openReader: null, now },
    found: () => undefined,
  });
const camera = makeCamera((code) => runtime.enter(code, 'qr'));
listenForScanner(window, now, (code) => runtime.enter(code, 'wedge'), pinPlace(document));
createRoot(root).render(
  <StrictMode>
    <CameraContext value={makeCamera}>
      <PhotoCameraContext value={makePhotoCamera}>
        <App
          link={link}
          runtime={runtime}
          camera={camera}
          sounds={createSoundPlayer(window.localStorage)}
          voice={createVoice(window)}
          entry={entry}
          deviceLanguages={navigator.languages}
        />
      </PhotoCameraContext>
    </CameraContext>
  </StrictMode>,
);
lookUpFallbackFonts(
  window,
  languages.map(({ tag }) => tag),
);
