/**
 * The system and machine of a native module, and the symbols that it needs from the program that loads it. Reads ELF
 * (System V ABI), PE (Microsoft, "PE Format") and Mach-O (Apple, mach-o/loader.h and nlist.h), all 64-bit and
 * little-endian.
 */

export type NativeCode = {
  readonly os: 'linux' | 'win32' | 'darwin';
  readonly cpu: 'x64' | 'arm64';
  /** Symbols that the loading program, and on Linux and macOS its libraries, must provide. */
  readonly wanted: readonly string[];
  /** On Windows, the file that must already be loaded under exactly this name, or null. */
  readonly program: string | null;
};

/** Reads a native module. @throws Error when it has none of the three formats */
export function nativeCodeOf(file: Buffer): NativeCode {
  if (file.readUInt32BE(0) === 0x7f454c46) return elf(file);
  if (file.readUInt32LE(0) === 0xfeedfacf) return machO(file);
  if (file.toString('latin1', 0, 2) === 'MZ') return portableExecutable(file);
  throw new Error('This is no native module');
}

/** Those required symbols that only one version of one runtime has: V8, libuv, and Node.js beyond Node-API. */
export function boundToRuntime({ wanted }: NativeCode): readonly string[] {
  return wanted.filter((name) => /^_?(_ZN?K?2v8|_ZN4node|node_module_register|uv_)|@v8@@|@node@@/.test(name));
}

function textAt(file: Buffer, offset: number): string {
  return file.toString('latin1', offset, file.indexOf(0, offset));
}

function cpuOf(code: number, x64: number, arm64: number): 'x64' | 'arm64' {
  if (code === x64) return 'x64';
  if (code === arm64) return 'arm64';
  throw new Error(`Unknown machine ${code}`);
}

function elf(file: Buffer): NativeCode {
  const headers = Number(file.readBigUInt64LE(40));
  const [size, count] = [file.readUInt16LE(58), file.readUInt16LE(60)];
  const sections = Array.from({ length: count }, (_, index) => {
    const at = headers + index * size;
    const number = (offset: number) => Number(file.readBigUInt64LE(at + offset));
    return {
      type: file.readUInt32LE(at + 4),
      offset: number(24),
      size: number(32),
      link: file.readUInt32LE(at + 40),
    };
  });
  // SHT_DYNSYM; its names are in the section it links to. Entries of 24 bytes: name, info, other, section, value, size.
  const symbols = sections.find(({ type }) => type === 11);
  const names = sections[symbols?.link ?? 0]?.offset ?? 0;
  const wanted: string[] = [];
  for (let at = symbols?.offset ?? 0; at < (symbols?.offset ?? 0) + (symbols?.size ?? 0); at += 24) {
    if (file.readUInt16LE(at + 6) === 0) wanted.push(textAt(file, names + file.readUInt32LE(at)));
  }
  return {
    os: 'linux',
    cpu: cpuOf(file.readUInt16LE(18), 62, 183),
    wanted: wanted.filter((name) => name !== ''),
    program: null,
  };
}

function machO(file: Buffer): NativeCode {
  const wanted: string[] = [];
  let at = 32;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    // LC_SYMTAB. Entries of 16 bytes: name, type, section, description, value; undefined and external: 0 and 1 of
    // N_TYPE, N_EXT.
    if (file.readUInt32LE(at) === 2) {
      const [symbols, count, names] = [8, 12, 16].map((offset) => file.readUInt32LE(at + offset));
      for (let index = 0; index < (count ?? 0); index += 1) {
        const entry = (symbols ?? 0) + index * 16;
        if (((file[entry + 4] ?? 0) & 0x0f) === 1)
          wanted.push(textAt(file, (names ?? 0) + file.readUInt32LE(entry)));
      }
    }
    at += file.readUInt32LE(at + 4);
  }
  return { os: 'darwin', cpu: cpuOf(file.readUInt32LE(4), 0x0100_0007, 0x0100_000c), wanted, program: null };
}

function portableExecutable(file: Buffer): NativeCode {
  const header = file.readUInt32LE(0x3c) + 4;
  const optional = header + 20;
  const sections = optional + file.readUInt16LE(header + 16);
  const offsetOf = (address: number): number => {
    for (let index = 0; index < file.readUInt16LE(header + 2); index += 1) {
      const at = sections + index * 40;
      const start = file.readUInt32LE(at + 12);
      if (
        address >= start &&
        address < start + Math.max(file.readUInt32LE(at + 8), file.readUInt32LE(at + 16))
      ) {
        return address - start + file.readUInt32LE(at + 20);
      }
    }
    throw new Error('An address outside every section');
  };
  const directory = (index: number) => file.readUInt32LE(optional + 112 + index * 8);
  const wanted: string[] = [];
  let program: string | null = null;
  // Import directory (entries of 20 bytes) and delay-load directory (of 32): where the library's name and its symbols
  // are.
  for (const [index, size, nameAt, symbolsAt] of [
    [1, 20, 12, 0],
    [13, 32, 4, 16],
  ] as const) {
    if (directory(index) === 0) continue;
    for (let at = offsetOf(directory(index)); file.readUInt32LE(at + nameAt) !== 0; at += size) {
      const library = textAt(file, offsetOf(file.readUInt32LE(at + nameAt)));
      if (!/\.exe$/i.test(library)) continue;
      // A hook resolves a delay-loaded library to the running program, whatever the name of the program is.
      if (index === 1) program = library;
      const first = offsetOf(file.readUInt32LE(at + symbolsAt));
      for (let symbol = first; file.readBigUInt64LE(symbol) !== 0n; symbol += 8) {
        wanted.push(textAt(file, offsetOf(file.readUInt32LE(symbol)) + 2));
      }
    }
  }
  return { os: 'win32', cpu: cpuOf(file.readUInt16LE(header), 0x8664, 0xaa64), wanted, program };
}
