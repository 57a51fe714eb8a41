/**
 * Messages between the shell and the core, which runs in its own process (docs/decisions/core-in-a-process.md).
 *
 * Invariants:
 * - both sides have the same version, so nothing is negotiated;
 * - every value can be structured-cloned;
 * - the key is sent by message, never by arguments or environment.
 */
import type { Options } from '../launch/options.ts';
import type { KeychainAnswer, KeychainAsk } from './keychain/keychain-messages.ts';

/** Paths of the programs of the core's threads, and the folder of the page. */
export type CorePrograms = {
  readonly leads: string;
  readonly exports: string;
  readonly snapshot: string;
  readonly page: string;
};

/** Programs of processes that the shell starts for the core. */
export type CoreProgram = 'reader' | 'platform' | 'drawing' | 'reading' | 'sharing';

/** A request before an update: asks whether no visitor is active, or requests a backup. */
export type UpdateAsk = 'moment' | 'backup';

/** To the core. */
export type ToCore =
  | {
      readonly kind: 'start';
      readonly options: Options;
      readonly version: string;
      readonly programs: CorePrograms;
    }
  | { readonly kind: 'page-opened' | 'page-closed'; readonly page: number }
  | { readonly kind: 'page-said'; readonly page: number; readonly data: unknown }
  | { readonly kind: 'keychain-said'; readonly answer: KeychainAnswer }
  | { readonly kind: 'child-said'; readonly child: number; readonly message: unknown }
  | { readonly kind: 'child-line'; readonly child: number; readonly line: string }
  | { readonly kind: 'child-ended'; readonly child: number; readonly how: string }
  | {
      readonly kind: 'log';
      readonly level: 'error' | 'warn' | 'info';
      readonly what: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'update-ask'; readonly what: UpdateAsk }
  /** The path of a file that was opened with the app. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stop' };

/** Whether pages may use the camera and the microphone now, and the folder of the attract loop. */
export type Display = {
  readonly camera: boolean;
  readonly microphone: boolean;
  readonly attract: string | null;
};

/** From the core. */
export type FromCore =
  /** `lines`: to print to stdout. */
  | { readonly kind: 'ready'; readonly lines: readonly string[] }
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'display'; readonly display: Display }
  | { readonly kind: 'pages-anew' }
  | { readonly kind: 'update-said'; readonly what: UpdateAsk; readonly answer: unknown }
  | { readonly kind: 'keychain'; readonly ask: KeychainAsk }
  | { readonly kind: 'page-said'; readonly page: number; readonly data: unknown }
  | {
      readonly kind: 'spawn';
      readonly child: number;
      readonly program: CoreProgram;
      readonly args: readonly string[];
    }
  | { readonly kind: 'child-said'; readonly child: number; readonly message: unknown }
  | { readonly kind: 'child-end'; readonly child: number; readonly force: boolean };
