/**
 * Connects a command to the running app: the contract over its WebSocket.
 *
 * Invariants:
 * - `app.json` in the data folder, which only its owner can read, contains the app's address;
 * - its token is never printed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { contract } from '../../contract/contract.ts';
import { isRunning } from '../../machine/running-process.ts';

/** The content of `app.json`. `rpc`: null when the contract has no socket. */
const appFileSchema = z.object({
  pid: z.number().int(),
  shell: z.enum(['browser', 'electron']),
  rpc: z.string().nullable(),
  token: z.string(),
});

export type RunningApp = z.infer<typeof appFileSchema>;

export type AppClient = ContractRouterClient<typeof contract>;

/** An open connection; `close` ends it. */
export type AppConnection = { readonly client: AppClient; readonly close: () => void };

/** The app that runs on this data folder, or null. */
export function findRunningApp(dataFolder: string): RunningApp | null {
  try {
    const app = appFileSchema.parse(JSON.parse(readFileSync(join(dataFolder, 'app.json'), 'utf8')));
    return isRunning(app.pid) ? app : null;
  } catch {
    // Without a valid file there is no running app to connect to.
    return null;
  }
}

const connectsWithin = 5000;

/** Opens the connection; null when the app does not answer on it. */
export function openAppConnection(rpc: string, token: string): Promise<AppConnection | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(rpc, {
      headers: { Authorization: `Bearer ${token}` },
      handshakeTimeout: connectsWithin,
    });
    socket.once('error', () => resolve(null));
    socket.once('open', () => {
      // oRPC expects the browser's WebSocket. The one of `ws` differs only in types.
      const link = new RPCLink({ websocket: socket as never });
      resolve({ client: createORPCClient<AppClient>(link), close: () => socket.terminate() });
    });
  });
}
