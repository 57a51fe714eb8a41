/** The module `electron` for the packed entry: the fake, with a real Chromium for its windows. */
import { fakeElectron } from '../../shell-electron/fakes/electron.ts';

/** The whole fake, for the program that drives it. */
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
  shell,
  utilityProcess,
} = standIn.api;
