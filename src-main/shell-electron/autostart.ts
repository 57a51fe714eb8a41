/**
 * Adds or removes the start of the app with its user's session (`policies/autostart-policy.ts`).
 *
 * Invariant: it never throws. A fault is one sentence on stderr, and the app starts anyway.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ShellApp } from './electron-api.ts';
import { autostartStep } from './policies/autostart-policy.ts';
import { appImageOf } from './relaunch.ts';

type Started = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly system: string;
  readonly complain: (sentence: string) => void;
};

/** Applies the option `--autostart`. */
export function keepAutostart(
  app: Pick<ShellApp, 'getPath' | 'isPackaged' | 'setLoginItemSettings'>,
  { args, env, system, complain }: Started,
  wanted: boolean,
): void {
  if (!app.isPackaged) {
    complain('Autostart cannot be set: this is not a package.');
    return;
  }
  const step = autostartStep({
    wanted,
    system,
    program: appImageOf(app, env) ?? app.getPath('exe'),
    args,
    folder: process.cwd(),
    home: app.getPath('home'),
    configHome: env.XDG_CONFIG_HOME || null,
  });
  try {
    if (step === null) complain('Autostart cannot be set: this system does not support it.');
    else if (step.kind === 'loginItem') {
      const { openAtLogin, path } = step;
      app.setLoginItemSettings({ openAtLogin, path, args: [...step.args] });
    } else if (step.text === null) rmSync(step.path, { force: true });
    else {
      mkdirSync(dirname(step.path), { recursive: true });
      writeFileSync(step.path, step.text);
    }
  } catch (error) {
    complain(`Autostart cannot be set: ${error instanceof Error ? error.message : String(error)}`);
  }
}
