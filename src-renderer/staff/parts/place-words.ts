/**
 * A place with its country as text. The platform stores two letters (ISO 3166-1).
 *
 * Invariant: any text other than a known code is shown as it is.
 */
import { useCallback } from 'react';
import { useIntl } from 'react-intl';

/** Replaces a country code at the end of a place: "Lyon, FR" becomes "Lyon, France". */
export function usePlaceWords(): (place: string | null) => string | null {
  const { locale } = useIntl();
  return useCallback(
    (place) => {
      const [code] = /(?<![\p{L}\p{N}])[A-Z]{2}$/u.exec(place ?? '') ?? [];
      if (place === null || code === undefined) return place;
      const country = new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
      return `${place.slice(0, -code.length)}${country}`;
    },
    [locale],
  );
}
