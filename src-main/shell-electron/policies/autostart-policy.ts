/**
 * Whether the app starts when its user signs in, and how each system stores that. Pure.
 *
 * Invariants:
 * - It is off until `--autostart on`; a start without the option changes nothing.
 * - The stored start has the arguments of this start, without the option itself and without a file to open. Its paths are
 *   absolute, because a session starts programs in another folder. A start with a key in its arguments stores nothing
 *   (`options.ts` refuses it).
 * - It affects only this user, so it needs no administrator.
 *
 * Sources: Desktop Application Autostart Specification 0.5 and Desktop Entry Specification 1.5 ("The Exec key");
 * launchd.plist(5); `app.setLoginItemSettings` of Electron, whose `args` apply only to Windows and are quoted by
 * Electron (electron#50016).
 */
import { posix, win32 } from 'node:path';

/** The change to make. `text`: null removes the file. */
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
  /** Name of the operating system (`process.platform`). */
  readonly system: string;
  /** The program to start. For an AppImage this is its file, not its mount. */
  readonly program: string;
  /** Arguments of this start, and the folder to which its relative paths refer. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly home: string;
  /** `XDG_CONFIG_HOME`; null means the default place. */
  readonly configHome: string | null;
};

/** The change that `--autostart` makes on this system; null if the system does not support it. */
export function autostartStep({
  wanted,
  system,
  program,
  args: given,
  folder,
  home,
  configHome,
}: AutostartTerms): AutostartStep | null {
  const args = keptArguments(given, (path) => (system === 'win32' ? win32 : posix).resolve(folder, path));
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

/** Options whose value is a path. */
const pathOptions: readonly string[] = ['--data', '--provision'];

function keptArguments(args: readonly string[], absolute: (path: string) => string): readonly string[] {
  const kept: string[] = [];
  for (const [index, arg] of args.entries()) {
    const option = args[index - 1] ?? '';
    const [name = '', value] = arg.split(/=(.*)/s);
    if (name === '--autostart' || option === '--autostart') continue;
    if (pathOptions.includes(option)) kept.push(absolute(arg));
    else if (pathOptions.includes(name) && value !== undefined) kept.push(`${name}=${absolute(value)}`);
    else if (arg.startsWith('--') || !/\.touchpoint$/i.test(arg)) kept.push(arg);
  }
  return kept;
}

function desktopEntry(command: readonly string[]): string {
  const words = command.map(
    // Escapes for the quotes of the Exec key, then for strings in a desktop file. `%` begins a field code.
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
