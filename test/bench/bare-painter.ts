/**
 * The minimum that brings a word onto a screen: a WebSocket server that sends one on request and prints the
 * time. The page that runs in parallel to the app paints it.
 *
 * Invariant: only the socket; wall time in milliseconds, with fractions.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('listening', () => writeSync(1, `${(server.address() as { port: number }).port}\n`));
createInterface({ input: process.stdin }).on('line', (word) => {
  writeSync(1, `${performance.timeOrigin + performance.now()}\n`);
  for (const client of server.clients) client.send(word);
});
