/**
 * Ids of the demo event, so that "Try it out" works unchanged on the page.
 *
 * Invariant: each of them exists after `--seed demo` (a test requests all of them).
 */

/** By path parameter; missing if the demo event has no such record initially. */
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
