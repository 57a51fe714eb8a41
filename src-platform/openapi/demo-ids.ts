/**
 * Identifiers of the demo event, so that "Try it out" on the page finds something as it stands.
 *
 * Invariant: each of them is there after `--seed demo` (a test asks for all of them).
 */

/** By path parameter; missing where the demo event has none before somebody makes one. */
export const demoIds: Readonly<Record<string, string>> = {
  expoId: 'AD2026',
  activityId: 'AD2026A02',
  contentId: 'AD2026P002N1',
  labelId: 'AD2026L2',
  licenseId: 'AD2026X002',
  orderId: 'AD2026O001',
  partnerId: 'AD2026P002',
  paymentId: 'AD2026Y001',
  touchpointId: 'AD2026T01',
  visitorId: 'AD2026V000020',
};
