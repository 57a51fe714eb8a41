/**
 * The least that can bring a word onto a screen: a WebSocket server that sends one each time it is told to, and prints
 * when. The page beside the app paints it.
 *
 * Invariant: nothing but the socket; wall time in milliseconds, with fractions.
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
