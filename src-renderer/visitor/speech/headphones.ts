/**
 * Hears when a headphone is plugged in or out, where the browser tells it.
 *
 * Invariant: only a change counts; what was there at the start is no headphone somebody just brought. A browser without
 * a permission for sound tells of one output at most, so that a second one is heard only where the set-up grants it.
 */

/** What is used of the browser; tests hand in another. */
export type OutputDevices = Pick<
  MediaDevices,
  'enumerateDevices' | 'addEventListener' | 'removeEventListener'
>;

/** Tells `hear` whether there is one output for sound more or one less than before. Returns the way to stop. */
export function followHeadphones(
  devices: OutputDevices | undefined,
  hear: (plugged: boolean) => void,
): () => void {
  if (!devices) return () => undefined;
  let known: number | null = null;
  let stopped = false;
  const look = async () => {
    const found = await devices.enumerateDevices().catch(() => null);
    if (stopped || !found) return;
    const outputs = found.filter(({ kind }) => kind === 'audiooutput').length;
    const before = known;
    known = outputs;
    if (before !== null && outputs !== before) hear(outputs > before);
  };
  void look();
  const changed = () => void look();
  devices.addEventListener('devicechange', changed);
  return () => {
    stopped = true;
    devices.removeEventListener('devicechange', changed);
  };
}
