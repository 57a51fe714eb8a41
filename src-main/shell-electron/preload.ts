/**
 * The only part of Electron that the page gets: a function that asks for a port to the contract.
 *
 * Invariant: only this page receives the port, because the message with the port is sent to the page's own origin.
 */
import { contextBridge, ipcRenderer } from 'electron';

/** The part of the DOM that is used here. The rest of this folder is compiled without a DOM. */
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
