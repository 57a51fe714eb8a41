/** What the packed entry gets when it imports `electron`: the stand-in, with a real Chromium for its windows. */
import { fakeElectron } from '../../shell-electron/fakes/electron.ts';

/** The stand-in as a whole, for whoever drives it. */
export const standIn = fakeElectron();

export const {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  MessageChannelMain,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  utilityProcess,
} = standIn.api;
