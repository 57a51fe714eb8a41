/**
 * What an event says about its badges. Pure data; comes from the event's settings.
 *
 * Invariant: an empty `hosts` list means "any host": the demo and events that have not said.
 */

/** How badges of one event are to be understood. */
export type BadgeProfile = {
  /** Hosts whose addresses may name a badge, sub-domains included, lower case. Empty: any host. */
  readonly hosts: readonly string[];
  /**
   * Base address of the event's content pages, or null. `{discoverUrl}/c/<id>` is content, not a badge
   * (docs/interface/resources.md#content).
   */
  readonly discoverUrl: string | null;
};

/** The profile of an event that has said nothing. */
export const openProfile: BadgeProfile = { hosts: [], discoverUrl: null };
