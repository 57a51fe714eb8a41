/**
 * Where the renderer begins: link, display, sound, page. Holds no rules of its own.
 */
import '@fontsource-variable/figtree/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/visitor.css';
import './styles/controls.css';
import './styles/ring.css';
import './styles/ring-motion.css';
import './styles/staff.css';
import './styles/staff-leads.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createLink } from './link.ts';
import { followTheme } from './theme/theme.ts';
import { runDisplay } from './visitor/runtime.ts';
import { listenForScanner } from './visitor/scanner.ts';
import { createSoundBox } from './visitor/sounds.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root element');

const now = () => performance.now();
const link = createLink(window);
const runtime = runDisplay(link, now);
followTheme(window);
listenForScanner(window, now, (code) => runtime.enter(code, 'wedge'));
createRoot(root).render(
  <StrictMode>
    <App
      link={link}
      runtime={runtime}
      sounds={createSoundBox(window.localStorage)}
      deviceLanguages={navigator.languages}
    />
  </StrictMode>,
);
