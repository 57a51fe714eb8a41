/**
 * Detects that headphones were plugged in or out, if the browser reports it.
 *
 * Invariant: only a change is reported, not the state at the start. Without a permission for sound the browser
 * reports at most one output, so a second output is detected only if the set-up grants the permission.
 */

/** The parts of the browser that are used here. Tests pass others. */
export type OutputDevices = Pick<
  MediaDevices,
  'enumerateDevices' | 'addEventListener' | 'removeEventListener'
>;

/** Calls `hear` with whether an output was added (true) or removed. Returns the function that stops it. */
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
