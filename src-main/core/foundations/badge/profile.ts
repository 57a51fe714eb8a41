/**
 * The settings of an event for decoding its badges. Pure data.
 *
 * Invariant: an empty `hosts` list allows any host. The demo and events without this setting use it.
 */

/** How badges of one event are decoded. */
export type BadgeProfile = {
  /** Hosts whose addresses may identify a badge, in lower case, including sub-domains. Empty: any host. */
  readonly hosts: readonly string[];
  /**
   * Base address of the event's content pages, or null. `{discoverUrl}/c/<id>` is content, not a badge
   * (docs/interface/resources.md#content).
   */
  readonly discoverUrl: string | null;
};

/** The profile of an event without settings. */
export const openProfile: BadgeProfile = { hosts: [], discoverUrl: null };
