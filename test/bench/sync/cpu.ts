/**
 * The processor time of this process so far. Other programs on the machine affect it less than elapsed time.
 */

/** Seconds over all cores, including garbage collection and compilation. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};
