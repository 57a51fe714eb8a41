/**
 * Waits until the running app reports a state, for tests with an app in a private network: `node state-child.ts <data
 * folder> <path, e.g. delivery.confirmed> <value>`. Exits with 0 when the state is reached.
 */
import { findRunningApp, openAppConnection } from '../../src-main/commands/tap/app-connection.ts';

const [data = '', path = '', wanted = ''] = process.argv.slice(2);
const { rpc, token } = findRunningApp(data) ?? {};
const connection = await openAppConnection(rpc ?? '', token ?? '');
if (connection === null) throw new Error('The app does not answer');
for await (const state of await connection.client.device.watch()) {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], state);
  if (String(value) === wanted) break;
}
connection.close();
