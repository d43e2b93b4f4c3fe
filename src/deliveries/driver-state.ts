/** The parts of the driver's page that change, by the ids of their elements. */
export type DriverPart = 'now' | 'stops' | 'proof' | 'behind' | 'action';
export type DriverStageShown = 'assigned' | 'accepted' | 'picked_up' | 'nearby' | 'delivered';

/** What the driver's page shows, as its script gets it: the parts are markup. */
export type DriverState = { stage: DriverStageShown; parts: Record<DriverPart, string> };
