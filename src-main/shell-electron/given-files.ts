/**
 * Files that the system hands to the app: at its start, by a second start, by macOS; each goes to the core that runs.
 *
 * Invariants: a file waits for a core that can take it, and goes to one core once; a start that shows the demo has no device
 * to set up, so the app begins again for a stand.
 */
import { givenFile } from '../launch/options.ts';
import type { ShellApp } from './electron-api.ts';

type Ports = {
  readonly app: Pick<ShellApp, 'on'>;
  /** The file of this start, or null. */
  readonly first: string | null;
  readonly isDemo: boolean;
  readonly isReady: () => boolean;
  /** Hands it to the core. */
  readonly give: (path: string) => void;
  /** Begins the app again with it. */
  readonly beginAgain: (path: string) => void;
  /** Brings the window to the front. */
  readonly front: () => void;
};

export type GivenFiles = { readonly coreIsReady: () => void };

/** Listens from now on; macOS tells of a file before the app is ready. */
export function followGivenFiles({
  app,
  first,
  isDemo,
  isReady,
  give,
  beginAgain,
  front,
}: Ports): GivenFiles {
  let waiting = first;
  const flush = (): void => {
    const path = waiting;
    if (path === null || !isReady()) return;
    waiting = null;
    give(path);
  };
  const take = (path: string | null): void => {
    if (path !== null && isDemo) beginAgain(path);
    else if (path !== null) {
      waiting = path;
      flush();
    }
  };
  app.on('second-instance', (_event, args, folder) => {
    front();
    take(givenFile(args, folder));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take(path);
  });
  return { coreIsReady: flush };
}
