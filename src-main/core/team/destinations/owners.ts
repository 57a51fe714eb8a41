/**
 * Owners of records at a destination: the address of a member of the team becomes the id of the user there.
 *
 * Invariants:
 * - An address that belongs to no user of the CRM is left out, so the CRM decides the owner.
 * - Users are read again after ten minutes, because they join and leave the CRM.
 */
import type { Clock } from '../../foundations/ports.ts';
import type { Adapter, Values } from './adapter.ts';

const KEPT_MS = 600_000;

export type Owners = ReturnType<typeof createOwners>;

/** The owners of one destination. `property` holds the owner's id; null if its records have no owner. */
export function createOwners(
  adapter: Pick<Adapter, 'owners'>,
  property: string | null,
  clock: Pick<Clock, 'monotonic'>,
) {
  const known = new Map<string, string | null>();
  let until = 0;
  const addressIn = (values: Values): string =>
    property === null ? '' : (values[property] ?? '').trim().toLowerCase();
  return {
    property,
    /** Looks up the owners in these values. @throws ApiError */
    learn: async (all: readonly Values[], signal: AbortSignal): Promise<void> => {
      if (adapter.owners === undefined) return;
      const now = clock.monotonic();
      const named = [...new Set(all.map(addressIn))].filter((address) => address !== '');
      const isOld = now >= until;
      const asked = isOld
        ? [...new Set([...known.keys(), ...named])]
        : named.filter((one) => !known.has(one));
      if (named.length === 0 || asked.length === 0) return;
      const found = await adapter.owners(asked, signal);
      for (const address of asked) known.set(address, found.get(address) ?? null);
      if (isOld) until = now + KEPT_MS;
    },
    /**
     * Values with the owner's id. An address that was not looked up stays as it is. `unknown`: the address belongs to
     * no user there.
     */
    resolve: (values: Values): { readonly values: Values; readonly unknown: string | null } => {
      if (property === null || values[property] === undefined) return { values, unknown: null };
      const { [property]: _address, ...others } = values;
      const address = addressIn(values);
      if (address === '') return { values: others, unknown: null };
      const id = known.get(address);
      if (id === undefined) return { values, unknown: null };
      return id === null
        ? { values: others, unknown: address }
        : { values: { ...others, [property]: id }, unknown: null };
    },
  };
}
