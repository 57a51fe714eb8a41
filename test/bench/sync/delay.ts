/** A connection with latency: a TCP proxy that delays every byte in both directions and keeps their order. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Delay = { readonly port: number; readonly stop: () => Promise<void> };

const flow = (from: Socket, to: Socket, ms: number): void => {
  from.setNoDelay(true);
  from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), ms));
  from.on('end', () => setTimeout(() => to.end(), ms));
  from.on('error', () => to.destroy());
  from.on('close', () => setTimeout(() => to.destroy(), ms));
};

/** A proxy to `port` on this machine that adds `ms` milliseconds in each direction. */
export const startDelay = async (port: number, ms: number): Promise<Delay> => {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    flow(near, far, ms);
    flow(far, near, ms);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
