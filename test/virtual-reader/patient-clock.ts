/**
 * Loaded before a reader process: every sleep takes ten times as long, so that a busy test machine does not exceed
 * the time limit for reading a card. Heartbeats are unchanged.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const sleep = timers.setTimeout;
timers.setTimeout = (ms, ...rest) => sleep((ms ?? 0) * 10, ...rest);
syncBuiltinESMExports();
