/**
 * The minimum that shows a word on a screen: a WebSocket server that sends a word on request and prints the time. The
 * page that runs in parallel with the app paints the word.
 *
 * Invariant: nothing but the socket. Times are wall time in milliseconds, with fractions.
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
