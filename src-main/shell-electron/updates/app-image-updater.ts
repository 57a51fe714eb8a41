/**
 * electron-updater, as far as it is used: it reads the feed and fetches the file, in pieces where the feed has them.
 *
 * Invariants: it speaks to the network through Node.js: its own way is a session of Electron, and ours load nothing but the page
 * (`policies/navigation.ts`); it installs nothing, asks nobody, and writes only below the shell's own folder.
 */
import { writeFileSync } from 'node:fs';
import {
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import type { ShellUpdater } from './updates.ts';

export type UpdaterPlace = {
  /** Base address of the feed. */
  readonly feed: string;
  /** Version of this app. */
  readonly version: string;
  /** Folder of the shell's own files. */
  readonly folder: string;
};

/** Loads electron-updater, which nothing else does. Needs `APPIMAGE` in the environment. @throws what the disk says */
export async function createAppImageUpdater(place: UpdaterPlace): Promise<ShellUpdater> {
  const { AppImageUpdater } = await import('electron-updater');
  const updater = new AppImageUpdater(null, adapterOf(place));
  Object.assign(updater, { httpExecutor: await nodeExecutor() });
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.logger = null;
  // Whom an update is for is decided once, by us.
  updater.isUserWithinRollout = () => true;
  updater.setFeedURL({ provider: 'generic', url: place.feed });
  return {
    offered: async () => (await updater.checkForUpdates())?.updateInfo ?? null,
    fetch: async () => {
      const [file] = await updater.downloadUpdate().catch((error: unknown) => {
        if ((error as { code?: unknown }).code === 'ERR_CHECKSUM_MISMATCH') return [];
        throw error;
      });
      return file ?? null;
    },
  };
}

/** What electron-updater asks of the app. It never gets to quit or start it. */
function adapterOf({ version, folder }: UpdaterPlace) {
  const configuration = join(folder, 'app-update.yml');
  writeFileSync(configuration, 'updaterCacheDirName: updates\n');
  return {
    ...{ version, name: 'touchpoint', isPackaged: true, appUpdateConfigPath: configuration },
    ...{ userDataPath: folder, baseCachePath: folder },
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
}

/** electron-builder's own way over Node.js (`builder-util`, NodeHttpExecutor), which is not among what apps are given. */
async function nodeExecutor() {
  const { configureRequestOptions, configureRequestUrl, HttpExecutor } = await import('builder-util-runtime');
  type Downloading = Parameters<InstanceType<typeof HttpExecutor>['downloadToBuffer']>[1];
  return new (class extends HttpExecutor<ClientRequest> {
    createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void) {
      // electron-builder's code adds a listener to the socket of each request, so none is used again.
      const asked = { ...options, agent: false as const };
      return (options.protocol === 'http:' ? plainRequest : secureRequest)(asked, callback);
    }

    download(url: URL, destination: string, options: Downloading): Promise<string> {
      return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
        const asked: RequestOptions = options.headers ? { headers: options.headers } : {};
        configureRequestUrl(url, asked);
        configureRequestOptions(asked);
        // At the end it is called with nothing, whatever its type says.
        const callback = (error: Error | null) =>
          error instanceof Error ? reject(error) : resolve(destination);
        this.doDownload(asked, { destination, options, onCancel, callback, responseHandler: null }, 0);
      });
    }
  })();
}
