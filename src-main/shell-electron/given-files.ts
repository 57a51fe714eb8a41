/**
 * Files that the system opens with the app: at its start, by a second start, or by an event of macOS.
 *
 * Invariants:
 * - The latest file is kept until the core is ready. It is sent once, even if the core restarts.
 * - A demo has no device to set up. If a file arrives during a demo, the app restarts without the demo.
 */
import { givenFile } from '../launch/options.ts';
import type { ShellApp } from './electron-api.ts';

export type GivenFiles = { readonly coreIsReady: () => void };

/** Listens at once, because macOS reports a file before the app is ready. */
export function followGivenFiles({
  app,
  first,
  isDemo,
  isReady,
  give,
  beginAgain,
  front,
}: {
  readonly app: Pick<ShellApp, 'on'>;
  /** The file of this start, or null. */
  readonly first: string | null;
  readonly isDemo: boolean;
  readonly isReady: () => boolean;
  /** Sends the file to the core. */
  readonly give: (path: string) => void;
  /** Restarts the app with the file. */
  readonly beginAgain: (path: string) => void;
  /** Brings the window to the front. */
  readonly front: () => void;
}): GivenFiles {
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
