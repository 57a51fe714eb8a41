/**
 * electron-updater for an AppImage: reads the feed, downloads and verifies the file, replaces the program.
 *
 * Invariants:
 * - it uses Node.js for the network: by default it would use a session of Electron, and our sessions block every
 *   request except the page's (`policies/own-page.ts`);
 * - it installs only when asked, and never quits or starts the app;
 * - the download lies beside the program, on the same file system, so replacing the program is a rename.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { dirname, join } from 'node:path';
import type { Updater } from './updates.ts';

const DOWNLOADS = '.touchpoint-update';

/** The paths and addresses of an updater. */
export type UpdaterPlace = {
  /** Base address of the feed. */
  readonly feed: string;
  /** Version of this app. */
  readonly version: string;
  /** Folder of the shell's own files. */
  readonly folder: string;
  /** The AppImage this app runs from. `APPIMAGE` in the environment must also name it. */
  readonly program: string;
};

/** Loads electron-updater. No other function loads it. @throws the error of the file system */
export async function createAppImageUpdater({
  feed,
  version,
  folder,
  program,
}: UpdaterPlace): Promise<Updater> {
  const { AppImageUpdater } = await import('electron-updater');
  const configuration = join(folder, 'app-update.yml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(configuration, `updaterCacheDirName: ${DOWNLOADS}\n`);
  const updater = new AppImageUpdater(null, {
    version,
    name: 'touchpoint',
    isPackaged: true,
    appUpdateConfigPath: configuration,
    userDataPath: folder,
    baseCachePath: dirname(program),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  Object.assign(updater, { httpExecutor: await nodeExecutor() });
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.logger = null;
  updater.setFeedURL({ provider: 'generic', url: feed });
  let installed = program;
  let fault: Error | null = null;
  updater.on('appimage-filename-updated', (path) => {
    installed = path;
  });
  updater.on('error', (error) => {
    fault = error;
  });
  return {
    check: async () => {
      const found = await updater.checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo : null;
    },
    download: async () => void (await updater.downloadUpdate()),
    install: () => {
      if (!updater.install(true, false)) throw fault ?? new Error('it was not installed');
      return installed;
    },
  };
}

/** electron-builder's HTTP client for Node.js (`NodeHttpExecutor` of `builder-util`), which is not available to apps. */
async function nodeExecutor() {
  const { configureRequestOptions, configureRequestUrl, HttpExecutor } = await import('builder-util-runtime');
  type Downloading = Parameters<InstanceType<typeof HttpExecutor>['downloadToBuffer']>[1];
  return new (class extends HttpExecutor<ClientRequest> {
    createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void) {
      // electron-builder adds a listener to the socket of each request, so no socket is reused.
      options.agent = false;
      return (options.protocol === 'http:' ? plainRequest : secureRequest)(options, callback);
    }

    download(url: URL, destination: string, options: Downloading): Promise<string> {
      return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
        const asked: RequestOptions = options.headers ? { headers: options.headers } : {};
        configureRequestUrl(url, asked);
        configureRequestOptions(asked);
        // On success the argument is undefined, although the type says null.
        const callback = (error: Error | null) =>
          error instanceof Error ? reject(error) : resolve(destination);
        this.doDownload(asked, { destination, options, onCancel, callback, responseHandler: null }, 0);
      });
    }
  })();
}
