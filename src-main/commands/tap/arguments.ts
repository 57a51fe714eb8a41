/**
 * The arguments of `npm run tap`. Pure.
 */
import { parseArgs } from 'node:util';

/** What was asked for; `wrong` carries one sentence for the person who typed it. */
export type TapArguments =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' }
  | { readonly kind: 'tap'; readonly badge: string; readonly data: string | null }
  | { readonly kind: 'wrong'; readonly sentence: string };

export const usage = `Plays a badge through the virtual reader and the card service of this machine.

  npm run tap -- <badge> [--data DIR]   taps a badge: its UID, its short name or the visitor's name
  npm run tap -- --list                 lists the demo badges, code first

  --data DIR   data folder of the running app (default: TOUCHPOINT_DATA, else the demo event's folder)

Ends with 0 when the app did what this badge should bring about, 1 when it did not or no app runs,
2 when something is missing on this machine or the command is wrong.
`;

/** Reads the arguments; a name of several words may come unquoted. */
export function readArguments(args: readonly string[]): TapArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help === true) return { kind: 'help' };
    if (values.list === true) return { kind: 'list' };
    const badge = positionals.join(' ').trim();
    if (values.data === '') return wrong('--data needs a folder.');
    if (badge === '') return wrong('Which badge? Give a UID or a demo badge; --list shows them.');
    return { kind: 'tap', badge, data: values.data ?? null };
  } catch (error) {
    // `parseArgs` throws a sentence about the first argument that is wrong, with advice for programmers after it.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    return wrong(`${sentence}; see --help.`);
  }
}

function wrong(sentence: string): TapArguments {
  return { kind: 'wrong', sentence };
}

const options = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  data: { type: 'string' },
} as const;
