/**
 * The CouchDB-protocol server of the sync bench as a process: `pouch-server.ts ACCESS FOLDER`. Prints its
 * port once it holds all visitors of the platform, and serves until it is ended.
 */
import { serveVisitors } from './pouch.ts';
import type { Access } from './processes.ts';

const [access = '{}', folder = '.'] = process.argv.slice(2);
process.stdout.write(`${await serveVisitors(JSON.parse(access) as Access, folder)}\n`);
