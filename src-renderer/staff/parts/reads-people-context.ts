/** Whether a name can still come to a lead that has none, for everything behind the stand that speaks of one. */
import { createContext } from 'react';

/** False where this device reads no people. */
export const ReadsPeopleContext = createContext(true);
