/** The part of pino-roll we use; the package brings no types. */
declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events';

  type RollingFile = EventEmitter & {
    readonly write: (line: string) => boolean;
    readonly flushSync: () => void;
  };

  type RollOptions = {
    readonly file: string;
    readonly frequency: 'daily';
    readonly dateFormat: string;
    readonly size: string;
    readonly limit: { readonly count: number };
  };

  // biome-ignore lint/style/noDefaultExport: the package exports it so.
  export default function build(options: RollOptions): Promise<RollingFile>;
}
