/**
 * Restarts a program that ended by a defect. For the kiosk package systemd does this, and in Electron the shell
 * restarts the core.
 *
 * Invariants:
 * - Only an unexpected end causes a restart: the exit code of a defect, or a signal that does not request a stop.
 * - After ten restarts in a row this command ends with the program's exit code. A run of five minutes resets the
 *   count.
 * - The pause before a restart doubles from one second to thirty.
 * - After a defect, a start that fails is also retried, because a disk that was missing may be back.
 */
import { constants } from 'node:os';

/** The exit code of the app after a defect (EX_SOFTWARE of sysexits.h). `DEFECT_CODE` in `src-main/launch/refused.ts`. */
const DEFECT = 70;
const MOST = 10;
const LONG_RUN_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

const { SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGTRAP } = constants.signals;
const crashes = new Set(
  [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGTRAP].map((number) => 128 + number),
);

/**
 * On Windows the exit code of a crash is its NTSTATUS, such as an access violation. The exit code after Ctrl-C is
 * also an NTSTATUS.
 */
const FIRST_NTSTATUS_ERROR = 0xc0000000;
const CTRL_C_EXIT = 0xc000013a;

function isDefect(code) {
  return code === DEFECT || crashes.has(code) || (code >= FIRST_NTSTATUS_ERROR && code !== CTRL_C_EXIT);
}

/**
 * Calls `run` until the program ends normally, is asked to end, or fails too often. Returns its last exit code.
 *
 * `run(again)` runs the program once and returns its exit code. `pause(ms)` waits, and returns false if this command
 * must end.
 */
export async function runWithRestarts({ run, pause, monotonic, isEnding, say }) {
  let restarts = 0;
  for (;;) {
    const began = monotonic();
    const code = await run(restarts > 0);
    if (monotonic() - began >= LONG_RUN_MS) restarts = 0;
    if (isEnding() || !(isDefect(code) || (restarts > 0 && code !== 0))) return code;
    if (restarts === MOST) {
      say(`Touchpoint ended ${MOST + 1} times in a row; it is not started again.`);
      return code;
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** restarts);
    restarts += 1;
    say(`Touchpoint ended by a defect (${code}); restart ${restarts} of ${MOST} in ${pauseMs / 1_000} s.`);
    if (!(await pause(pauseMs))) return code;
  }
}
