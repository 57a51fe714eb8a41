/**
 * The environment of child processes.
 *
 * Invariant: it does not contain the platform's key, even if the app got the key through its environment. A child
 * that needs the key gets it another way.
 */

const SECRETS = new Set(['TOUCHPOINT_KEY', 'TOUCHPOINT_PASSWORD']);

/** The environment of this process without its secrets. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.has(name.toUpperCase())));
}
