/**
 * The channel of a helper process to its parent: `child_process.fork` under plain Node, `utilityProcess` under
 * Electron. The same entry file serves both.
 */

/** The channel to the parent. `onEnd` is called when the parent is gone. */
export type ParentChannel = {
  readonly send: (message: unknown) => void;
  readonly onMessage: (hear: (message: unknown) => void) => void;
  readonly onEnd: (hear: () => void) => void;
};

/** Electron's interface of a utility process (Electron, `process.parentPort`). */
type ParentPort = {
  readonly postMessage: (message: unknown) => void;
  readonly on: (event: 'message' | 'close', hear: (event: { readonly data: unknown }) => void) => void;
};

function isParentPort(value: unknown): value is ParentPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value;
}

/** Finds the channel. Null when this process was started by hand. */
export function openParentChannel(): ParentChannel | null {
  const port: unknown = Reflect.get(process, 'parentPort');
  if (isParentPort(port)) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (hear) => port.on('message', (event) => hear(event.data)),
      onEnd: (hear) => port.on('close', hear),
    };
  }
  if (process.send === undefined) return null;
  return {
    // The callback form reports a closed channel here instead of throwing. `onEnd` handles the rest.
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (hear) => void process.on('message', hear),
    onEnd: (hear) => void process.once('disconnect', hear),
  };
}
