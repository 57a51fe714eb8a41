/**
 * Battery state from the browser (https://www.w3.org/TR/battery-status/), if the machine does not report it.
 *
 * Invariant: no warning appears if the browser does not report a battery, or reports "full and plugged in" for a
 * machine without one.
 */
import { useEffect, useState } from 'react';

/** Charge in [0, 1]. */
export type PagePower = { readonly charge: number; readonly plugged: boolean };

type Battery = EventTarget & {
  readonly charging: boolean;
  readonly level: number;
  readonly dischargingTime: number;
};

/** The battery as this page sees it; null if unknown. */
export function usePagePower(): PagePower | null {
  const [power, setPower] = useState<PagePower | null>(null);
  useEffect(() => {
    const ask = (navigator as { readonly getBattery?: () => Promise<Battery> }).getBattery;
    if (ask === undefined) return;
    const gone = new AbortController();
    ask
      .call(navigator)
      .then((battery) => {
        const tell = (): void => {
          // A machine without a battery reports the same values.
          const isNone = battery.charging && battery.level === 1;
          setPower(isNone ? null : { charge: battery.level, plugged: battery.charging });
        };
        if (gone.signal.aborted) return;
        tell();
        for (const change of ['levelchange', 'chargingchange'])
          battery.addEventListener(change, tell, { signal: gone.signal });
      })
      // Refused by the browser's policy: the state stays unknown.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return power;
}
