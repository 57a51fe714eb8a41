/**
 * What electron-builder makes an AppImage with, from Debian's packages instead of its own download.
 *
 * Invariant: only beside a stand-in, because the part that mounts an AppImage is not among Debian's packages: it is a
 * stand-in, too.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const programs = ['/usr/bin/mksquashfs', '/usr/bin/desktop-file-validate'];

/** Whether Debian's programs are here. */
export function hasAppImageTools(): boolean {
  return programs.every((program) => existsSync(program));
}

/** A folder of tools for electron-builder (`APPIMAGE_TOOLS_PATH`). */
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
