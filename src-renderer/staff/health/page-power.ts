/**
 * What the browser tells of the battery (https://www.w3.org/TR/battery-status/), where the machine tells nothing.
 *
 * Invariant: a browser without it, or one that says "full and plugged" of a machine without a battery, costs nothing.
 */
import { useEffect, useState } from 'react';

/** Charge in [0, 1]. */
export type PagePower = { readonly charge: number; readonly plugged: boolean };

type Battery = EventTarget & {
  readonly charging: boolean;
  readonly level: number;
  readonly dischargingTime: number;
};

/** The battery as this page knows it; null where it does not. */
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
          // What a machine without a battery says, too.
          const isNone = battery.charging && battery.level === 1;
          setPower(isNone ? null : { charge: battery.level, plugged: battery.charging });
        };
        if (gone.signal.aborted) return;
        tell();
        for (const change of ['levelchange', 'chargingchange'])
          battery.addEventListener(change, tell, { signal: gone.signal });
      })
      // Refused by the browser's policy: the page knows nothing, which is what it says.
      .catch(() => undefined);
    return () => gone.abort();
  }, []);
  return power;
}
