/**
 * Where the renderer begins: link, display, sound, page. Holds no rules of its own.
 */
import '@fontsource-variable/figtree/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/visitor.css';
import './styles/controls.css';
import './styles/visit.css';
import './styles/notice.css';
import './styles/visit-answers.css';
import './styles/offer.css';
import './styles/keyboard.css';
import './styles/ring.css';
import './styles/ring-motion.css';
import './styles/attract.css';
import './styles/camera.css';
import './styles/staff.css';
import './styles/staff-leads.css';
import './styles/comfort.css';
import './styles/low-reach.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createLink } from './link.ts';
import { followTheme } from './theme/theme.ts';
import { createCamera } from './visitor/camera.ts';
import { codeReaders } from './visitor/camera-reader.ts';
import { runDisplay } from './visitor/runtime.ts';
import { listenForScanner } from './visitor/scanner.ts';
import { createSoundBox } from './visitor/sounds.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root element');

const now = () => performance.now();
const link = createLink(window);
const runtime = runDisplay(link, now);
followTheme(window);
const camera = createCamera({
  media: navigator.mediaDevices,
  memory: window.localStorage,
  openReader: codeReaders(window),
  now,
  found: (code) => runtime.enter(code, 'qr'),
});
listenForScanner(window, now, (code) => runtime.enter(code, 'wedge'));
createRoot(root).render(
  <StrictMode>
    <App
      link={link}
      runtime={runtime}
      camera={camera}
      sounds={createSoundBox(window.localStorage)}
      deviceLanguages={navigator.languages}
    />
  </StrictMode>,
);
