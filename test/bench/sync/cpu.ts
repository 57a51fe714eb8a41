/**
 * The processor time of this process so far: other programs on the machine change it less than they change
 * elapsed time.
 */

/** Seconds of all cores, garbage collection and compilation included. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};
