/**
 * The tools by which electron-builder makes an AppImage, from Debian's packages instead of its own download.
 *
 * Invariant: used only with a stand-in of Electron. Debian has no package of the program that mounts an AppImage, so that
 * program is a stand-in, too.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const programs = ['/usr/bin/mksquashfs', '/usr/bin/desktop-file-validate'];

/** Whether Debian's programs are installed. */
export function hasAppImageTools(): boolean {
  return programs.every((program) => existsSync(program));
}

/** Creates a folder of tools for electron-builder (`APPIMAGE_TOOLS_PATH`). */
export function makeAppImageTools(folder: string): string {
  for (const part of ['runtimes', 'lib/x64']) mkdirSync(join(folder, part), { recursive: true });
  for (const program of programs) {
    const link = join(folder, program.slice('/usr/bin/'.length));
    if (!existsSync(link)) symlinkSync(program, link);
  }
  const words = '#!/bin/sh\necho "This AppImage was made without the part that mounts it." >&2\nexit 2\n';
  writeFileSync(join(folder, 'runtimes', 'runtime-x64'), words.padEnd(4096), { mode: 0o755 });
  return folder;
}
