/**
 * The only thing the page gets from Electron: a way to ask for a port to the contract.
 *
 * Invariants: nothing else is exposed; the port goes to this very page, by its own origin.
 */
import { contextBridge, ipcRenderer } from 'electron';

/** The part of the page this needs; the rest of the tree is compiled without a DOM. */
declare const window: {
  readonly location: { readonly origin: string };
  readonly postMessage: (message: string, origin: string, ports: readonly unknown[]) => void;
};

ipcRenderer.on('touchpoint:port', (event) => {
  window.postMessage('touchpoint:port', window.location.origin, [...event.ports]);
});

contextBridge.exposeInMainWorld('touchpoint', {
  connect: () => ipcRenderer.send('touchpoint:connect'),
});
