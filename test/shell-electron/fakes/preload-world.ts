/**
 * The preload in a real Chromium page: in an isolated world, with fakes of `contextBridge` and `ipcRenderer`.
 * The page's world gets only what the preload exposes.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** Name of the isolated world in which the preload runs. */
export const WORLD = 'preload';
/** The function of that world that sends messages to the test. */
export const SEND = 'touchpointShellSend';

/** In the page's world: creates the exposed functions, without access to the preload's world. */
export const mainWorldScript = `(() => {
  document.addEventListener('bridge:expose', (event) => {
    const { name, functions } = JSON.parse(event.detail);
    const call = (key) => () =>
      document.dispatchEvent(new CustomEvent('bridge:call', { detail: JSON.stringify({ name, key }) }));
    const api = Object.freeze(Object.fromEntries(functions.map((key) => [key, call(key)])));
    Object.defineProperty(window, name, { value: api });
  });
})()`;

/** The preload at `path`, source or bundle, for a world where `electron` is a global name. */
function preloadAt(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.cjs')) return `((require) => {${text}})(() => electron);`;
  return stripTypeScriptTypes(text).replace(
    /^import \{([^}]*)\} from 'electron';$/m,
    'const {$1} = electron;',
  );
}

/** In the preload's world, only in top frames as in Electron: the fakes and the preload at `path`. */
export function preloadWorldScript(path: string): string {
  const preload = preloadAt(path);
  return `(() => {
  if (window !== window.top) return;
  const send = (message) => ${SEND}(JSON.stringify(message));
  const listeners = new Map();
  const ports = new Map();
  const toText = (data) => {
    if (typeof data !== 'string') throw new Error('Only text is carried here');
    return data;
  };
  globalThis.touchpointShellHear = ({ kind, channel, id, data, ids }) => {
    if (kind === 'port') return ports.get(id)?.postMessage(data);
    if (kind === 'close') return ports.get(id)?.close();
    const given = ids.map((one) => {
      const { port1, port2 } = new MessageChannel();
      ports.set(one, port1);
      port1.onmessage = (event) => send({ kind: 'port', id: one, data: toText(event.data) });
      port1.addEventListener('close', () => send({ kind: 'close', id: one }));
      return port2;
    });
    listeners.get(channel)?.({ ports: given });
  };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name, api) => {
        document.addEventListener('bridge:call', (event) => {
          const called = JSON.parse(event.detail);
          if (called.name === name && Object.hasOwn(api, called.key)) api[called.key]();
        });
        const detail = JSON.stringify({ name, functions: Object.keys(api) });
        document.dispatchEvent(new CustomEvent('bridge:expose', { detail }));
      },
    },
    ipcRenderer: {
      on: (channel, hear) => listeners.set(channel, hear),
      send: (channel) => send({ kind: 'send', channel }),
    },
  };
  ${preload}
})()`;
}
