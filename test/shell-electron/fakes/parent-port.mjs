/** Preloaded into a forked child: provides the `parentPort` of Electron's utility processes over IPC. */
import { EventEmitter } from 'node:events';

const port = new EventEmitter();
const send = process.send.bind(process);
port.postMessage = (message) => void send(message, undefined, undefined, () => undefined);
process.on('message', (data) => port.emit('message', { data, ports: [] }));
process.on('disconnect', () => port.emit('close', { data: null }));
process.parentPort = port;
process.send = undefined;
