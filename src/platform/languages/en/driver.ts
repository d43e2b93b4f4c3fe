/** What drivers read: the page of a delivery. */
export const driver = {};
