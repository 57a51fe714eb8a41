/**
 * The environment of child processes.
 *
 * Invariant: the platform's key, which a start may get by its environment, is not in it. A child that needs it gets it otherwise.
 */

const SECRETS = new Set(['TOUCHPOINT_KEY', 'TOUCHPOINT_PASSWORD']);

/** The environment of this process without its secrets. */
export function childEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.has(name.toUpperCase())));
}
