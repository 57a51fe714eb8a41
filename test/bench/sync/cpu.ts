/**
 * What this process took of the machine's cores so far: other programs on the machine change it less than they change
 * how long things take.
 */

/** Seconds of all cores, garbage collection and compilation included. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};
