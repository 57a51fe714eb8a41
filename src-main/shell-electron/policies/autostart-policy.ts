/**
 * Whether the app starts when its user signs in, and how that is kept on each system. Pure.
 *
 * Invariants:
 * - Off until `--autostart on` was given once; a start without the option changes nothing.
 * - What is kept starts the app with the arguments of this start, less the option itself and a file that was given. A start with a key in its
 *   arguments keeps nothing (`options.ts` refuses it).
 * - Only for this user: nothing needs an administrator.
 *
 * Sources: Desktop Application Autostart Specification 0.5 and Desktop Entry Specification 1.5 ("The Exec key"); launchd.plist(5);
 * `app.setLoginItemSettings` of Electron, whose `args` count on Windows alone.
 */
import { posix } from 'node:path';

/** What is done. `text` null: the file is removed. */
export type AutostartStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string | null }
  | {
      readonly kind: 'loginItem';
      readonly openAtLogin: boolean;
      readonly path: string;
      readonly args: readonly string[];
    };

export type AutostartTerms = {
  readonly wanted: boolean;
  /** Name of the operating system, as `process.platform` has it. */
  readonly system: string;
  /** The program that people start: of an AppImage its file, not its mount. */
  readonly program: string;
  /** Arguments of this start. */
  readonly args: readonly string[];
  readonly home: string;
  /** `XDG_CONFIG_HOME`; null: the usual place. */
  readonly configHome: string | null;
};

/** What `--autostart` does on this system; null where it has no place for it. */
export function autostartStep({
  wanted,
  system,
  program,
  args: given,
  home,
  configHome,
}: AutostartTerms): AutostartStep | null {
  const args = keptArguments(given);
  switch (system) {
    case 'win32':
      return { kind: 'loginItem', openAtLogin: wanted, path: program, args };
    case 'darwin': {
      const path = posix.join(home, 'Library', 'LaunchAgents', 'app.touchpoint.kiosk.plist');
      return { kind: 'file', path, text: wanted ? launchAgent([program, ...args]) : null };
    }
    case 'linux': {
      const path = posix.join(configHome ?? posix.join(home, '.config'), 'autostart', 'touchpoint.desktop');
      return { kind: 'file', path, text: wanted ? desktopEntry([program, ...args]) : null };
    }
    default:
      return null;
  }
}

function keptArguments(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, index) =>
      arg !== '--autostart' &&
      args[index - 1] !== '--autostart' &&
      !arg.startsWith('--autostart=') &&
      !(arg.endsWith('.touchpoint') && !arg.startsWith('--')),
  );
}

function desktopEntry(command: readonly string[]): string {
  const words = command.map(
    // Once for the quotes of the Exec key, once for strings in a desktop file; `%` begins a field code.
    (word) =>
      `"${word
        .replaceAll(/["`$\\]/g, '\\$&')
        .replaceAll('\\', '\\\\')
        .replaceAll('%', '%%')}"`,
  );
  const lines = ['Type=Application', 'Name=Touchpoint', `Exec=${words.join(' ')}`, 'Terminal=false'];
  return `[Desktop Entry]\n${lines.join('\n')}\n`;
}

function launchAgent(command: readonly string[]): string {
  const words = command.map((word) => `    <string>${escaped(word)}</string>\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>app.touchpoint.kiosk</string>
  <key>ProgramArguments</key>
  <array>
${words}  </array>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
